#include "groups/groups.h"

#include "counts/unit_crate.h"
#include "groups/group_key.h"
#include "rust/crate_name.h"
#include "rust/std_crates.h"
#include "rust/symbol_path.h"

const char *groups_lines_title(const struct groups *groups)
{
    return groups->counts_instructions ? "Instructions" : "Lines";
}

const char *groups_lines_key(const struct groups *groups)
{
    return groups->counts_instructions ? "instructions" : "lines";
}

void groups_done(struct groups *groups)
{
    intern_done(&groups->keys);
    intern_done(&groups->names);
    impl_types_done(&groups->types);
    vec_done(&groups->items);
    vec_done(&groups->name_uses);
    symbol_done(&groups->symbol);
    text_done(&groups->text);
    intern_done(&groups->owned.symbols);
    vec_done(&groups->owned.groups);
    vec_done(&groups->owned.again);
    *groups = (struct groups){0};
}

/* The id of the name in the scratch text, with one use more. */
static uint32_t use_name(struct groups *groups)
{
    uint32_t name = intern_add(&groups->names, text_slice(&groups->text));

    if (name == groups->name_uses.count)
        *vec_add(&groups->name_uses) = 0;
    groups->name_uses.items[name]++;
    return name;
}

static uint32_t use_symbol_name(struct groups *groups)
{
    text_clear(&groups->text);
    group_key_add_name(&groups->text, &groups->symbol, groups->by, groups->is_split);
    return use_name(groups);
}

/* The symbol's key in the scratch text. */
static struct slice key_of(struct groups *groups, struct slice symbol)
{
    symbol_parse(&groups->symbol, symbol);
    text_clear(&groups->text);
    group_key_add(&groups->text, &groups->symbol, groups->by, groups->is_split);
    return text_slice(&groups->text);
}

/* The impl of the parsed symbol, and a name that all copies of the group have in common. */
static void note_impl(struct groups *groups, uint32_t key, bool is_first)
{
    struct group *group = &groups->items.items[key];
    struct slice dropped = impl_common_note(&groups->types, &group->impl, &groups->symbol,
                                            intern_text(&groups->keys, key), is_first);

    if (!dropped.data)
        return;
    text_clear(&groups->text);
    if (!impl_type_drop(&groups->text, intern_text(&groups->names, group->name), dropped))
        return;
    groups->name_uses.items[group->name]--;
    group->name = use_name(groups);
}

/* Whose names have which mangling, by the symbol parsed last. */
static void note_mangling(struct groups *groups)
{
    struct symbol_crate crate = {0};

    if (groups->symbol.kind == SYMBOL_RUST_LEGACY)
        groups->has_legacy_names = true;
    if (groups->symbol.kind != SYMBOL_RUST_V0)
        return;
    if (!symbol_instantiating_crate(&groups->symbol, &crate))
        crate = symbol_defining_crate(&groups->symbol).crate;
    if (symbol_crate_is_std(crate.name))
        groups->std_has_v0_names = true;
    else if (!std_crates_depend_on(crate.name))
        groups->has_v0_names = true;
}

bool groups_show_std_by_v0(const struct groups *groups)
{
    return groups->has_legacy_names && groups->std_has_v0_names && !groups->has_v0_names;
}

/* Whether the symbol that was parsed is of its unit's crate by being there. */
static bool is_owned(struct groups *groups)
{
    return (groups->by == GROUP_BY_CRATE || groups->by == GROUP_BY_MODULE) &&
           unit_crate_has_source_of(&groups->symbol);
}

/* The group of an owned symbol comes with its unit's end. */
static struct group *add_owned(struct groups *groups, struct slice symbol)
{
    struct unit_owned *owned = &groups->owned;
    uint32_t id = intern_add(&owned->symbols, symbol);

    if (id == owned->groups.count)
        *vec_add(&owned->groups) = INTERN_NONE;
    else if (id < owned->known_count)
        *vec_add(&owned->again) = id;
    return &owned->open;
}

