#include "view/compat_table.h"

#include "view/tables.h"

/* "(12.3%, 45.6%)", filled up to 14 columns. */
static void add_shares(struct text *text, uint64_t number, uint64_t sum, uint64_t whole)
{
    SCOPED(text_done) struct text shares = {0};

    if (whole == 0)
        text_add_string(&shares, "(NaN%,  NaN%)");
    else
        text_format(&shares, "(%3.1f%%,%5.1f%%)", (double)number / (double)whole * 100.0,
                    (double)sum / (double)whole * 100.0);
    text_add(text, text_slice(&shares));
    if (shares.length < 14)
        text_add_repeated(text, ' ', 14 - shares.length);
}

static int digits_of(uint64_t number)
{
    int digits = 1;

    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

void compat_render(struct text *text, const struct rows *functions)
{
    uint64_t lines = functions->total[COLUMN_LINES].number;
    uint64_t copies = functions->total[COLUMN_COPIES].number;
    int lines_width = digits_of(lines);
    int copies_width = digits_of(copies);

    text_format(text, "  Lines%*s           Copies%*s          Function name\n", lines_width, "",
                copies_width, "");
    text_format(text, "  -----%*s           ------%*s          -------------\n", lines_width, "",
                copies_width, "");
    text_format(text, "  %llu                %llu                (TOTAL)\n", (unsigned long long)lines,
                (unsigned long long)copies);
    for (size_t i = 0; i < rows_count(functions); i++) {
        const union cell *row = rows_at(functions, i);

        text_format(text, "  %*llu ", lines_width, (unsigned long long)row[COLUMN_LINES].number);
        add_shares(text, row[COLUMN_LINES].number, row[COLUMN_LINES_SUM].number, lines);
        text_format(text, " %*llu ", copies_width, (unsigned long long)row[COLUMN_COPIES].number);
        add_shares(text, row[COLUMN_COPIES].number, row[COLUMN_COPIES_SUM].number, copies);
        text_add_byte(text, ' ');
        text_add(text, row[COLUMN_NAME].text);
        text_add_byte(text, '\n');
    }
}
