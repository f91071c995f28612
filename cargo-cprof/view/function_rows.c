#include "view/function_rows.h"

#include "view/own_first.h"

enum { SELF_SHARE, TOTAL_SHARE, SELF, TOTAL, CRATE, NAME, CATEGORY };

const char *category_name(enum category category)
{
    static const char *const names[CATEGORY_COUNT] = {
        [CATEGORY_UNKNOWN] = "unknown", [CATEGORY_OWN] = "own",       [CATEGORY_DEPENDENCY] = "dependency",
        [CATEGORY_STD] = "std",         [CATEGORY_KERNEL] = "kernel", [CATEGORY_OTHER] = "other",
    };

    return names[category];
}

static void add_function(const struct profile *profile, const struct profile_function *function,
                         struct weights weights, struct rows *out)
{
    union cell *cells = rows_add(out);

    cells[SELF].number = weights.self;
    cells[TOTAL].number = weights.total;
    if (function->crate != PROFILE_NO_STRING)
        cells[CRATE].text = profile_text(profile, function->crate);
    cells[NAME].text = profile_text(profile, function->name);
    cells[CATEGORY].text = slice_of(category_name(function->category));
}

static void add_no_stack(uint64_t weight, struct rows *out)
{
    union cell *cells = rows_add(out);

    cells[SELF].number = weight;
    cells[TOTAL].number = weight;
    cells[NAME].text = slice_of(NO_STACK);
    cells[CATEGORY].text = slice_of(category_name(CATEGORY_UNKNOWN));
}

void function_rows_fill(const struct profile *profile, const struct totals *totals, enum function_order order,
                        enum function_choice choice, struct rows *out)
{
    out->list_key = "functions";
    out->noun = "function";
    out->how_to_see_all = "-n 0 shows all";
    rows_add_column(out, (struct column){COLUMN_SHARE, "Self", NULL, SELF, totals->whole});
    rows_add_column(out, (struct column){COLUMN_SHARE, "Total", NULL, TOTAL, totals->whole});
    rows_add_column(out, (struct column){COLUMN_COUNT, NULL, "self", 0, 0});
    rows_add_column(out, (struct column){COLUMN_INCLUSIVE, NULL, "total", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, "Crate", "crate", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, "Function", "name", 0, 0});
    rows_add_column(out, (struct column){COLUMN_TEXT, NULL, "category", 0, 0});
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct profile_function *function = &profile->functions.items[i];

        if (totals->functions[i].total > 0 && (choice == FUNCTIONS_ALL || function->category == CATEGORY_OWN))
            add_function(profile, function, totals->functions[i], out);
    }
    if (totals->without_stack > 0 && choice == FUNCTIONS_ALL)
        add_no_stack(totals->without_stack, out);
    rows_add_fact(out, "whole", totals->whole);
    rows_add_fact(out, "without-stack", totals->without_stack);
    rows_sort_by(out, order == FUNCTIONS_BY_SELF ? SELF : TOTAL, order == FUNCTIONS_BY_SELF ? TOTAL : SELF);
    if (order == FUNCTIONS_BY_SELF)
        own_first_sort(out, SELF);
}

size_t function_rows_count_self(const struct rows *rows)
{
    return own_first_count(rows, SELF);
}
