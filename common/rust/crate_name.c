#include "rust/crate_name.h"

#include "base/ascii.h"

static char in_code(char byte)
{
    return byte == '-' ? '_' : byte;
}

bool crate_name_is(struct slice crate, struct slice typed)
{
    if (crate.length != typed.length)
        return false;
    for (size_t i = 0; i < crate.length; i++)
        if (in_code(crate.data[i]) != in_code(typed.data[i]))
            return false;
    return true;
}

void crate_name_add_versioned(struct text *text, struct slice crate, struct slice version)
{
    text_add(text, crate);
    if (version.length == 0) {
        text_add_string(text, " (version unknown)");
        return;
    }
    text_add_byte(text, '@');
    text_add(text, version);
}

static bool is_name_byte(char byte)
{
    return ascii_is_name(byte) || (unsigned char)byte >= 0x80;
}

/* Whether a path begins at this place: with "::", a name or a '.' before it, it has begun already. */
static bool begins_path(struct slice path, size_t at)
{
    return at == 0 || !(is_name_byte(path.data[at - 1]) || path.data[at - 1] == ':');
}

/* Where in the path its first crate of this name stands; the path's length when there is none. */
static size_t find_crate(struct slice path, struct slice crate)
{
    size_t at = 0;

    while (at < path.length) {
        struct slice rest = slice_range(path, at, path.length);
        size_t found = slice_find(rest, crate);
        struct slice behind = slice_range(rest, found + crate.length, rest.length);

        if (found == rest.length)
            return path.length;
        if (begins_path(path, at + found) && slice_starts_with(behind, SLICE("::")))
            return at + found;
        at += found + 1;
    }
    return path.length;
}

void crate_name_add_labelled(struct text *text, struct slice path, struct slice crate, struct slice label)
{
    size_t at = crate.length > 0 ? find_crate(path, crate) : path.length;

    text_add(text, slice_range(path, 0, at));
    if (at == path.length) {
        text_format(text, " (%.*s)", SLICE_ARGUMENTS(label));
        return;
    }
    text_add(text, label);
    text_add(text, slice_range(path, at + crate.length, path.length));
}

void crate_name_add(struct text *text, struct slice package)
{
    for (size_t i = 0; i < package.length; i++)
        text_add_byte(text, in_code(package.data[i]));
}
