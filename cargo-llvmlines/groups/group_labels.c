#include "groups/group_labels.h"

#include "groups/group_key.h"
#include "rust/symbol_numbers.h"

/* The numbers of a key: " (impl#3, closure#0 for &_)"; nothing when there are none. */
static void add_numbers(const struct groups *groups, uint32_t group, struct text *text)
{
    SCOPED(text_done) struct text numbers = {0};
    const struct group *item = &groups->items.items[group];

    symbol_key_add_numbers(&numbers, intern_text(&groups->keys, group));
    if (numbers.length == 0)
        return;
    text_format(text, " (%s", text_string(&numbers));
    impl_common_add(text, &groups->types, item->impl, intern_text(&groups->names, item->name));
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

/* The part of the group's key that says something to people. */
static struct slice told_key(const struct groups *groups, uint32_t group)
{
    struct slice rest;

    return group_key_told(intern_text(&groups->keys, group), &rest);
}

/* The groups' names, with all crates that are known where several have one. */
static void fill_with_crates(const struct groups *groups, const struct crates *crates, struct labels *labels)
{
    SCOPED(text_done) struct text label = {0};

    for (uint32_t i = 0; i < groups->items.count; i++) {
        text_clear(&label);
        if (groups->name_uses.items[groups->items.items[i].name] > 1)
            crates_add_readable(crates, told_key(groups, i),
                                intern_text(&groups->names, groups->items.items[i].name), CRATES_KNOWN,
                                &label);
        labels_add(labels, text_slice(&label));
    }
}

/* By name: whether groups of several crates share it, so that the crate is what tells them apart. */
static bool *names_of_several(const struct groups *groups, const struct labels *with_crates,
                              struct arena *arena)
{
    bool *is_of_several = ARENA_ARRAY(arena, groups->name_uses.count, bool);
    uint32_t *first = ARENA_ARRAY(arena, groups->name_uses.count, uint32_t);

    for (size_t name = 0; name < groups->name_uses.count; name++)
        first[name] = INTERN_NONE;
    for (size_t i = 0; i < groups->items.count; i++) {
        uint32_t name = groups->items.items[i].name;
        uint32_t label = with_crates->of_group.items[i];

        if (first[name] == INTERN_NONE)
            first[name] = label;
        is_of_several[name] |= first[name] != label;
    }
    return is_of_several;
}

/* Std's own copies of other crates are told at once: a comparison goes by the label alone. */
static void fill_labels(const struct groups *groups, const struct crates *crates, struct labels *labels)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(labels_done) struct labels with_crates = {0};
    SCOPED(text_done) struct text label = {0};
    const bool *is_of_several = NULL;

    fill_with_crates(groups, crates, &with_crates);
    is_of_several = names_of_several(groups, &with_crates, &arena);
    for (uint32_t i = 0; i < groups->items.count; i++) {
        uint32_t name = groups->items.items[i].name;

        text_clear(&label);
        if (is_of_several[name])
            text_add(&label, intern_text(&with_crates.texts, with_crates.of_group.items[i]));
        else
            crates_add_readable(crates, told_key(groups, i), intern_text(&groups->names, name), CRATES_OF_STD,
                                &label);
        labels_add(labels, text_slice(&label));
    }
}

/* Appends what a group is called that shares `label` with others. */
typedef void add_label(const struct groups *groups, const struct crates *crates, uint32_t group,
                       struct slice label, struct text *text);

/* With the compiler's numbers. */
static void add_with_numbers(const struct groups *groups, const struct crates *crates, uint32_t group,
                             struct slice label, struct text *text)
{
    (void)crates;
    text_add(text, label);
    add_numbers(groups, group, text);
}

/* With all crates as they are called, by a hash if need be. */
static void add_with_crates(const struct groups *groups, const struct crates *crates, uint32_t group,
                            struct slice label, struct text *text)
{
    crates_add_readable(crates, told_key(groups, group), label, CRATES_ALL, text);
}

/* The key, likewise. */
static void add_key(const struct groups *groups, const struct crates *crates, uint32_t group,
                    struct slice label, struct text *text)
{
    (void)label;
    crates_add_key(crates, told_key(groups, group), text);
}

/* Of instances: with the numbers that are in their symbols and not in the label. */
static void add_with_symbols_numbers(const struct groups *groups, const struct crates *crates, uint32_t group,
                                     struct slice label, struct text *text)
{
    SCOPED(symbol_done) struct symbol symbol = {0};
    SCOPED(text_done) struct text numbers = {0};
    struct slice instance;

    (void)crates;
    text_add(text, label);
    group_key_told(intern_text(&groups->keys, group), &instance);
    if (instance.length == 0)
        return;
    symbol_parse(&symbol, instance);
    symbol_add_numbers(&numbers, &symbol);
    if (numbers.length > 0)
        text_format(text, " (%s)", text_string(&numbers));
}

/* Changes the labels that several groups have. */
static void tell_apart(const struct groups *groups, const struct crates *crates, const struct labels *before,
                       add_label *add, struct labels *after)
{
    SCOPED(text_done) struct text text = {0};

    for (uint32_t i = 0; i < groups->items.count; i++) {
        uint32_t id = before->of_group.items[i];
        struct slice label = intern_text(&before->texts, id);

        text_clear(&text);
        if (before->uses.items[id] > 1)
            add(groups, crates, i, label, &text);
        else
            text_add(&text, label);
        labels_add(after, text_slice(&text));
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
    struct slice told = group_key_told(intern_text(&groups->keys, group), &rest);

    text_add(&text, is_unique || rest.length > 0 ? intern_text(&labels->texts, id) : told);
    if (!is_unique && rest.length > 0)
        text_format(&text, " (%.*s)", SLICE_ARGUMENTS(rest));
    return arena_slice(arena, text_slice(&text));
}

const struct slice *group_labels(const struct groups *groups, const struct crates *crates,
                                 struct arena *arena)
{
    SCOPED(labels_done) struct labels short_ones = {0};
    SCOPED(labels_done) struct labels numbered = {0};
    SCOPED(labels_done) struct labels of_crates = {0};
    SCOPED(labels_done) struct labels keys = {0};
    SCOPED(labels_done) struct labels labels = {0};
    struct slice *result = ARENA_ARRAY(arena, groups->items.count, struct slice);

    fill_labels(groups, crates, &short_ones);
    tell_apart(groups, crates, &short_ones, add_with_numbers, &numbered);
    tell_apart(groups, crates, &numbered, add_with_crates, &of_crates);
    tell_apart(groups, crates, &of_crates, add_key, &keys);
    tell_apart(groups, crates, &keys, add_with_symbols_numbers, &labels);
    for (uint32_t i = 0; i < groups->items.count; i++)
        result[i] = final_label(groups, &labels, i, arena);
    return result;
}
