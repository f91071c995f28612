#include "attribution.h"

#include "base/memory.h"
#include "rust/std_crates.h"

static enum crate_source source_of(enum used_source source)
{
    static const enum crate_source sources[] = {
        [USED_UNKNOWN] = CRATE_UNKNOWN,         [USED_FROM_UNIT] = CRATE_FROM_UNIT,
        [USED_FROM_SUFFIX] = CRATE_FROM_SYMBOL, [USED_FROM_FILE_SYMBOL] = CRATE_FROM_FILE_SYMBOL,
        [USED_FROM_RLIB] = CRATE_FROM_RLIB,     [USED_INFERRED] = CRATE_INFERRED,
    };

    return sources[source];
}

/* Two crates of one name are told apart by their versions, else by their hashes. */
static struct slice label_of(struct measurement *out, uint32_t crate, const bool *is_used)
{
    const struct size_crate *item = &out->crates.items.items[crate];
    const char *label = NULL;

    if (!size_crates_share_name(&out->crates, crate, is_used))
        return (struct slice){0};
    if (item->version.length > 0)
        label = arena_format(&out->arena, "%.*s %.*s", SLICE_ARGUMENTS(item->name),
                             SLICE_ARGUMENTS(item->version));
    else if (item->id != 0)
        label = arena_format(&out->arena, "%.*s[%llx]", SLICE_ARGUMENTS(item->name),
                             (unsigned long long)item->id);
    return slice_of(label);
}

/* What the rows of each crate share. */
struct crate_look {
    struct slice label;
    bool is_std;
};

static struct crate_look *look_at_crates(struct measurement *out, const struct used *used, size_t count)
{
    SCOPED(memory_free_at) bool *is_used = memory_new(out->crates.items.count, sizeof(bool));
    struct crate_look *looks = memory_new(out->crates.items.count, sizeof(*looks));

    for (size_t i = 0; i < count; i++)
        if (used[i].crate != SIZE_NO_CRATE && out->crates.items.items[used[i].crate].kind != CRATE_KIND_STD)
            is_used[used[i].crate] = true;
    for (uint32_t i = 0; i < out->crates.items.count; i++) {
        looks[i].is_std = out->crates.items.items[i].kind == CRATE_KIND_STD;
        if (is_used[i])
            looks[i].label = label_of(out, i, is_used);
    }
    return looks;
}

static void give_used(struct measurement *out, struct measured *measured, struct used used,
                      const struct crate_look *looks)
{
    const struct size_crate *crate = NULL;
    bool was_std = measured->is_std;

    measured->crate = (struct slice){0};
    measured->is_std = false;
    measured->crate_source = source_of(used.source);
    if (used.crate == SIZE_NO_CRATE)
        return;
    crate = &out->crates.items.items[used.crate];
    measured->crate = crate->name;
    measured->version = crate->version;
    measured->label = looks[used.crate].label;
    measured->is_own = crate->kind == CRATE_KIND_OWN;
    /* Where only the name tells, whether a crate is std's own copy is known as well as for its definition. */
    measured->is_std = looks[used.crate].is_std ||
                       (was_std && crate->version.length == 0 && std_crates_depend_on(crate->name));
}

/* Who defines a function stays; what is said of the crate is made complete. */
static void give_defined(struct measurement *out, struct measured *measured, struct used used)
{
    bool is_paid_by_std = used.crate != SIZE_NO_CRATE && used.source != USED_INFERRED &&
                          out->crates.items.items[used.crate].kind == CRATE_KIND_STD;
    bool is_paid_by_other = used.crate != SIZE_NO_CRATE && used.source != USED_INFERRED && !is_paid_by_std;
    const struct size_crate *crate = NULL;

    measured->is_instantiated = measured->is_std && is_paid_by_other;
    if (measured->crate.length == 0 && used.crate != SIZE_NO_CRATE) {
        /* C has no generics: who built it has defined it. */
        crate = &out->crates.items.items[used.crate];
        measured->crate = crate->name;
        measured->is_std = crate->kind == CRATE_KIND_STD;
        measured->crate_source = source_of(used.source);
    } else if (measured->crate.length > 0 && !measured->is_std) {
        struct crate_fact fact = {.name = measured->crate};
        uint32_t known = size_crates_add(&out->crates, &fact);

        crate = &out->crates.items.items[known];
    }
    if (crate) {
        measured->version = crate->version;
        measured->is_own = crate->kind == CRATE_KIND_OWN;
    }
}

void attribution_apply(const struct measure_request *request, const struct code_map *map,
                       const struct symbols *symbols, const struct debug_info *debug, struct measurement *out)
{
    struct used_request wanted = {map, symbols, debug ? &debug->units : NULL, request->packages,
                                  request->package_count};
    SCOPED(memory_free_at) struct used *used = memory_new(map->functions.count, sizeof(*used));
    SCOPED(memory_free_at) struct crate_look *looks = NULL;
    size_t at = 0;

    used_find(&wanted, &out->crates, used);
    looks = look_at_crates(out, used, map->functions.count);
    for (size_t i = 0; i < map->functions.count; i++) {
        /* names_add leaves out what takes no space. */
        if (map->functions.items[i].size_bytes == 0)
            continue;
        if (request->attribute == ATTRIBUTE_USED)
            give_used(out, &out->items.items[at++], used[i], looks);
        else
            give_defined(out, &out->items.items[at++], used[i]);
    }
}
