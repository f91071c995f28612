#include "advice_names.h"

#include "base/compiler.h"

static bool has(struct slice name, struct slice part)
{
    return slice_find(name, part) < name.length;
}

static bool is_word(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_';
}

/* +1 for what opens, -1 for what closes; the ">" of "->" does neither. */
static int nesting(struct slice name, size_t at)
{
    char byte = name.data[at];

    if (byte == '<' || byte == '(' || byte == '[' || byte == '{')
        return 1;
    if (byte == '>' && at > 0 && name.data[at - 1] == '-')
        return 0;
    return byte == '>' || byte == ')' || byte == ']' || byte == '}' ? -1 : 0;
}

/* Where the argument that begins at `start` ends: at a comma, or what closes the list. */
static size_t argument_end(struct slice name, size_t start)
{
    int depth = 0;
    size_t at = start;

    for (; at < name.length; at++) {
        int step = nesting(name, at);

        if (depth == 0 && (name.data[at] == ',' || step < 0))
            break;
        depth += step;
    }
    return at;
}

/* Whether the "<" opens a list of arguments, and not "<T as Trait>" or "<impl …>". */
static bool opens_arguments(struct slice name, size_t at)
{
    return name.data[at] == '<' && at > 0 && (is_word(name.data[at - 1]) || name.data[at - 1] == ':');
}

bool name_has_iterator(struct slice name)
{
    return has(name, SLICE("core::iter::adapters::"));
}

bool name_is_of_iterator(struct slice name)
{
    return name_has_iterator(name) || slice_starts_with(name, SLICE("core::iter::")) ||
           has(name, SLICE(" as core::iter::traits::"));
}

/* The list behind a "<"; where it ends. */
static size_t add_arguments(struct text *text, struct slice name, size_t at, bool *is_changed)
{
    for (;;) {
        size_t end = argument_end(name, at);
        struct slice argument = slice_range(name, at, end);

        if (has(argument, SLICE("{closure#")) || name_has_iterator(argument)) {
            text_add_byte(text, '_');
            *is_changed = true;
        } else {
            text_add(text, argument);
        }
        if (end >= name.length || name.data[end] != ',')
            return end;
        text_add_string(text, ", ");
        at = end + 1;
        while (at < name.length && name.data[at] == ' ')
            at++;
    }
}

bool name_add_without_closures(struct text *text, struct slice name)
{
    bool is_changed = false;
    size_t at = 0;

    while (at < name.length) {
        bool is_list = opens_arguments(name, at);

        text_add_byte(text, name.data[at++]);
        if (is_list)
            at = add_arguments(text, name, at, &is_changed);
    }
    return is_changed;
}

static bool is_closure(struct slice argument)
{
    size_t start = slice_find_last_byte(argument, '{');

    return slice_starts_with(slice_range(argument, start, argument.length), SLICE("{closure#")) &&
           slice_ends_with(argument, SLICE("}"));
}

bool name_next_closure_argument(struct slice name, size_t *at, struct slice *path)
{
    while (*at < name.length) {
        size_t start = *at + 1;
        struct slice argument;

        if (!opens_arguments(name, *at) && name.data[*at] != ',') {
            ++*at;
            continue;
        }
        /* Past all of it: what stands in an argument is not given to the function itself. */
        *at = argument_end(name, start);
        argument = slice_trim(slice_range(name, start, *at));
        if (!is_closure(argument))
            continue;
        *path = slice_range(argument, 0, slice_find_last_byte(argument, ':') - 1);
        return true;
    }
    return false;
}

/* How much of the end of `text` is the path that a closure stands in. */
static size_t path_length(struct slice text)
{
    int depth = 0;
    size_t at = text.length;

    for (; at > 0; at--) {
        char byte = text.data[at - 1];
        int step = nesting(text, at - 1);

        if (depth == 0 && (step > 0 || byte == ' ' || byte == ',' || byte == '&'))
            break;
        depth += step;
    }
    return text.length - at;
}

