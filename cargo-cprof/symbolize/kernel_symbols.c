#include "symbolize/kernel_symbols.h"

#include "base/scan.h"

static bool parse_line(struct slice line, struct kernel_symbol *out)
{
    struct scan scan = scan_of(line);
    struct slice type = {0};
    bool is_symbol = scan_hex(&scan, &out->avma) && scan_byte(&scan, ' ') && scan_word(&scan, &type) &&
                     scan_byte(&scan, ' ') && scan_word(&scan, &out->name);

    if (!is_symbol)
        return false;
    out->module = (struct slice){0};
    if (scan_byte(&scan, '\t'))
        scan_word(&scan, &out->module);
    /* nm(1)'s letters for code, global and local, and for weak symbols. */
    return type.length == 1 && slice_find_byte(SLICE("tTwW"), type.data[0]) < 4;
}

/* The names point into one text, so the one that stands first there is the first. */
static int compare_symbols(const void *left, const void *right)
{
    const struct kernel_symbol *a = left;
    const struct kernel_symbol *b = right;

    if (a->avma != b->avma)
        return a->avma < b->avma ? -1 : 1;
    return a->name.data < b->name.data ? -1 : a->name.data > b->name.data;
}

void kernel_symbols_parse(struct slice text, struct kernel_symbols *out)
{
    struct scan scan = scan_of(text);
    struct slice line = {0};
    struct kernel_symbol symbol = {0};

    *out = (struct kernel_symbols){0};
    while (scan_line(&scan, &line))
        if (parse_line(line, &symbol) && symbol.avma > 0)
            *vec_add(&out->items) = symbol;
    vec_sort(&out->items, compare_symbols);
}

void kernel_symbols_done(struct kernel_symbols *symbols)
{
    vec_done(&symbols->items);
}

const struct kernel_symbol *kernel_symbols_find(const struct kernel_symbols *symbols, uint64_t avma)
{
    const struct kernel_symbol *items = symbols->items.items;
    size_t low = 0;
    size_t high = symbols->items.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].avma <= avma)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    /* Of several at one address the first. */
    for (low--; low > 0 && items[low - 1].avma == items[low].avma;)
        low--;
    return &items[low];
}
