#include "rust/legacy_path.h"

#include "base/ascii.h"
#include "rust/demangle_output.h"
#include "rust/symbol_node.h"

enum { DECODED_MAX = 1 << 20 };

static void decode(struct symbol *symbol)
{
    struct demangle_output output = {.text = &symbol->scratch, .remaining = DECODED_MAX};
    uint32_t count = symbol->node_count;

    text_clear(&symbol->scratch);
    if (symbol->hash.length > 0)
        count--;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            DEMANGLE_EMIT(&output, "::");
        demangle_legacy_element(&output, symbol_node_name(symbol, &symbol->nodes[i]));
    }
}

static bool is_arrow(struct slice text, size_t at)
{
    return at > 0 && (text.data[at - 1] == '-' || text.data[at - 1] == '.');
}

/* How the byte at `at` changes the number of open brackets. */
static int bracket(struct slice text, size_t at)
{
    switch (text.data[at]) {
    case '<':
    case '(':
    case '[':
        return 1;
    case '>':
        return is_arrow(text, at) ? 0 : -1;
    case ')':
    case ']':
        return -1;
    default:
        return 0;
    }
}

size_t legacy_find_outside(struct slice text, struct slice wanted)
{
    long open = 0;

    for (size_t i = 0; i < text.length; i++) {
        if (open == 0 && slice_starts_with(slice_range(text, i, text.length), wanted))
            return i;
        open += bracket(text, i);
        if (open < 0)
            return text.length;
    }
    return text.length;
}

/* Offset of the bracket that closes the one at the start, or text.length. */
static size_t find_closing(struct slice text)
{
    long open = 0;

    for (size_t i = 0; i < text.length; i++) {
        open += bracket(text, i);
        if (open == 0)
            return i;
    }
    return text.length;
}

bool legacy_next_component(struct slice *path, struct slice *component)
{
    size_t end = 0;

    if (path->length == 0)
        return false;
    slice_skip(path, SLICE("::"));
    end = legacy_find_outside(*path, SLICE("::"));
    *component = slice_range(*path, 0, end);
    *path = slice_range(*path, end, path->length);
    return true;
}

struct slice legacy_without_arguments(struct slice path)
{
    size_t end = slice_find_byte(path, '<');

    if (end >= 2 && end < path.length && slice_ends_with(slice_range(path, 0, end), SLICE("::")))
        end -= 2;
    return slice_range(path, 0, end);
}

/* Splits "<T as Trait>::m" or "<impl Trait for T>::m", which `rest` is. */
static bool split_brackets(struct legacy_path *path, struct slice rest)
{
    size_t end = find_closing(rest);
    struct slice inside = slice_range(rest, 1, end);
    bool is_impl = slice_starts_with(inside, SLICE("impl "));
    struct slice separator = is_impl ? SLICE(" for ") : SLICE(" as ");
    size_t middle = 0;

    if (end == rest.length)
        return false;
    if (is_impl)
        inside = slice_range(inside, sizeof("impl ") - 1, inside.length);
    middle = legacy_find_outside(inside, separator);
    path->form = is_impl ? LEGACY_IMPL : LEGACY_QUALIFIED;
    path->after = slice_range(rest, end + 1, rest.length);
    path->self = inside;
    path->trait = (struct slice){0};
    if (middle == inside.length)
        return true;
    path->trait =
        slice_range(inside, is_impl ? 0 : middle + separator.length, is_impl ? middle : inside.length);
    path->self =
        slice_range(inside, is_impl ? middle + separator.length : 0, is_impl ? inside.length : middle);
    return true;
}

struct legacy_path legacy_path_read(struct slice text)
{
    struct legacy_path path = {.form = LEGACY_PLAIN, .before = text};
    size_t bracket_at = slice_find_byte(text, '<');
    size_t impl = text.length;

    if (bracket_at == text.length)
        return path;
    if (bracket_at == 0 && split_brackets(&path, text))
        path.before = (struct slice){0};
    if (bracket_at > 0)
        impl = legacy_find_outside(text, SLICE("::<impl "));
    if (impl < text.length && split_brackets(&path, slice_range(text, impl + 2, text.length)))
        path.before = slice_range(text, 0, impl);
    return path;
}

struct legacy_path legacy_path_of(struct symbol *symbol)
{
    decode(symbol);
    return legacy_path_read(text_slice(&symbol->scratch));
}

/* "'a " before what a reference refers to. */
static bool skip_lifetime(struct slice *type)
{
    size_t space = slice_find_byte(*type, ' ');

    if (type->length == 0 || type->data[0] != '\'' || space == type->length)
        return false;
    *type = slice_range(*type, space + 1, type->length);
    return true;
}

static bool skip_reference(struct slice *type)
{
    return slice_skip(type, SLICE("&")) || slice_skip(type, SLICE("mut ")) || skip_lifetime(type);
}

static bool skip_container(struct slice *type)
{
    return slice_skip(type, SLICE("*const ")) || slice_skip(type, SLICE("*mut ")) ||
           slice_skip(type, SLICE("[")) || slice_skip(type, SLICE("("));
}

static bool ends_path(char byte)
{
    return byte == ',' || byte == ')' || byte == ']' || byte == ';' || byte == ' ' || byte == '+';
}

struct slice legacy_type_path(struct slice type, bool through_all)
{
    size_t end = 0;

    while (skip_reference(&type) || (through_all && skip_container(&type)))
        ;
    slice_skip(&type, SLICE("dyn "));
    while (end < type.length && !ends_path(type.data[end])) {
        if (type.data[end] == '<')
            end += find_closing(slice_range(type, end, type.length));
        end++;
    }
    type = slice_range(type, 0, end);
    return slice_starts_with(type, SLICE("<")) || legacy_crate_of(type).length > 0 ? type : (struct slice){0};
}

static bool is_identifier(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!ascii_is_name(text.data[i]) && (unsigned char)text.data[i] < 0x80)
            return false;
    return text.length > 0;
}

struct slice legacy_crate_of(struct slice path)
{
    size_t end = legacy_find_outside(path, SLICE("::"));
    struct slice crate = slice_range(path, 0, end);

    return end < path.length && is_identifier(crate) ? crate : (struct slice){0};
}
