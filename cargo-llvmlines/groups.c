#include "groups.h"

#include "base/scan.h"
#include "group_key.h"
#include "rust/crate_name.h"
#include "rust/std_crates.h"
#include "rust/symbol_impl.h"
#include "rust/symbol_numbers.h"
#include "rust/symbol_path.h"
#include "unit_crate.h"

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
    intern_done(&groups->types);
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

/* "m::<impl a::T for u8>::f" is "m::<impl a::T>::f" where the impl is for other types, too. */
static void drop_type(struct groups *groups, struct group *group)
{
    struct slice name = intern_text(&groups->names, group->name);
    SCOPED(text_done) struct text type = {0};
    size_t start = 0;

    text_format(&type, " for %.*s>", SLICE_ARGUMENTS(intern_text(&groups->types, group->impl_type)));
    start = slice_find(name, text_slice(&type));
    if (start == name.length)
        return;
    text_clear(&groups->text);
    text_add(&groups->text, slice_range(name, 0, start));
    text_add(&groups->text, slice_range(name, start + type.length - 1, name.length));
    groups->name_uses.items[group->name]--;
    group->name = use_name(groups);
}

/* The symbol's key in the scratch text. */
static struct slice key_of(struct groups *groups, struct slice symbol)
{
    symbol_parse(&groups->symbol, symbol);
    text_clear(&groups->text);
    group_key_add(&groups->text, &groups->symbol, groups->by, groups->is_split);
    return text_slice(&groups->text);
}

static bool stands_in(struct slice text, struct slice part)
{
    return slice_find(text, part) < text.length;
}

/* The id of a type as text, or INTERN_NONE for none. */
static uint32_t type_id(struct groups *groups, bool add(struct text *, const struct symbol *))
{
    text_clear(&groups->text);
    return add(&groups->text, &groups->symbol) ? intern_add(&groups->types, text_slice(&groups->text))
                                               : INTERN_NONE;
}

