#include "base/slice.h"

#include <string.h>

#include "base/ascii.h"

struct slice slice_of(const char *string)
{
    return (struct slice){string, string ? strlen(string) : 0};
}

struct slice slice_range(struct slice text, size_t start, size_t end)
{
    if (end > text.length)
        end = text.length;
    if (start >= end)
        return (struct slice){0};
    return (struct slice){text.data + start, end - start};
}

bool slice_equal(struct slice a, struct slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.data, b.data, a.length) == 0);
}

bool slice_is(struct slice a, const char *string)
{
    /* Nearly all answers are no by the first byte; tables of words are searched so. */
    if (a.length == 0 || a.data[0] != string[0])
        return a.length == 0 && string[0] == '\0';
    return slice_equal(a, slice_of(string));
}

bool slice_starts_with(struct slice text, struct slice start)
{
    if (text.length < start.length || start.length == 0)
        return start.length == 0;
    return text.data[0] == start.data[0] && memcmp(text.data, start.data, start.length) == 0;
}

bool slice_skip(struct slice *text, struct slice start)
{
    if (!slice_starts_with(*text, start))
        return false;
    *text = slice_range(*text, start.length, text->length);
    return true;
}

bool slice_ends_with(struct slice text, struct slice end)
{
    return text.length >= end.length &&
           slice_equal(slice_range(text, text.length - end.length, text.length), end);
}

bool slice_is_any(struct slice text, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_is(text, strings[i]))
            return true;
    return false;
}

bool slice_starts_with_any(struct slice text, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_starts_with(text, slice_of(strings[i])))
            return true;
    return false;
}

bool slice_ends_with_any(struct slice text, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_ends_with(text, slice_of(strings[i])))
            return true;
    return false;
}

bool slice_has_any(struct slice text, const char *const *strings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_has(text, slice_of(strings[i])))
            return true;
    return false;
}

int slice_compare(struct slice a, struct slice b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter ? memcmp(a.data, b.data, shorter) : 0;

    return order ? order : (a.length > b.length) - (a.length < b.length);
}

size_t slice_find(struct slice text, struct slice part)
{
    const char *found = NULL;

    if (part.length == 0)
        return 0;
    if (text.length > 0)
        found = memmem(text.data, text.length, part.data, part.length);
    return found ? (size_t)(found - text.data) : text.length;
}

bool slice_has(struct slice text, struct slice part)
{
    return slice_find(text, part) < text.length;
}

size_t slice_find_byte(struct slice text, char byte)
{
    const char *found = text.length ? memchr(text.data, byte, text.length) : NULL;

    return found ? (size_t)(found - text.data) : text.length;
}

size_t slice_find_last_byte(struct slice text, char byte)
{
    const char *found = text.length ? memrchr(text.data, byte, text.length) : NULL;

    return found ? (size_t)(found - text.data) : text.length;
}

struct slice slice_file_name(struct slice path)
{
    size_t slash = slice_find_last_byte(path, '/');

    return slash < path.length ? slice_range(path, slash + 1, path.length) : path;
}

struct slice slice_folder(struct slice path)
{
    size_t slash = slice_find_last_byte(path, '/');

    return slice_range(path, 0, slash < path.length ? slash : 0);
}

static bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

struct slice slice_trim(struct slice text)
{
    size_t start = 0;
    size_t end = text.length;

    while (start < end && is_space(text.data[start]))
        start++;
    while (end > start && is_space(text.data[end - 1]))
        end--;
    return slice_range(text, start, end);
}

bool slice_is_hash(struct slice text)
{
    enum { HASH_DIGITS = 16 };

    for (size_t i = 0; i < text.length; i++)
        if (!ascii_is_lower_hex(text.data[i]))
            return false;
    return text.length == HASH_DIGITS;
}

bool slice_is_zero(struct slice bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        if (bytes.data[i] != 0)
            return false;
    return true;
}
