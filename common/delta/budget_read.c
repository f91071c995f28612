#include <string.h>

#include "delta/budget.h"

void budget_done(struct budget *budget)
{
    vec_done(&budget->rules);
}

static bool read_subject(struct slice subject, enum budget_subject *out)
{
    if (subject.length == 0)
        *out = BUDGET_TOTAL;
    else if (slice_is(subject, "crate"))
        *out = BUDGET_CRATE;
    else if (slice_is(subject, "function"))
        *out = BUDGET_FUNCTION;
    else
        return false;
    return true;
}

int budget_add(struct arena *arena, struct slice text, const char *from, struct budget *budget,
               struct error *err)
{
    static const char examples[] =
        "10KiB (of sizes), 100 (of lines), 200ms (of times), 1.5%, crate=1%, function=1%, crate:NAME=0";
    struct budget_rule rule = {.text = arena_copy(arena, text), .from = from};
    struct limit limit;

    if (!limit_read(text, &limit) || !read_subject(limit.subject, &rule.subject))
        return limit_refuse(text, from, examples, err);
    rule.name = limit.name.length > 0 ? arena_copy(arena, limit.name) : NULL;
    rule.unit = limit.unit;
    rule.limit = limit.amount;
    *vec_add(&budget->rules) = rule;
    return 0;
}

int budget_read_options(struct arena *arena, const struct options *options, struct budget *budget,
                        struct error *err)
{
    for (size_t i = 0; i < options->uses.count; i++)
        if (strcmp(options->uses.items[i].spec->name, "fail-over") == 0 &&
            budget_add(arena, slice_of(options->uses.items[i].value), "--fail-over", budget, err) < 0)
            return -1;
    return 0;
}

/* A string, or an array of them. */
static int read_value(struct arena *arena, const struct json_value *value, const char *from,
                      struct budget *budget, struct error *err)
{
    struct json_value item;
    struct slice text;

    if (json_is_string(value))
        return json_as_string(value, &text, err) < 0 ? -1 : budget_add(arena, text, from, budget, err);
    if (!json_is_array(value))
        return error_set(err, ERROR_USAGE, "%s: fail-over is a string or an array of strings", from);
    for (bool more = json_first(value, &item); more; more = json_next(&item)) {
        if (json_as_string(&item, &text, err) < 0)
            return error_wrap(err, "%s", from);
        if (budget_add(arena, text, from, budget, err) < 0)
            return -1;
    }
    return 0;
}

/* A limit under a name that nobody reads would hold nothing. */
static int check_keys(const struct json_value *table, const char *from, struct error *err)
{
    struct json_value member;

    for (bool more = json_is_object(table) && json_first(table, &member); more; more = json_next(&member)) {
        if (slice_is(json_name(&member), "fail-over"))
            continue;
        error_hint(err, "limits are those of fail-over = \"1%%\", or of several: [\"1%%\", \"crate=16KiB\"]");
        return error_set(err, ERROR_USAGE, "%s: nothing reads %.*s", from,
                         SLICE_ARGUMENTS(json_name(&member)));
    }
    return 0;
}

/* The rules in one metadata table, which may have none. */
static int read_table(struct arena *arena, const char *verb, const struct json_value *metadata,
                      const char *from, struct budget *budget, struct error *err)
{
    struct json_value table;
    struct json_value value;

    if (!metadata->node || !json_find(metadata, verb, &table))
        return 0;
    if (check_keys(&table, from, err) < 0)
        return -1;
    if (!json_find(&table, "fail-over", &value))
        return 0;
    return read_value(arena, &value, from, budget, err);
}

static int read_packages(struct arena *arena, const char *verb, const struct cargo_selection *selection,
                         const struct cargo_graph *graph, struct budget *budget, struct error *err)
{
    for (size_t i = 0; i < graph->package_count; i++) {
        const struct cargo_package *package = &graph->packages[i];
        const char *from =
            arena_format(arena, "package.metadata.%s of %.*s", verb, SLICE_ARGUMENTS(package->name));

        if (cargo_package_is_selected(graph, package, selection) &&
            read_table(arena, verb, &package->metadata, from, budget, err) < 0)
            return -1;
    }
    return 0;
}

/* Cargo takes them for the same in names of crates. */
static bool is_dash(char byte)
{
    return byte == '-' || byte == '_';
}

/* Whether both are limits of the same: of all, of each crate or function, or of the one. */
static bool have_one_subject(const struct budget_rule *a, const struct budget_rule *b)
{
    size_t i = 0;

    if (a->subject != b->subject || !a->name || !b->name)
        return a->subject == b->subject && !a->name && !b->name;
    while (a->name[i] && (a->name[i] == b->name[i] ||
                          (a->subject == BUDGET_CRATE && is_dash(a->name[i]) && is_dash(b->name[i]))))
        i++;
    return a->name[i] == b->name[i];
}

/* From the rule `first` on, leaves out those that an earlier one stands for. */
static void leave_out_replaced(struct budget *budget, size_t first)
{
    struct budget_rule *rules = budget->rules.items;
    size_t kept = first;

    for (size_t i = first; i < budget->rules.count; i++) {
        bool is_replaced = false;

        for (size_t j = 0; j < first && !is_replaced; j++)
            is_replaced = have_one_subject(&rules[i], &rules[j]);
        if (!is_replaced)
            rules[kept++] = rules[i];
    }
    budget->rules.count = kept;
}

int budget_read_metadata(struct arena *arena, const struct options *options, const struct cargo_graph *graph,
                         struct budget *budget, struct error *err)
{
    struct cargo_selection selection;
    const char *verb = options->command->name;
    size_t first = budget->rules.count;
    int done = 0;

    cargo_selection_read(arena, options, &selection);
    done = read_packages(arena, verb, &selection, graph, budget, err);
    cargo_selection_done(&selection);
    if (done == 0 && budget->rules.count == first)
        done = read_table(arena, verb, &graph->metadata, arena_format(arena, "workspace.metadata.%s", verb),
                          budget, err);
    for (size_t i = first; i < budget->rules.count; i++)
        budget->rules.items[i].is_standing = true;
    leave_out_replaced(budget, first);
    return done;
}
