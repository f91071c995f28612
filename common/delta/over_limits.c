#include "delta/over_limits.h"

#include "base/text.h"

void over_limits_done(struct over_limits *over)
{
    vec_done(&over->limits);
    arena_done(&over->arena);
}

void over_limits_begin(struct over_limits *over, const char *name, const char *noun)
{
    *vec_add(&over->limits) =
        (struct over_limit){.name = arena_copy(&over->arena, slice_of(name)), .noun = noun};
}

void over_limits_add(struct over_limits *over, struct slice name, struct slice growth, double size)
{
    struct over_limit *limit = &over->limits.items[over->limits.count - 1];
    size_t kept = limit->count < OVER_LIMITS_NAMED ? limit->count : OVER_LIMITS_NAMED;
    size_t at = kept;

    limit->count++;
    while (at > 0 && limit->largest[at - 1].size < size)
        at--;
    if (at == OVER_LIMITS_NAMED)
        return;
    for (size_t i = kept < OVER_LIMITS_NAMED ? kept : OVER_LIMITS_NAMED - 1; i > at; i--)
        limit->largest[i] = limit->largest[i - 1];
    limit->largest[at] =
        (struct over_limit_item){arena_slice(&over->arena, name), arena_slice(&over->arena, growth), size};
}

static void add_number(struct text *text, size_t count, const char *more, const char *noun)
{
    text_format(text, "%zu %s%s%s", count, more, noun, count == 1 ? "" : "s");
}

/* "crate a grew by 3KiB (+1.0%), b by 2KiB and 17 more crates, over --fail-over crate=0". */
static void add_limit(struct text *text, const struct over_limit *limit, size_t most)
{
    size_t named = limit->count < most ? limit->count : most;

    if (named == 0)
        add_number(text, limit->count, "", limit->noun);
    for (size_t i = 0; i < named; i++)
        text_format(text, "%s%.*s %s %.*s", i > 0 ? ", " : "", SLICE_ARGUMENTS(limit->largest[i].name),
                    i > 0 ? "by" : "grew by", SLICE_ARGUMENTS(limit->largest[i].growth));
    if (named > 0 && named < limit->count) {
        text_add_string(text, " and ");
        add_number(text, limit->count - named, "more ", limit->noun);
    }
    text_format(text, "%s over %s", named > 0 ? "," : limit->count == 1 ? " is" : " are", limit->name);
}

static void add_limits(struct text *text, const struct over_limits *over, size_t most)
{
    text_add_string(text, "over budget: ");
    for (size_t i = 0, told = 0; i < over->limits.count; i++) {
        if (over->limits.items[i].count == 0)
            continue;
        text_add_string(text, told++ > 0 ? "; " : "");
        add_limit(text, &over->limits.items[i], most);
    }
}

static bool is_kept(const struct over_limits *over)
{
    for (size_t i = 0; i < over->limits.count; i++)
        if (over->limits.items[i].count > 0)
            return false;
    return true;
}

int over_limits_check(const struct over_limits *over, const char *compared, struct error *err)
{
    SCOPED(text_done) struct text text = {0};
    size_t most = OVER_LIMITS_NAMED;

    if (is_kept(over))
        return 0;
    add_limits(&text, over, most);
    while (text.length >= sizeof(err->message) && most > 0) {
        text_clear(&text);
        add_limits(&text, over, --most);
    }
    if (compared)
        text_format(&text, ": %s", compared);
    return error_set(err, ERROR_BUDGET, "%s", text_string(&text));
}
