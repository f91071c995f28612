#include "rust/impl_common.h"

#include "rust/symbol_impl.h"

void impl_types_done(struct impl_types *types)
{
    intern_done(&types->texts);
    text_done(&types->scratch);
}

/* The id of a type as text, or INTERN_NONE for none. */
static uint32_t type_id(struct impl_types *types, const struct symbol *symbol,
                        bool add(struct text *, const struct symbol *))
{
    text_clear(&types->scratch);
    return add(&types->scratch, symbol) ? intern_add(&types->texts, text_slice(&types->scratch))
                                        : INTERN_NONE;
}

static bool is_numbered(struct slice key)
{
    return slice_has(key, SLICE("<impl#"));
}

struct slice impl_common_note(struct impl_types *types, struct impl_common *common,
                              const struct symbol *symbol, struct slice key, bool is_first)
{
    struct impl_common here = {INTERN_NONE, INTERN_NONE};
    struct slice dropped = {0};

    if (is_numbered(key)) {
        here.type = type_id(types, symbol, symbol_add_impl_type);
        here.argument = type_id(types, symbol, symbol_add_impl_argument);
    }
    if (is_first) {
        *common = here;
        return dropped;
    }
    if (common->type != here.type) {
        if (common->type != INTERN_NONE)
            dropped = intern_text(&types->texts, common->type);
        common->type = INTERN_NONE;
    }
    if (common->argument != here.argument)
        common->argument = INTERN_NONE;
    return dropped;
}

bool impl_type_drop(struct text *text, struct slice name, struct slice type)
{
    SCOPED(text_done) struct text end = {0};
    size_t start = 0;

    text_format(&end, " for %.*s>", SLICE_ARGUMENTS(type));
    start = slice_find(name, text_slice(&end));
    if (start == name.length)
        return false;
    text_add(text, slice_range(name, 0, start));
    text_add(text, slice_range(name, start + end.length - 1, name.length));
    return true;
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

static struct slice text_of(const struct impl_types *types, uint32_t id)
{
    return id == INTERN_NONE ? (struct slice){0} : intern_text(&types->texts, id);
}

void impl_common_add(struct text *text, const struct impl_types *types, struct impl_common common,
                     struct slice name)
{
    enum { LENGTH_MAX = 80 }; /* longer ones are no help */
    struct slice type = text_of(types, common.type);
    struct slice argument = text_of(types, common.argument);

    if (type.length > 0 && !has_type(name, type)) {
        if (type.length <= LENGTH_MAX)
            text_format(text, " for %.*s", SLICE_ARGUMENTS(type));
    } else if (argument.length > 0 && argument.length <= LENGTH_MAX) {
        text_format(text, " with %.*s", SLICE_ARGUMENTS(argument));
    }
}
