#include "view/group_rows.h"

#include <string.h>

#include "delta/crate_versions.h"
#include "facts/series_unit.h"
#include "rust/crate_name.h"
#include "view/function_rows.h"
#include "view/group_facts.h"
#include "view/grouper.h"
#include "view/own_first.h"
#include "view/percent_limit.h"

enum { SELF_SHARE, TOTAL_SHARE, SELF, TOTAL, FIRST_KEY };

/* What is counted: "Samples", "Page-faults". */
static const char *counted_title(const struct profile *profile, uint32_t series, struct rows *out)
{
    char *title = arena_copy(&out->arena, series_units(profile, series));

    if (series_is_of_waits(profile, series))
        return "Waited us";
    if (title[0] >= 'a' && title[0] <= 'z')
        title[0] = (char)(title[0] - 'a' + 'A');
    return title;
}

static void add_columns(const struct grouping *grouping, const char *counted, uint64_t whole,
                        struct rows *out)
{
    bool with_total = !grouping->without_total;

    rows_add_column(out, (struct column){COLUMN_SHARE, "Self", NULL, SELF, whole});
    rows_add_column(out, (struct column){COLUMN_SHARE, with_total ? "Total" : NULL, NULL, TOTAL, whole});
    rows_add_column(out, (struct column){COLUMN_COUNT, counted, "self", 0, 0});
    rows_add_column(out, (struct column){COLUMN_INCLUSIVE, NULL, with_total ? "total" : NULL, 0, 0});
    for (size_t i = 0; i < grouping->key_count; i++) {
        /* Functions of one name are told apart by their crates. */
        if (grouping->keys[i] == GROUP_FUNCTION && !grouping_has_key(grouping, GROUP_CRATE))
            rows_add_column(out, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
        rows_add_column(out, (struct column){COLUMN_TEXT, group_key_title(grouping->keys[i]),
                                             group_key_name(grouping->keys[i]), 0, 0});
    }
    if (grouping_has_key(grouping, GROUP_FUNCTION))
        rows_add_column(out, (struct column){COLUMN_TEXT, NULL, "category", 0, 0});
}

static enum category category_of(const struct grouper *grouper, uint32_t group)
{
    uint32_t function = grouper->items.items[group].function;

    return function == PROFILE_NONE ? CATEGORY_UNKNOWN : grouper->profile->functions.items[function].category;
}

static void fill_row(const struct grouper *grouper, uint32_t group, union cell *cells)
{
    const struct grouping *grouping = grouper->grouping;
    const struct profile *profile = grouper->profile;
    uint32_t values[GROUP_KEYS_MOST];
    size_t column = FIRST_KEY;

    grouper_values(grouper, group, values);
    cells[SELF].number = grouper->items.items[group].weights.self;
    cells[TOTAL].number = grouper->items.items[group].weights.total;
    for (size_t i = 0; i < grouping->key_count; i++) {
        const struct profile_function *function = NULL;

        if (grouping->keys[i] != GROUP_FUNCTION) {
            cells[column++].text = profile_text(profile, values[i]);
            continue;
        }
        if (values[i] == PROFILE_NONE) {
            column += !grouping_has_key(grouping, GROUP_CRATE);
            cells[column++].text = slice_of(NO_STACK);
            continue;
        }
        function = &profile->functions.items[values[i]];
        if (!grouping_has_key(grouping, GROUP_CRATE))
            cells[column++].text = profile_text(profile, function->crate);
        cells[column++].text = profile_text(profile, function->name);
    }
    if (grouping_has_key(grouping, GROUP_FUNCTION))
        cells[column].text = slice_of(category_name(category_of(grouper, group)));
}

/* Of any version, if only the name is asked for. */
static bool is_of_crate(const struct profile *profile, uint32_t function, struct slice asked)
{
    struct slice crate = {0};

    if (function == PROFILE_NONE)
        return false;
    crate = profile_text(profile, profile->functions.items[function].crate);
    return crate_name_is(crate, asked) || crate_name_is(crate_without_version(crate), asked);
}

/* 1 when the row is wanted, 0 when it is not. */
static int is_wanted(const struct grouper *grouper, uint32_t group, const union cell *cells,
                     struct error *err)
{
    const struct grouping *grouping = grouper->grouping;
    uint32_t function = grouper->items.items[group].function;
    size_t count = FIRST_KEY + grouping->key_count +
                   (grouping_has_key(grouping, GROUP_FUNCTION) && !grouping_has_key(grouping, GROUP_CRATE));

    if (grouping->crate.length > 0 && !is_of_crate(grouper->profile, function, grouping->crate))
        return 0;
    if (!grouping->filter)
        return 1;
    for (size_t i = FIRST_KEY; i < count; i++) {
        int matches = regex_matches(grouping->filter, cells[i].text, err);

        if (matches != 0)
            return matches;
    }
    return 0;
}

static bool is_below_limit(const struct grouping *grouping, const struct weights *weights, uint64_t whole)
{
    return (double)(grouping->by_total ? weights->total : weights->self) <
           grouping->least_share * (double)whole;
}

static int add_rows(const struct grouper *grouper, struct rows *out, struct error *err)
{
    union cell cells[ROWS_COLUMNS_MAX];
    size_t left_out = 0;

    for (uint32_t group = 0; group < grouper->items.count; group++) {
        int wanted = 0;

        if (grouper->grouping->without_total && grouper->items.items[group].weights.self == 0)
            continue;
        memset(cells, 0, sizeof(cells));
        fill_row(grouper, group, cells);
        wanted = is_wanted(grouper, group, cells, err);
        if (wanted < 0)
            return -1;
        if (wanted && is_below_limit(grouper->grouping, &grouper->items.items[group].weights, grouper->whole))
            left_out++;
        else if (wanted)
            memcpy(rows_add(out), cells, out->column_count * sizeof(*cells));
    }
    if (grouper->grouping->least_share > 0)
        percent_limit_tell(left_out, grouper->grouping->least_share, "the whole", out);
    return 0;
}

int group_rows_fill(struct profile *profile, uint32_t series, const struct grouping *grouping,
                    struct rows *out, struct error *err)
{
    SCOPED(grouper_done) struct grouper grouper = {0};

    if (group_facts_check(profile, series, grouping, err) < 0)
        return -1;
    grouper = grouper_of(profile, series, grouping);
    add_columns(grouping, counted_title(profile, series, out), grouper.whole, out);
    out->list_key = "groups";
    out->noun = grouping->key_count == 1 ? group_key_noun(grouping->keys[0]) : "group";
    rows_add_fact(out, "whole", grouper.whole);
    if (add_rows(&grouper, out, err) < 0)
        return -1;
    rows_sort_by(out, grouping->by_total ? TOTAL : SELF, grouping->by_total ? SELF : TOTAL);
    if (!grouping->by_total && grouping_has_key(grouping, GROUP_FUNCTION))
        own_first_sort(out, SELF);
    return 0;
}