/* The group of the symbol that was parsed, whose key is in the scratch text. */
static struct group *add_by_key(struct groups *groups)
{
    uint32_t key = intern_add(&groups->keys, text_slice(&groups->text));
    bool is_first = key == groups->items.count;

    if (is_first) {
        struct group group = {.name = use_symbol_name(groups)};

        *vec_add(&groups->items) = group;
    }
    note_impl(groups, key, is_first);
    return &groups->items.items[key];
}

void groups_add(struct groups *groups, const struct ir_function *function)
{
    uint64_t lines = function->lines - (groups->counts_instructions ? function->switches : 0);
    struct group *group = NULL;

    key_of(groups, function->symbol);
    note_mangling(groups);
    group = is_owned(groups) ? add_owned(groups, function->symbol) : add_by_key(groups);
    group->lines += lines;
    group->copies++;
    group->inlinings |= (uint8_t)(1U << function->inlining);
    groups->lines += lines;
    groups->copies++;
}

/* The index of the group of all that is the crate's but for its modules. */
static uint32_t add_crate(struct groups *groups, struct symbol_crate crate)
{
    uint32_t key = 0;

    if (crate.name.length == 0)
        crate = (struct symbol_crate){.name = SLICE(CRATE_NAME_UNKNOWN)};
    text_clear(&groups->text);
    group_key_add_crate(&groups->text, crate, true);
    key = intern_add(&groups->keys, text_slice(&groups->text));
    if (key == groups->items.count) {
        struct group group = {.impl = {INTERN_NONE, INTERN_NONE}};

        text_clear(&groups->text);
        group_key_add_crate(&groups->text, crate, false);
        group.name = use_name(groups);
        *vec_add(&groups->items) = group;
    }
    return key;
}

void groups_end_unit(struct groups *groups, struct symbol_crate crate)
{
    struct unit_owned *owned = &groups->owned;
    struct group *group = NULL;
    uint32_t key = 0;

    if (owned->open.copies == 0)
        return;
    key = add_crate(groups, crate);
    group = &groups->items.items[key];
    group->lines += owned->open.lines;
    group->copies += owned->open.copies;
    group->inlinings |= owned->open.inlinings;
    for (size_t i = owned->known_count; i < owned->groups.count; i++)
        owned->groups.items[i] = key;
    for (size_t i = 0; i < owned->again.count; i++)
        if (owned->groups.items[owned->again.items[i]] != key)
            owned->groups.items[owned->again.items[i]] = INTERN_NONE;
    owned->known_count = owned->groups.count;
    owned->again.count = 0;
    owned->open = (struct group){0};
}

struct slice groups_inlining(uint8_t inlinings)
{
    static const char *const names[] = {
        [IR_INLINE_AS_LIKED] = "",
        [IR_INLINE_HINT] = "inline",
        [IR_INLINE_ALWAYS] = "always",
        [IR_INLINE_NEVER] = "never",
    };

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (inlinings == 1U << i)
            return slice_of(names[i]);
    return SLICE("mixed");
}

bool groups_find_owned(struct groups *groups, uint32_t *group)
{
    uint32_t id = INTERN_NONE;

    if (!is_owned(groups))
        return false;
    id = intern_find(&groups->owned.symbols, groups->symbol.name);
    *group = id == INTERN_NONE ? INTERN_NONE : groups->owned.groups.items[id];
    return true;
}

uint32_t groups_find(struct groups *groups, struct slice symbol)
{
    struct slice key = key_of(groups, symbol);
    uint32_t group = INTERN_NONE;

    return groups_find_owned(groups, &group) ? group : intern_find(&groups->keys, key);
}

struct slice groups_version(const struct groups *groups, const struct crates *crates, uint32_t group)
{
    struct slice rest;

    return crates_version(crates, group_key_told(intern_text(&groups->keys, group), &rest));
}
