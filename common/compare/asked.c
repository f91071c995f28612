#include "compare/asked.h"

#include <string.h>

/* "--attribute defined --split-std": in the order of `which`, without what is so anyway. */
static void add_asked(const struct asked_option *which, const struct options *options, struct text *out)
{
    for (; which->name; which++) {
        const char *value = options_value(options, which->name);

        if (!options_has(options, which->name) ||
            (value && which->otherwise && strcmp(value, which->otherwise) == 0))
            continue;
        text_format(out, "%s--%s", out->length > 0 ? " " : "", which->name);
        if (!value)
            continue;
        text_add_byte(out, ' ');
        text_add_shell(out, slice_of(value));
    }
}

void asked_note(const struct asked_option *which, const struct options *options, struct rows *rows)
{
    SCOPED(text_done) struct text asked = {0};

    add_asked(which, options, &asked);
    rows->asked = arena_copy(&rows->arena, text_slice(&asked));
    rows->filter = options_has(options, "diff") ? NULL : options_value(options, "filter");
}

static int refuse(const char *name, struct slice was, struct slice is, struct error *err)
{
    error_hint(err, ASKED_HINT);
    if (was.length == 0)
        return error_set(err, ERROR_USAGE, "%s was saved without %.*s", name, SLICE_ARGUMENTS(is));
    if (is.length == 0)
        return error_set(err, ERROR_USAGE, "%s was saved with %.*s", name, SLICE_ARGUMENTS(was));
    return error_set(err, ERROR_USAGE, "%s was saved with %.*s, not with %.*s", name, SLICE_ARGUMENTS(was),
                     SLICE_ARGUMENTS(is));
}

int asked_check(const struct asked_option *which, const struct options *options,
                const struct json_document *saved, const char *name, struct error *err)
{
    SCOPED(text_done) struct text is = {0};
    struct json_value root = json_root(saved);
    struct json_value member;
    struct slice was = {0};

    if (json_find(&root, "filter", &member)) {
        error_hint(err, "save it anew without; --filter beside --diff shows the changes that match");
        return error_set(err, ERROR_USAGE, "%s was saved with --filter, and lacks the other rows", name);
    }
    if (!json_find(&root, "options", &member))
        return 0;
    if (json_as_string(&member, &was, err) < 0)
        return error_wrap(err, "%s", name);
    add_asked(which, options, &is);
    return slice_equal(was, text_slice(&is)) ? 0 : refuse(name, was, text_slice(&is), err);
}