void name_add_with_bare_closures(struct text *text, struct slice name, struct slice around)
{
    while (around.length > 0 && name.length > 0) {
        size_t at = slice_find(name, around);
        struct slice behind = slice_range(name, at + around.length, name.length);

        if (at == name.length)
            break;
        text_add(text, slice_range(name, 0, slice_starts_with(behind, SLICE("::{closure#")) ? at : at + 1));
        name =
            slice_starts_with(behind, SLICE("::{closure#")) ? behind : slice_range(name, at + 1, name.length);
    }
    text_add(text, name);
}

bool name_next_closure(struct slice name, size_t *at, struct slice *path)
{
    size_t found = *at + slice_find(slice_range(name, *at, name.length), SLICE("::{closure#"));
    struct slice before = slice_range(name, 0, found);

    if (found >= name.length)
        return false;
    *at = found + 1;
    *path = slice_range(before, before.length - path_length(before), before.length);
    return true;
}

/* Of "<T as TRAIT>::method": what follows " as "; empty for other names. */
static struct slice trait_of(struct slice name)
{
    int depth = 0;

    for (size_t at = 0; at < name.length && slice_starts_with(name, SLICE("<")); at++) {
        struct slice rest = slice_range(name, at, name.length);

        if (depth == 1 && slice_starts_with(rest, SLICE(" as ")))
            return slice_range(rest, 4, rest.length);
        depth += nesting(name, at);
    }
    return (struct slice){0};
}

bool name_is_conversion(struct slice name)
{
    static const char *const traits[] = {
        "core::convert::",         "core::borrow::Borrow",    "core::ops::deref::Deref",
        "alloc::borrow::ToOwned>", "alloc::string::ToString", "alloc::string::SpecToString",
    };

    if (slice_starts_with(name, SLICE("core::ptr::drop_in_place::<")))
        return true;
    for (size_t i = 0; i < ARRAY_COUNT(traits); i++)
        if (slice_starts_with(trait_of(name), slice_of(traits[i])))
            return true;
    return false;
}

bool name_is_plumbing(struct slice name)
{
    static const char *const starts[] = {
        "core::panicking::",
        "core::ptr::",
        "core::ub_checks::",
        "core::intrinsics::",
        "core::option::",
        "core::result::unwrap",
        "core::hint::",
        "core::slice::index::",
        "core::str::",
        "core::num::",
        "core::mem::",
        "core::cell::panic",
        "alloc::alloc::",
        "alloc::raw_vec::",
        "__rust",
        "_Unwind",
        "rust_eh",
    };

    for (size_t i = 0; i < ARRAY_COUNT(starts); i++)
        if (slice_starts_with(name, slice_of(starts[i])))
            return true;
    return has(name, SLICE("::precondition_check")) ||
           slice_starts_with(trait_of(name), SLICE("core::ops::try_trait::"));
}

bool name_is_of_derived_debug(struct slice name)
{
    static const char *const calls[] = {"debug_struct_field", "debug_tuple_field"};

    if (!has(name, SLICE("9Formatter")) && !has(name, SLICE("core::fmt::Formatter")))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
        if (has(name, slice_of(calls[i])))
            return has(name, SLICE("_finish"));
    return false;
}

bool name_derived_deserialize(struct slice name, struct slice *type)
{
    static const char *const writes[] = {"__Visitor", "__FieldVisitor", "__Field"};
    struct slice method = SLICE("::deserialize::");
    size_t at = slice_find(name, method);
    struct slice before = slice_range(name, 0, at);
    struct slice behind = slice_range(name, at + method.length, name.length);
    size_t start = at - path_length(before);

    for (size_t i = 0; at < name.length && i < ARRAY_COUNT(writes); i++) {
        struct slice path = slice_range(before, start + 1, before.length);

        *type = slice_range(path, 0, slice_find(path, SLICE(" as ")));
        if (slice_starts_with(behind, slice_of(writes[i])) && type->length < path.length)
            return true;
    }
    return false;
}
