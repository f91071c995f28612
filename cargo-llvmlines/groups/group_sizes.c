#include "groups/group_sizes.h"

#include "groups/group_key.h"

void group_sizes_done(struct group_sizes *sizes)
{
    vec_done(&sizes->items);
}

void counted_crates_done(struct counted_crates *crates)
{
    vec_done(&crates->items);
    intern_done(&crates->plain);
}

struct joiner {
    struct groups *groups;
    const struct counted_crates *counted;
    struct crate_match *match;
    struct group_sizes *out;
    struct intern structures; /* of groups that are one instance: what tells it in any build */
    VEC(uint32_t) of_structure;
    VEC(uint32_t) of_name; /* by name of groups: the only group that has it, or INTERN_NONE */
    struct text key;
};

static void joiner_done(struct joiner *joiner)
{
    intern_done(&joiner->structures);
    vec_done(&joiner->of_structure);
    vec_done(&joiner->of_name);
    text_done(&joiner->key);
}

static struct slice structure_of(struct joiner *joiner, const struct symbol *symbol)
{
    text_clear(&joiner->key);
    symbol_add_structure(&joiner->key, symbol);
    return text_slice(&joiner->key);
}

/* A group that is one instance has the mangled name in its key, which is another one in another build. */
static void index_groups(struct joiner *joiner)
{
    struct groups *groups = joiner->groups;

    for (uint32_t i = 0; i < groups->items.count; i++) {
        struct slice key = intern_text(&groups->keys, i);
        size_t mark = slice_find_byte(key, GROUP_KEY_MARK);
        uint32_t structure = 0;

        if (mark == key.length)
            continue;
        symbol_parse(&groups->symbol, slice_range(key, mark + 1, key.length));
        structure = intern_add(&joiner->structures, structure_of(joiner, &groups->symbol));
        if (structure == joiner->of_structure.count)
            *vec_add(&joiner->of_structure) = i;
    }
    for (uint32_t name = 0; name < groups->name_uses.count; name++)
        *vec_add(&joiner->of_name) = INTERN_NONE;
    for (uint32_t i = 0; i < groups->items.count; i++) {
        uint32_t name = groups->items.items[i].name;

        if (name < joiner->of_name.count && groups->name_uses.items[name] == 1)
            joiner->of_name.items[name] = i;
    }
}

/* The group of the symbol that was parsed, whose crates are those of the IR. */
static uint32_t find_by_symbol(struct joiner *joiner)
{
    struct groups *groups = joiner->groups;
    struct slice key;
    uint32_t structure = 0;

    if (groups_find_owned(groups, &structure))
        return structure;
    text_clear(&groups->text);
    group_key_add(&groups->text, &groups->symbol, groups->by, groups->is_split);
    key = text_slice(&groups->text);
    if (slice_find_byte(key, GROUP_KEY_MARK) == key.length)
        return intern_find(&groups->keys, key);
    structure = intern_find(&joiner->structures, structure_of(joiner, &groups->symbol));
    return structure < joiner->of_structure.count ? joiner->of_structure.items[structure] : INTERN_NONE;
}

/* The id of what people call the symbol's group; INTERN_NONE when no group is called so. */
static uint32_t find_name(struct joiner *joiner)
{
    struct groups *groups = joiner->groups;

    text_clear(&groups->text);
    group_key_add_name(&groups->text, &groups->symbol, groups->by, groups->is_split);
    return intern_find(&groups->names, text_slice(&groups->text));
}

/* The only group that has the name, or INTERN_NONE. */
static uint32_t only_group(const struct joiner *joiner, uint32_t name)
{
    return name < joiner->of_name.count ? joiner->of_name.items[name] : INTERN_NONE;
}

static bool has_crate(const struct counted_crates *counted, struct symbol_crate crate, bool by_number)
{
    for (size_t i = 0; i < counted->items.count; i++)
        if (slice_equal(counted->items.items[i].name, crate.name) &&
            (!by_number || counted->items.items[i].disambiguator == crate.disambiguator))
            return true;
    return false;
}

/*
 * Whether the copy, whose symbol was parsed, is one of those that were counted. Sets `is_inferred` where only
 * the name of the crate that holds it tells: a library and a program of one name, or two versions.
 */
static bool is_counted(struct joiner *joiner, struct symbol_crate holder, bool *is_inferred)
{
    struct symbol_crate crate = {0};

    if (!symbol_is_rust(&joiner->groups->symbol))
        return intern_find(&joiner->counted->plain, joiner->groups->symbol.name) != INTERN_NONE;
    if (joiner->counted->are_all)
        return !symbol_crate_is_std(holder.name);
    if (holder.disambiguator == 0)
        return has_crate(joiner->counted, holder, false);
    if (crate_match_find(joiner->match, holder, &crate))
        return has_crate(joiner->counted, crate, true);
    if (crate_match_is_std(joiner->match, holder))
        return false;
    *is_inferred = true;
    return crate_match_may_be_counted(joiner->match, holder.name) &&
           has_crate(joiner->counted, holder, false);
}

static void give(struct joiner *joiner, uint32_t index, const struct sized_function *function,
                 bool is_inferred)
{
    struct group_sizes *out = joiner->out;
    struct group_size *group = &out->items.items[index];

    if (!is_counted(joiner, function->holder, &is_inferred)) {
        group->elsewhere_bytes += function->size_bytes;
        out->elsewhere_bytes += function->size_bytes;
        return;
    }
    group->size_bytes += function->size_bytes;
    group->left++;
    out->size_bytes += function->size_bytes;
    group->inferred_bytes += is_inferred ? function->size_bytes : 0;
    out->inferred_bytes += is_inferred ? function->size_bytes : 0;
}

/* Of the symbol that was parsed. */
static void note_holder(struct joiner *joiner, const struct sized_function *function)
{
    bool is_inferred = false;

    if (!joiner->out->has_counted && symbol_is_rust(&joiner->groups->symbol))
        joiner->out->has_counted = is_counted(joiner, function->holder, &is_inferred);
}

static void place(struct joiner *joiner, const struct sized_function *function)
{
    struct symbol *symbol = &joiner->groups->symbol;
    bool tells_all = false;
    uint32_t group = INTERN_NONE;
    uint32_t name = INTERN_NONE;

    symbol_parse(symbol, function->symbol);
    tells_all = crate_match_translate(joiner->match, symbol) && symbol->kind != SYMBOL_RUST_LEGACY;
    note_holder(joiner, function);
    group = find_by_symbol(joiner);
    if (group != INTERN_NONE) {
        give(joiner, group, function, false);
        return;
    }
    name = tells_all ? INTERN_NONE : find_name(joiner);
    if (name == INTERN_NONE)
        joiner->out->other_bytes += function->size_bytes;
    else if (only_group(joiner, name) == INTERN_NONE)
        joiner->out->ambiguous_bytes += function->size_bytes;
    else
        give(joiner, only_group(joiner, name), function, true);
}

void group_sizes_join(struct groups *groups, const struct counted_crates *counted, struct crate_match *match,
                      const struct code_sizes *code, struct group_sizes *out)
{
    SCOPED(joiner_done)
    struct joiner joiner = {.groups = groups, .counted = counted, .match = match, .out = out};

    index_groups(&joiner);
    for (size_t i = 0; i < groups->items.count; i++)
        *vec_add(&out->items) = (struct group_size){0};
    for (size_t i = 0; i < code->functions.count; i++)
        place(&joiner, &code->functions.items[i]);
    out->total_bytes = code->total_bytes;
    out->gap_bytes = code->padding_bytes + code->unnamed_bytes;
}
