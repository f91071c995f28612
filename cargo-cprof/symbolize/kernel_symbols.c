#include "symbolize/kernel_symbols.h"

#include "base/ascii.h"
#include "base/scan.h"
#include "base/search.h"

/* The number at the start of the line, as far as it goes up to 64 bits; `*length` is that of its digits. */
static uint64_t leading_number(struct slice line, size_t *length)
{
    enum { MOST_DIGITS = 16 };
    size_t most = line.length < MOST_DIGITS ? line.length : MOST_DIGITS;
    uint64_t value = 0;
    size_t at = 0;

    for (; at < most; at++) {
        unsigned digit = ascii_digit_value(line.data[at]);

        if (digit > 15)
            break;
        value = value << 4 | digit;
    }
    *length = at;
    return value;
}

/* nm(1)'s letters for code, global and local, and for weak symbols. */
static bool is_function(char type)
{
    return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* Leaves what stands behind the type in `name`, to be taken apart if it is asked for. */
static bool parse_line(struct slice line, struct kernel_symbol *out)
{
    enum { BEFORE_NAME = sizeof(" T ") - 1 };
    size_t digits = 0;
    uint64_t avma = leading_number(line, &digits);
    struct slice rest = slice_range(line, digits, line.length);

    if (digits == 0 || avma == 0 || rest.length <= BEFORE_NAME || rest.data[0] != ' ' ||
        !is_function(rest.data[1]) || rest.data[2] != ' ' || rest.data[3] == ' ' || rest.data[3] == '\t')
        return false;
    *out = (struct kernel_symbol){.avma = avma, .name = slice_range(rest, BEFORE_NAME, rest.length)};
    return true;
}

static void take_apart(struct kernel_symbol *symbol)
{
    struct scan scan = scan_of(symbol->name);

    if (symbol->avma > 0 && scan_word(&scan, &symbol->name) && scan_byte(&scan, '\t'))
        scan_word(&scan, &symbol->module);
}

/* Index of the first address at or after this one. The list mostly rises, so it is looked for near `before`.
 */
static size_t first_from(const uint64_t *avmas, size_t count, uint64_t avma, size_t before)
{
    if ((before == count || avmas[before] >= avma) && (before == 0 || avmas[before - 1] < avma))
        return before;
    return search_number(avmas, count, SEARCH_PLAIN(avmas), avma, false);
}

void kernel_symbols_find(struct slice list, const uint64_t *avmas, size_t count, struct kernel_symbol *out)
{
    struct scan scan = scan_of(list);
    struct slice line = {0};
    struct kernel_symbol symbol = {0};
    size_t at = 0;

    for (size_t i = 0; i < count; i++)
        out[i] = (struct kernel_symbol){0};
    while (scan_line(&scan, &line)) {
        if (!parse_line(line, &symbol))
            continue;
        at = first_from(avmas, count, symbol.avma, at);
        if (at < count && symbol.avma > out[at].avma)
            out[at] = symbol;
    }
    for (size_t i = 1; i < count; i++)
        if (out[i - 1].avma > out[i].avma)
            out[i] = out[i - 1];
    for (size_t i = 0; i < count; i++)
        take_apart(&out[i]);
}
