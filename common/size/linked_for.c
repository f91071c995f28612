#include "size/linked_for.h"

#include "base/ascii.h"

/* Units that are not called after their crate have a hash for a name, of letters and digits alone. */
static bool is_hash(struct slice name)
{
    enum { LEAST = 20 };

    for (size_t i = 0; i < name.length; i++)
        if (!ascii_is_alphanumeric(name.data[i]))
            return false;
    return name.length >= LEAST;
}

/* Of gcc's and of C libraries, glibc's and musl's. GNU ld names objects that do not say their source. */
static bool is_startup(struct slice name)
{
    static const char *const names[] = {"abi-note.c", "abi-note.S", "init.c",  "static-reloc.c",
                                        "Scrt1.c",    "Scrt1.o",    "rcrt1.c", "rcrt1.o"};

    return slice_is_any(name, names, ARRAY_COUNT(names)) || slice_starts_with(name, SLICE("crt"));
}

static bool is_rusts(struct slice name)
{
    struct crate_fact fact;

    return is_hash(name) || crate_fact_of_codegen_unit(name, &fact);
}

/* The first unit that is not a startup file's; the count of units where there is none. */
static size_t find_first(const struct symbols *symbols)
{
    size_t at = 0;

    while (at < symbols->unit_count && is_startup(symbols->units[at]))
        at++;
    return at;
}

/* The crate whose units alone stand from there up to the one that is made for the whole. */
static uint32_t find_crate(const struct symbols *symbols, size_t at, const uint32_t *of_unit,
                           const struct size_crates *crates)
{
    uint32_t crate = of_unit[at];

    if (crate == SIZE_NO_CRATE || crates->items.items[crate].kind == CRATE_KIND_STD)
        return SIZE_NO_CRATE;
    while (at < symbols->unit_count && of_unit[at] == crate)
        at++;
    return at < symbols->unit_count && of_unit[at] == SIZE_NO_CRATE && is_hash(symbols->units[at])
               ? crate
               : SIZE_NO_CRATE;
}

uint32_t linked_for_find(const struct symbols *symbols, const uint32_t *of_unit, uint32_t merged,
                         const struct size_crates *crates, bool *is_beside_c)
{
    size_t first = find_first(symbols);

    *is_beside_c = false;
    if (first == symbols->unit_count)
        return SIZE_NO_CRATE;
    for (size_t i = 0; i < symbols->unit_count; i++)
        *is_beside_c |= !is_startup(symbols->units[i]) && !is_rusts(symbols->units[i]);
    if (merged == SIZE_NO_CRATE)
        return find_crate(symbols, first, of_unit, crates);
    return !*is_beside_c && is_rusts(symbols->units[first]) ? merged : SIZE_NO_CRATE;
}
