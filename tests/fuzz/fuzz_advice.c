/* Names of any kind, one a line, and advice on a counts file of any content. */
#include <stdlib.h>

#include "advice/advice.h"
#include "advice/names.h"
#include "base/scan.h"
#include "counts/counts.h"

static bool is_meant(const void *context, struct slice path)
{
    const struct slice *start = context;

    return slice_starts_with(path, *start);
}

static void check_name(struct slice around, struct slice name)
{
    const struct slice start = slice_range(around, 0, 3);
    const struct closure_test test = {is_meant, &start};
    SCOPED(text_done) struct text family = {0};
    SCOPED(text_done) struct text bare = {0};
    struct slice path;
    size_t at = 0;

    if (name_add_without_closures(&family, name, &test) == slice_equal(text_slice(&family), name) ||
        family.length > name.length)
        abort();
    name_add_with_bare_closures(&bare, name, around);
    if (bare.length > name.length)
        abort();
    while (name_next_closure_argument(name, &at, &path))
        if (at > name.length || path.length > name.length)
            abort();
    if (name_derived_deserialize(name, &path) && path.length > name.length)
        abort();
    (void)(name_is_conversion(name) || name_is_plumbing(name) || name_is_of_derived_debug(name) ||
           name_is_of_iterator(name));
}

static void check_names(struct slice input)
{
    struct scan scan = scan_of(input);
    struct slice around = {0};
    struct slice name;

    scan_line(&scan, &around);
    while (scan_line(&scan, &name))
        check_name(around, name);
}

/* The crate of the first function, so that something is the user's own. */
static struct symbol_crate crate_of(const struct unit_counts *counts, struct symbol *symbol)
{
    if (counts->nodes.count == 0)
        return (struct symbol_crate){0};
    symbol_parse(symbol, counts->symbols.items[counts->nodes.items[0].symbol]);
    return symbol_defining_crate(symbol).crate;
}

/* Adds the functions; false where their lines are more than there can be. */
static bool fill_groups(const struct unit_counts *counts, struct groups *groups)
{
    for (size_t i = 0; i < counts->nodes.count; i++) {
        const struct counted_node *node = &counts->nodes.items[i];
        uint64_t sum = 0;

        if (__builtin_add_overflow(groups->lines, node->lines, &sum))
            return false;
        if (node->kind == COUNTED_FUNCTION)
            groups_add(groups, &(struct ir_function){.symbol = counts->symbols.items[node->symbol],
                                                     .lines = node->lines,
                                                     .switches = node->switches});
    }
    return true;
}

/* Whatever is found is part of what was counted. */
static void check_advice(struct slice content)
{
    struct measurement measurement = {.groups = {.by = GROUP_BY_GENERIC}};
    struct measured_unit unit = {.label = "lib a", .is_own = true};
    struct program program = {0};
    struct advice_list found = {0};
    struct error err = {0};

    SCOPED(symbol_done) struct symbol symbol = {0};
    bool is_read = counts_decode(content, "input", SLICE("a"), &unit.counts, &err) == 0 &&
                   fill_groups(&unit.counts, &measurement.groups);

    unit.crate = crate_of(&unit.counts, &symbol);
    own_crates_add(&measurement.own, unit.crate);
    *vec_add(&measurement.units) = unit;
    if (is_read) {
        program_build(&measurement, &program);
        advice_find(&program, &found);
        for (size_t i = 0; i < found.items.count; i++)
            if (found.items.items[i].bound > measurement.groups.lines)
                abort();
    }
    advice_done(&found);
    program_done(&program);
    measure_done(&measurement);
}

static void add_hash(struct text *content)
{
    uint64_t hash = 0xcbf29ce484222325U;

    for (size_t i = 0; i < content->length; i++)
        hash = (hash ^ (unsigned char)content->data[i]) * 0x100000001b3U;
    for (int i = 0; i < 8; i++)
        text_add_byte(content, (char)(hash >> (8 * i)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    SCOPED(text_done) struct text content = {0};
    struct slice input = {(const char *)data, size};

    check_names(input);
    check_advice(input);
    text_add(&content, SLICE("cargo-llvmlines counts 3\n\001a\0\0\0\0\0\0\0\0"));
    text_add(&content, input);
    add_hash(&content);
    check_advice(text_slice(&content));
    return 0;
}
