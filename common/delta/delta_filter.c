#include "delta/delta_filter.h"

#include "rust/crate_name.h"

/* The text column that names crates; text_count when there is none. */
static size_t crate_column(const struct delta *delta)
{
    return delta_find_text(delta, slice_is(slice_of(delta->list_key), "crates") ? "name" : "crate");
}

static bool has_crate(const struct delta *delta, size_t column, struct slice typed)
{
    for (size_t i = 0; column < delta->text_count && i < delta->items.count; i++)
        if (crate_name_is(delta->items.items[i].texts[column], typed))
            return true;
    return false;
}

/* 1 or 0; -1 as of regex_matches. */
static int is_wanted(const struct delta_filter *filter, const struct delta_entry *entry, size_t crate,
                     size_t name, struct error *err)
{
    if (crate < DELTA_TEXTS_MAX)
        return crate_name_is(entry->texts[crate], slice_of(filter->word));
    return regex_matches(filter->regex, entry->texts[name], err);
}

static int keep_wanted(struct delta *delta, const struct delta_filter *filter, size_t crate,
                       struct error *err)
{
    size_t name = delta_find_text(delta, "name");
    size_t kept = 0;

    for (size_t i = 0; i < delta->items.count; i++) {
        int wanted = is_wanted(filter, &delta->items.items[i], crate, name, err);

        if (wanted < 0)
            return -1;
        if (wanted)
            delta->items.items[kept++] = delta->items.items[i];
    }
    delta->items.count = kept;
    return 0;
}

int delta_filter_apply(struct delta *delta, const struct delta_filter *filter, struct error *err)
{
    size_t crate = filter->may_be_crate ? crate_column(delta) : delta->text_count;

    if (!filter->word)
        return 0;
    if (!has_crate(delta, crate, slice_of(filter->word))) {
        crate = DELTA_TEXTS_MAX;
        if (!filter->regex || delta_find_text(delta, "name") == delta->text_count)
            return error_set(err, ERROR_USAGE, "--filter %s: no row has names that it could be matched with",
                             filter->word);
    }
    if (keep_wanted(delta, filter, crate, err) < 0)
        return -1;
    if (delta->items.count == 0)
        return error_set(err, ERROR_MISSING, "--filter %s matches nothing on either side", filter->word);
    return 0;
}
