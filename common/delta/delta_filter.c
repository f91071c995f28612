#include "delta/delta_filter.h"

#include "delta/crate_versions.h"
#include "rust/crate_name.h"
#include "rust/drop_glue.h"
#include "rust/std_crates.h"

/* The text column that names crates; text_count when there is none. */
static size_t crate_column(const struct delta *delta)
{
    return delta_find_text(delta, slice_is(slice_of(delta->list_key), "crates") ? "name" : "crate");
}

/* What tables of crates call the one of a function that none is known of. What is no function has none. */
static struct slice crate_of(const struct delta *delta, const struct delta_entry *entry, size_t column)
{
    size_t name = delta_find_text(delta, "name");
    bool is_function = name < delta->text_count && !slice_starts_with(entry->texts[name], SLICE("["));

    return entry->texts[column].length == 0 && is_function ? SLICE(CRATE_NAME_UNKNOWN) : entry->texts[column];
}

/* "syn" is "syn 1.0.109" and "syn 2.0.1", "util" is "util (of app)" and "util[1f2e]". */
static bool is_crate(struct slice label, struct slice typed)
{
    static const char *const origins[] = {" (of ", " (from ", "["};
    struct named_crate named = named_crate_of(label);
    bool is_bare = named.rest.length == 0 || slice_starts_with_any(named.rest, origins, ARRAY_COUNT(origins));

    return crate_name_is(label, typed) ||
           (is_bare && named.name.length > 0 && crate_name_is(named.name, typed));
}

static bool has_crate(const struct delta *delta, size_t column, struct slice typed)
{
    for (size_t i = 0; column < delta->text_count && i < delta->items.count; i++)
        if (is_crate(crate_of(delta, &delta->items.items[i], column), typed))
            return true;
    return false;
}

/* The crate that the word is; empty when it is none. */
static struct slice find_crate(const struct delta *delta, size_t column, struct slice word)
{
    if (has_crate(delta, column, word))
        return word;
    if (slice_is(word, CRATE_NAME_UNKNOWN_WORD) && has_crate(delta, column, SLICE(CRATE_NAME_UNKNOWN)))
        return SLICE(CRATE_NAME_UNKNOWN);
    return (struct slice){0};
}

static int keep_wanted(struct delta *delta, const struct delta_filter *filter, size_t column,
                       struct slice crate, struct error *err)
{
    size_t name = delta_find_text(delta, "name");
    size_t kept = 0;

    for (size_t i = 0; i < delta->items.count; i++) {
        const struct delta_entry *entry = &delta->items.items[i];
        int wanted = crate.length > 0 ? is_crate(crate_of(delta, entry, column), crate)
                                      : drop_glue_matches(filter->regex, entry->texts[name], err);

        if (wanted < 0)
            return -1;
        if (wanted)
            delta->items.items[kept++] = delta->items.items[i];
    }
    delta->items.count = kept;
    return 0;
}

/* Of one side it would be std's own copy: as an expression it would be something else. */
static int refuse_part_of_std(const char *word, struct error *err)
{
    error_hint(err, "add --split-std; functions with this in their names are --filter %s::", word);
    return error_set(err, ERROR_USAGE, "--filter %s: what is compared has this as a part of std", word);
}

int delta_filter_apply(struct delta *delta, const struct delta_filter *filter, struct error *err)
{
    size_t column = filter->may_be_crate ? crate_column(delta) : delta->text_count;
    struct slice crate;

    if (!filter->word)
        return 0;
    crate = find_crate(delta, column, slice_of(filter->word));
    if (crate.length == 0 && filter->joins_std && std_crates_depend_on(slice_of(filter->word)))
        return refuse_part_of_std(filter->word, err);
    if (crate.length == 0 && (!filter->regex || delta_find_text(delta, "name") == delta->text_count))
        return error_set(err, ERROR_USAGE, "--filter %s: no row has names that it could be matched with",
                         filter->word);
    if (keep_wanted(delta, filter, column, crate, err) < 0)
        return -1;
    if (delta->items.count == 0)
        return error_set(err, ERROR_MISSING, "--filter %s matches nothing on either side", filter->word);
    return 0;
}
