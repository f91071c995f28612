#include "sizes/crate_match.h"

void crate_match_done(struct crate_match *match)
{
    for (size_t side = 0; side < CRATE_SIDES; side++) {
        intern_done(&match->keys[side]);
        vec_done(&match->crates[side].items);
    }
    text_done(&match->scratch);
    arena_done(&match->arena);
}

static struct slice key_of(struct crate_match *match, struct symbol_crate crate)
{
    text_clear(&match->scratch);
    text_format(&match->scratch, "%llx:", (unsigned long long)crate.disambiguator);
    text_add(&match->scratch, crate.name);
    return text_slice(&match->scratch);
}

uint32_t crate_match_see(struct crate_match *match, enum crate_side side, struct symbol_crate crate)
{
    uint32_t id = intern_add(&match->keys[side], key_of(match, crate));

    if (id == match->crates[side].items.count)
        *vec_add(&match->crates[side].items) =
            (struct matched_crate){.name = arena_slice(&match->arena, crate.name),
                                   .disambiguator = crate.disambiguator,
                                   .partner = INTERN_NONE};
    return id;
}

void crate_match_see_symbol(struct crate_match *match, enum crate_side side, const struct symbol *symbol)
{
    struct symbol_crate crate;
    uint32_t at = 0;

    while (symbol_next_crate(symbol, &at, &crate))
        (void)crate_match_see(match, side, crate);
    if (symbol_instantiating_crate(symbol, &crate))
        (void)crate_match_see(match, side, crate);
}

static struct matched_crate *item(struct crate_match *match, enum crate_side side, uint32_t index)
{
    return &match->crates[side].items.items[index];
}

static void join(struct crate_match *match, uint32_t counted, uint32_t built)
{
    item(match, CRATE_COUNTED, counted)->partner = built;
    item(match, CRATE_BUILT, built)->partner = counted;
}

void crate_match_pair(struct crate_match *match, struct symbol_crate counted, struct symbol_crate built)
{
    uint32_t from = crate_match_see(match, CRATE_COUNTED, counted);

    join(match, from, crate_match_see(match, CRATE_BUILT, built));
}

void crate_match_set_std(struct crate_match *match, struct symbol_crate built)
{
    uint32_t index = crate_match_see(match, CRATE_BUILT, built);

    item(match, CRATE_BUILT, index)->is_std = true;
}

bool crate_match_is_std(struct crate_match *match, struct symbol_crate built)
{
    uint32_t id = intern_find(&match->keys[CRATE_BUILT], key_of(match, built));

    return id != INTERN_NONE && item(match, CRATE_BUILT, id)->is_std;
}

static void match_same_numbers(struct crate_match *match)
{
    for (uint32_t i = 0; i < match->crates[CRATE_COUNTED].items.count; i++) {
        uint32_t same = intern_find(&match->keys[CRATE_BUILT], intern_text(&match->keys[CRATE_COUNTED], i));

        if (same != INTERN_NONE && item(match, CRATE_COUNTED, i)->partner == INTERN_NONE &&
            item(match, CRATE_BUILT, same)->partner == INTERN_NONE)
            join(match, i, same);
    }
}

/* The only crate of the name that has no partner yet; INTERN_NONE when there is none, or several. */
static uint32_t only_left(struct crate_match *match, enum crate_side side, struct slice name)
{
    uint32_t found = INTERN_NONE;

    for (uint32_t i = 0; i < match->crates[side].items.count; i++) {
        const struct matched_crate *crate = item(match, side, i);

        if (crate->partner != INTERN_NONE || crate->is_std || !slice_equal(crate->name, name))
            continue;
        if (found != INTERN_NONE)
            return INTERN_NONE;
        found = i;
    }
    return found;
}

void crate_match_settle(struct crate_match *match)
{
    match_same_numbers(match);
    for (uint32_t i = 0; i < match->crates[CRATE_COUNTED].items.count; i++) {
        struct slice name = item(match, CRATE_COUNTED, i)->name;
        uint32_t built = INTERN_NONE;

        if (only_left(match, CRATE_COUNTED, name) != i)
            continue;
        built = only_left(match, CRATE_BUILT, name);
        if (built != INTERN_NONE)
            join(match, i, built);
    }
}

bool crate_match_find(struct crate_match *match, struct symbol_crate built, struct symbol_crate *counted)
{
    uint32_t id = intern_find(&match->keys[CRATE_BUILT], key_of(match, built));
    uint32_t partner = id == INTERN_NONE ? INTERN_NONE : item(match, CRATE_BUILT, id)->partner;

    if (partner == INTERN_NONE)
        return false;
    *counted = (struct symbol_crate){item(match, CRATE_COUNTED, partner)->name,
                                     item(match, CRATE_COUNTED, partner)->disambiguator};
    return true;
}

struct translation {
    struct crate_match *match;
    bool is_sure;
};

bool crate_match_may_be_counted(const struct crate_match *match, struct slice name)
{
    for (size_t i = 0; i < match->crates[CRATE_COUNTED].items.count; i++) {
        const struct matched_crate *crate = &match->crates[CRATE_COUNTED].items.items[i];

        if (crate->partner == INTERN_NONE && slice_equal(crate->name, name))
            return true;
    }
    return false;
}

static void translate(void *context, struct symbol_crate *crate)
{
    struct translation *translation = context;
    struct symbol_crate counted;

    if (crate_match_find(translation->match, *crate, &counted))
        crate->disambiguator = counted.disambiguator;
    else if (!crate_match_is_std(translation->match, *crate) &&
             crate_match_may_be_counted(translation->match, crate->name))
        translation->is_sure = false;
}

bool crate_match_translate(struct crate_match *match, struct symbol *symbol)
{
    struct translation translation = {match, true};

    symbol_change_crates(symbol, translate, &translation);
    return translation.is_sure;
}
