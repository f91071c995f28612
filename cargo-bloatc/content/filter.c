#include "content/filter.h"

#include "cli/suggest.h"
#include "rust/crate_name.h"
#include "rust/drop_glue.h"

void filter_done(struct filter *filter)
{
    regex_free(filter->regex);
}

struct slice filter_shown_crate(const struct measured *measured, bool split_std)
{
    if (measured->is_std && !split_std)
        return measured->is_instantiated ? SLICE("std (instantiated)") : SLICE("std");
    return measured->label.length > 0 ? measured->label : measured->crate;
}

struct slice filter_shown_version(const struct measured *measured, bool split_std)
{
    bool is_shown = measured->version.length > 0 && (!measured->is_std || split_std);

    return is_shown ? measured->version : (struct slice){0};
}

struct slice filter_crate_row(const struct measured *measured, bool split_std)
{
    struct slice crate = filter_shown_crate(measured, split_std);

    if (measured->kind != MEASURED_FUNCTION && measured->kind != MEASURED_OF_CRATE)
        return measured->name;
    return crate.length > 0 ? crate : SLICE(CRATE_NAME_UNKNOWN);
}

static bool has_crate(const struct measured *measured, struct slice typed, bool split_std)
{
    return typed.length > 0 && (crate_name_is(measured->crate, typed) ||
                                crate_name_is(filter_crate_row(measured, split_std), typed));
}

/* A crate of the program's is not std's of that name, which goes by it where the program has none. */
static bool is_other_copy(const struct filter *filter, const struct measured *measured)
{
    return filter->is_programs && !filter->split_std && measured->is_std;
}

/* Takes the word for a crate if some function is of that. */
static void find_crate(const struct measurement *measurement, struct slice word, bool split_std,
                       struct filter *out)
{
    for (size_t i = 0; i < measurement->items.count; i++)
        if (has_crate(&measurement->items.items[i], word, split_std)) {
            out->crate = word;
            out->is_programs = out->is_programs || !measurement->items.items[i].is_std;
        }
}

int filter_make(const struct measurement *measurement, const char *typed, bool split_std, struct filter *out,
                struct error *err)
{
    struct slice word = slice_of(typed);

    if (!typed)
        return 0;
    out->split_std = split_std;
    find_crate(measurement, word, split_std, out);
    if (out->crate.length == 0 && slice_is(word, CRATE_NAME_UNKNOWN_WORD))
        find_crate(measurement, SLICE(CRATE_NAME_UNKNOWN), split_std, out);
    return out->crate.length > 0 ? 0 : regex_compile(word, &out->regex, err);
}

int filter_takes(const struct filter *filter, const struct measured *measured, struct error *err)
{
    if (filter->regex)
        return measured->kind == MEASURED_FUNCTION ? drop_glue_matches(filter->regex, measured->name, err)
                                                   : 0;
    return filter->crate.length == 0 ||
           (has_crate(measured, filter->crate, filter->split_std) && !is_other_copy(filter, measured));
}

int filter_next(const struct filter *filter, const struct measurement *measurement, size_t *at,
                const struct measured **out, struct error *err)
{
    while (*at < measurement->items.count) {
        const struct measured *measured = &measurement->items.items[(*at)++];
        int taken = filter_takes(filter, measured, err);

        if (taken > 0)
            *out = measured;
        if (taken != 0)
            return taken;
    }
    return 0;
}

int filter_refuse_empty(const struct measurement *measurement, const char *typed, struct error *err)
{
    struct suggestion best = suggestion_for(slice_of(typed));

    for (size_t i = 0; i < measurement->items.count; i++)
        suggestion_consider(&best, measurement->items.items[i].crate);
    if (best.nearest.length > 0)
        error_hint(err, "did you mean the crate %.*s?", SLICE_ARGUMENTS(best.nearest));
    else
        error_hint(err, "--crates lists the crates; a regular expression is matched against function names");
    return error_set(err, ERROR_MISSING, "no crate is called \"%s\", and no function matches it", typed);
}
