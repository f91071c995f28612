#include "rust/drop_glue.h"

#include "base/ascii.h"
#include "base/compiler.h"
#include "base/text.h"

/* "core", "core[1f2e]" at the start; 0 for another crate. */
static size_t core_length(struct slice name)
{
    size_t at = SLICE("core").length;

    if (!slice_starts_with(name, SLICE("core")))
        return 0;
    if (at >= name.length || name.data[at] != '[')
        return at;
    for (at++; at < name.length && ascii_is_lower_hex(name.data[at]);)
        at++;
    return at < name.length && name.data[at] == ']' ? at + 1 : 0;
}

size_t drop_glue_path_length(struct slice name)
{
    static const struct slice paths[] = {SLICE("::ptr::drop_in_place"), SLICE("::ptr::drop_glue")};
    size_t start = core_length(name);
    struct slice rest = slice_range(name, start, name.length);

    for (size_t i = 0; start > 0 && i < ARRAY_COUNT(paths); i++) {
        size_t length = paths[i].length;

        if (slice_starts_with(rest, paths[i]) && (rest.length == length || !ascii_is_name(rest.data[length])))
            return start + length;
    }
    return 0;
}

struct slice dropped_type(struct slice name)
{
    size_t path = drop_glue_path_length(name);
    struct slice rest = slice_range(name, path, name.length);

    if (path == 0 || !slice_ends_with(rest, SLICE(">")))
        return (struct slice){0};
    slice_skip(&rest, SLICE("::"));
    return slice_starts_with(rest, SLICE("<")) ? slice_range(rest, 1, rest.length - 1) : (struct slice){0};
}

struct slice drop_glue_as_key(struct slice typed)
{
    static const char *const newer[] = {"core::ptr::drop_glue", "ptr::drop_glue", "drop_glue"};

    return slice_is_any(typed, newer, ARRAY_COUNT(newer)) ? SLICE(DROP_GLUE_KEY) : typed;
}

int drop_glue_matches(const struct regex *regex, struct slice name, struct error *err)
{
    SCOPED(text_done) struct text older = {0};
    size_t path = drop_glue_path_length(name);
    int matches = regex_matches(regex, name, err);

    if (matches != 0 || !slice_ends_with(slice_range(name, 0, path), SLICE("::drop_glue")))
        return matches;
    text_add_string(&older, DROP_GLUE_KEY);
    text_add(&older, slice_range(name, path, name.length));
    return regex_matches(regex, text_slice(&older), err);
}
