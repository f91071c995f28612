#include "compat.h"

#include "base/ascii.h"
#include "rust/demangle.h"
#include "rust/symbol_key.h"
#include "tables.h"

/* "::h" and 16 digits. */
static bool has_hash(struct slice name)
{
    enum { DIGITS = 16 };
    struct slice hash = slice_range(name, name.length - (DIGITS + 3), name.length);

    if (name.length < DIGITS + 3 || !slice_starts_with(hash, SLICE("::h")))
        return false;
    for (size_t i = 3; i < hash.length; i++)
        if (!ascii_is_lower_hex(hash.data[i]))
            return false;
    return true;
}

/* As LLVM prints what stands in quotes (printEscapedString). */
static void add_escaped(struct text *text, struct slice name)
{
    for (size_t i = 0; i < name.length && name.data[i] != '('; i++) {
        unsigned char byte = (unsigned char)name.data[i];

        if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\')
            text_format(text, "\\%02X", byte);
        else
            text_add_byte(text, (char)byte);
    }
}

/* Without arguments and hashes, "f::{{closure}}": a v0 name as near to the legacy one as it tells. */
static void add_as_legacy(struct text *text, struct symbol *symbol)
{
    SCOPED(text_done) struct text key = {0};

    symbol_add_key(&key, symbol, SYMBOL_KEY_COMMON);
    for (size_t i = 0; i < key.length; i++) {
        if (key.data[i] == '{' || key.data[i] == '}')
            text_add_byte(text, key.data[i]);
        text_add_byte(text, key.data[i]);
    }
}

void compat_add_name(struct text *text, struct symbol *symbol)
{
    size_t start = text->length;
    struct slice added;

    if (symbol->kind == SYMBOL_RUST_V0) {
        add_as_legacy(text, symbol);
        return;
    }
    if (!symbol_is_rust(symbol)) {
        add_escaped(text, symbol->name);
        return;
    }
    demangle_add(text, symbol, DEMANGLE_FULL);
    added = slice_range(text_slice(text), start, text->length);
    if (has_hash(added))
        text->length -= SLICE("::h0123456789abcdef").length;
}

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