/* Keeps what the impl of the parsed symbol has in common with that of the group's other copies. */
static void note_impl(struct groups *groups, uint32_t key, bool is_first)
{
    struct group *group = &groups->items.items[key];
    uint32_t type = INTERN_NONE;
    uint32_t argument = INTERN_NONE;

    if (stands_in(intern_text(&groups->keys, key), SLICE("<impl#"))) {
        type = type_id(groups, symbol_add_impl_type);
        argument = type_id(groups, symbol_add_impl_argument);
    }
    if (!is_first && group->impl_type != type && group->impl_type != INTERN_NONE)
        drop_type(groups, group);
    if (is_first || group->impl_type != type)
        group->impl_type = is_first ? type : INTERN_NONE;
    if (is_first || group->impl_argument != argument)
        group->impl_argument = is_first ? argument : INTERN_NONE;
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
        struct group group = {.impl_type = INTERN_NONE, .impl_argument = INTERN_NONE};

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

/* Whether a name tells the impl's self type, "<u8 as app::T>::f", "app::<impl lib::T for u8>::f",
 * "a::b::S::f". */
static bool has_type(struct slice name, struct slice type)
{
    for (size_t at = 0; at < name.length;) {
        struct slice rest = slice_range(name, at, name.length);
        size_t found = slice_find(rest, type);
        struct slice behind = slice_range(rest, found + type.length, rest.length);
        bool starts_there = at + found == 0 || slice_find_byte(SLICE("< "), name.data[at + found - 1]) < 2;

        if (found >= rest.length)
            return false;
        if (starts_there && behind.length > 0 && slice_find_byte(SLICE(" >:"), behind.data[0]) < 3)
            return true;
        at += found + 1;
    }
    return false;
}

/* What the numbers of an impl stand for: " for &_" or " with &str"; nothing where that is not known. */
static void add_impl(const struct groups *groups, const struct group *group, struct text *text)
{
    enum { LENGTH_MAX = 80 }; /* longer ones are no help */
    struct slice type =
        group->impl_type == INTERN_NONE ? (struct slice){0} : intern_text(&groups->types, group->impl_type);
    struct slice argument = group->impl_argument == INTERN_NONE
                                ? (struct slice){0}
                                : intern_text(&groups->types, group->impl_argument);

    if (type.length > 0 && !has_type(intern_text(&groups->names, group->name), type)) {
        if (type.length <= LENGTH_MAX)
            text_format(text, " for %.*s", SLICE_ARGUMENTS(type));
    } else if (argument.length > 0 && argument.length <= LENGTH_MAX) {
        text_format(text, " with %.*s", SLICE_ARGUMENTS(argument));
    }
}

/* The numbers of a key: " (impl#3, closure#0 for &_)"; nothing when there are none. */
static void add_numbers(const struct groups *groups, uint32_t group, struct text *text)
{
    SCOPED(text_done) struct text numbers = {0};

    symbol_key_add_numbers(&numbers, intern_text(&groups->keys, group));
    if (numbers.length == 0)
        return;
    text_format(text, " (%s", text_string(&numbers));
    add_impl(groups, &groups->items.items[group], text);
    text_add_byte(text, ')');
}

/* Labels by group, and how many groups have each. */
struct labels {
    struct intern texts;
    VEC(uint32_t) of_group; /* ids of texts */
    VEC(uint32_t) uses;     /* by id */
};

static void labels_done(struct labels *labels)
{
    intern_done(&labels->texts);
    vec_done(&labels->of_group);
    vec_done(&labels->uses);
}

static void labels_add(struct labels *labels, struct slice label)
{
    uint32_t id = intern_add(&labels->texts, label);

    if (id == labels->uses.count)
        *vec_add(&labels->uses) = 0;
    labels->uses.items[id]++;
    *vec_add(&labels->of_group) = id;
}

/* The part of a key that says something to people, and what is behind it. */
static struct slice told_of(struct slice key, struct slice *rest)
{
    size_t mark = slice_find_byte(key, GROUP_KEY_MARK);

    *rest = slice_range(key, mark + 1, key.length);
    return slice_range(key, 0, mark);
}

/* Std's own copies of other crates are told at once: a comparison goes by the label alone. */
static void fill_labels(const struct groups *groups, const struct crates *crates, struct labels *labels)
{
    SCOPED(text_done) struct text label = {0};

    for (uint32_t i = 0; i < groups->items.count; i++) {
        uint32_t name = groups->items.items[i].name;
        struct slice rest;

        text_clear(&label);
        crates_add_std(crates, told_of(intern_text(&groups->keys, i), &rest),
                       intern_text(&groups->names, name), &label);
        if (groups->name_uses.items[name] > 1)
            add_numbers(groups, i, &label);
        labels_add(labels, text_slice(&label));
    }
}

/* Where several groups have a label: with the crates as they are called. */
static void tell_crates(const struct groups *groups, const struct crates *crates, const struct labels *before,
                        struct labels *after)
{
    SCOPED(text_done) struct text label = {0};

    for (uint32_t i = 0; i < groups->items.count; i++) {
        uint32_t id = before->of_group.items[i];
        struct slice shown = intern_text(&before->texts, id);
        struct slice rest;

        text_clear(&label);
        if (before->uses.items[id] > 1)
            crates_add_readable(crates, told_of(intern_text(&groups->keys, i), &rest), shown, &label);
        else
            text_add(&label, shown);
        labels_add(after, text_slice(&label));
    }
}

/* Where several still do: the key, likewise. */
static void tell_apart(const struct groups *groups, const struct crates *crates, const struct labels *before,
                       struct labels *after)
{
    SCOPED(text_done) struct text label = {0};

    for (uint32_t i = 0; i < groups->items.count; i++) {
        uint32_t id = before->of_group.items[i];
        struct slice rest;

        text_clear(&label);
        if (before->uses.items[id] > 1)
            crates_add_key(crates, told_of(intern_text(&groups->keys, i), &rest), &label);
        else
            text_add(&label, intern_text(&before->texts, id));
        labels_add(after, text_slice(&label));
    }
}

/* Where several instances have a label: with the numbers that are in their symbols and not in the label. */
static void number_instances(const struct groups *groups, const struct labels *before, struct labels *after)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text label = {0};
    SCOPED(text_done) struct text numbers = {0};

    for (uint32_t i = 0; i < groups->items.count; i++) {
        uint32_t id = before->of_group.items[i];
        struct slice instance;

        told_of(intern_text(&groups->keys, i), &instance);
        text_clear(&label);
        text_clear(&numbers);
        text_add(&label, intern_text(&before->texts, id));
        if (before->uses.items[id] > 1 && instance.length > 0) {
            symbol_parse(&symbol, instance);
            symbol_add_numbers(&numbers, &symbol);
        }
        if (numbers.length > 0)
            text_format(&label, " (%s)", text_string(&numbers));
        labels_add(after, text_slice(&label));
    }
}

/* As it is where nobody else has it; else with what the key has beyond what it tells, or with all hashes. */
static struct slice final_label(const struct groups *groups, const struct labels *labels, uint32_t group,
                                struct arena *arena)
{
    SCOPED(text_done) struct text text = {0};
    uint32_t id = labels->of_group.items[group];
    bool is_unique = labels->uses.items[id] == 1;
    struct slice rest;
    struct slice told = told_of(intern_text(&groups->keys, group), &rest);

    text_add(&text, is_unique || rest.length > 0 ? intern_text(&labels->texts, id) : told);
    if (!is_unique && rest.length > 0)
        text_format(&text, " (%.*s)", SLICE_ARGUMENTS(rest));
    return (struct slice){arena_copy(arena, text_slice(&text)), text.length};
}

const struct slice *groups_labels(const struct groups *groups, const struct crates *crates,
                                  struct arena *arena)
{
    SCOPED(labels_done) struct labels short_ones = {0};
    SCOPED(labels_done) struct labels of_crates = {0};
    SCOPED(labels_done) struct labels keys = {0};
    SCOPED(labels_done) struct labels labels = {0};
    struct slice *result = ARENA_ARRAY(arena, groups->items.count, struct slice);

    fill_labels(groups, crates, &short_ones);
    tell_crates(groups, crates, &short_ones, &of_crates);
    tell_apart(groups, crates, &of_crates, &keys);
    number_instances(groups, &keys, &labels);
    for (uint32_t i = 0; i < groups->items.count; i++)
        result[i] = final_label(groups, &labels, i, arena);
    return result;
}

struct slice groups_version(const struct groups *groups, const struct crates *crates, uint32_t group)
{
    struct slice rest;

    return crates_version(crates, told_of(intern_text(&groups->keys, group), &rest));
}
