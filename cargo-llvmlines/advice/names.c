#include "advice/names.h"

#include "base/ascii.h"
#include "base/compiler.h"
#include "rust/drop_glue.h"

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
    return name.data[at] == '<' && at > 0 && (ascii_is_name(name.data[at - 1]) || name.data[at - 1] == ':');
}

bool name_has_iterator(struct slice name)
{
    return slice_has(name, SLICE("core::iter::adapters::"));
}

bool name_is_of_iterator(struct slice name)
{
    return name_has_iterator(name) || slice_starts_with(name, SLICE("core::iter::")) ||
           slice_has(name, SLICE(" as core::iter::traits::"));
}

/* Inside of one pair of brackets, or outside of all. */
struct level {
    bool is_argument;       /* it is one of generic arguments, or part of one */
    bool has_closures;      /* some are in it */
    bool path_has_closures; /* some are among the arguments of the path that is being read */
    size_t path_start;      /* where that path begins in the text that is written */
};

enum { LEVELS_MAX = 64 };

/* A name that is being copied without closures. */
struct copy {
    struct text *text;
    const struct closure_test *test;
    struct level levels[LEVELS_MAX];
    size_t depth; /* the last of the levels */
    bool is_changed;
};

/* Of "{closure#0}::{closure#3}…" what is closures, one in the other. */
static size_t closures_length(struct slice name)
{
    size_t length = slice_find_byte(name, '}') + 1;

    while (slice_starts_with(slice_range(name, length, name.length), SLICE("::{closure#"))) {
        struct slice rest = slice_range(name, length, name.length);

        length += slice_find_byte(rest, '}') + 1;
    }
    return length < name.length ? length : name.length;
}

/* The "{closure#3}" at the end of a path has been reached, with "::" before it. */
static void copy_closure(struct copy *copy, struct slice closure)
{
    struct level *level = &copy->levels[copy->depth];
    struct slice path;

    level->has_closures = true;
    text_add(copy->text, closure);
    if (!slice_ends_with(closure, SLICE("}")))
        return;
    path = slice_range(text_slice(copy->text), level->path_start, copy->text->length);
    if (!level->is_argument || level->path_has_closures || !copy->test->is_meant(copy->test->context, path))
        return;
    copy->text->length = level->path_start;
    text_add_byte(copy->text, '_');
    copy->is_changed = true;
}

static void copy_byte(struct copy *copy, struct slice name, size_t at)
{
    int step = nesting(name, at);
    bool has_closures = copy->levels[copy->depth].has_closures;

    text_add_byte(copy->text, name.data[at]);
    if (step > 0) {
        bool is_argument = copy->levels[copy->depth].is_argument || opens_arguments(name, at);

        copy->levels[++copy->depth] =
            (struct level){.is_argument = is_argument, .path_start = copy->text->length};
    } else if (step < 0 && copy->depth > 0) {
        copy->levels[--copy->depth].has_closures |= has_closures;
        copy->levels[copy->depth].path_has_closures |= has_closures;
    } else if (name.data[at] == ',' || name.data[at] == ' ' || name.data[at] == '&' || name.data[at] == '*') {
        copy->levels[copy->depth].path_start = copy->text->length;
        copy->levels[copy->depth].path_has_closures = false;
    }
}

bool name_add_without_closures(struct text *text, struct slice name, const struct closure_test *test)
{
    struct copy copy = {.text = text, .test = test};
    size_t start = text->length;

    copy.levels[0].path_start = start;
    for (size_t at = 0; at < name.length; at++) {
        struct slice rest = slice_range(name, at, name.length);

        if (slice_starts_with(rest, SLICE("{closure#")) && at > 1) {
            rest = slice_range(rest, 0, closures_length(rest));
            copy_closure(&copy, rest);
            at += rest.length - 1;
        } else {
            copy_byte(&copy, name, at);
        }
        if (copy.depth + 1 == LEVELS_MAX)
            break;
    }
    if (copy.depth + 1 < LEVELS_MAX)
        return copy.is_changed;
    text->length = start;
    text_add(text, name);
    return false;
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
        *path = argument;
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

/* Where the function stands in types, its arguments have no "::" before them. */
static bool begins_closure_of(struct slice name, struct slice around, size_t *length)
{
    size_t at = 0;

    for (size_t i = 0; i < around.length; i++) {
        bool is_turbofish = slice_starts_with(slice_range(around, i, around.length), SLICE("::<"));

        if (is_turbofish && at < name.length && name.data[at] == '<')
            i += 2;
        if (at >= name.length || name.data[at++] != around.data[i])
            return false;
    }
    *length = at;
    return slice_starts_with(slice_range(name, at, name.length), SLICE("::{closure#"));
}

void name_add_with_bare_closures(struct text *text, struct slice name, struct slice around)
{
    for (size_t at = 0; at < name.length; at++) {
        size_t length = 0;

        if (begins_closure_of(slice_range(name, at, name.length), around, &length))
            at += length;
        text_add_byte(text, name.data[at]);
    }
}

struct slice name_trait(struct slice name)
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

    if (drop_glue_path_length(name) > 0)
        return true;
    return slice_starts_with_any(name_trait(name), traits, ARRAY_COUNT(traits));
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

    return slice_starts_with_any(name, starts, ARRAY_COUNT(starts)) ||
           slice_has(name, SLICE("::precondition_check")) ||
           slice_starts_with(name_trait(name), SLICE("core::ops::try_trait::"));
}

bool name_is_of_derived_debug(struct slice name)
{
    static const char *const calls[] = {"debug_struct_field", "debug_tuple_field"};

    if (!slice_has(name, SLICE("9Formatter")) && !slice_has(name, SLICE("core::fmt::Formatter")))
        return false;
    for (size_t i = 0; i < ARRAY_COUNT(calls); i++)
        if (slice_has(name, slice_of(calls[i])))
            return slice_has(name, SLICE("_finish"));
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

bool name_is_of_future(struct slice name)
{
    return slice_has(name, SLICE("panic_const_async_fn_resumed"));
}

void name_add_as_type(struct text *text, struct slice name)
{
    for (size_t at = 0; at < name.length; at++) {
        if (slice_starts_with(slice_range(name, at, name.length), SLICE("::<")))
            at += 2;
        text_add_byte(text, name.data[at]);
    }
}
