#include "compared/named_bench.h"

#include <fnmatch.h>

#include "base/text.h"
#include "cargo/graph.h"

struct question {
    const struct cargo_graph *graph;
    const struct cargo_selection *selection;
};

/* The names of the benchmark targets that match; `names` gets them with ", " between. */
static void add_matching(const struct question *question, const char *pattern, struct text *names)
{
    for (size_t i = 0; i < question->graph->package_count; i++) {
        const struct cargo_package *package = &question->graph->packages[i];

        if (!cargo_package_is_selected(question->graph, package, question->selection))
            continue;
        for (size_t t = 0; t < package->target_count; t++) {
            const struct cargo_target *target = &package->targets[t];

            if (target->kind != CARGO_BENCH || fnmatch(pattern, target->name.data, 0) != 0)
                continue;
            text_add_string(names, names->length > 0 ? ", " : "");
            text_add_terminal(names, target->name);
        }
    }
}

static int check(const struct question *question, const char *name, struct error *err)
{
    SCOPED(text_done) struct text matching = {0};
    SCOPED(text_done) struct text all = {0};

    add_matching(question, name, &matching);
    if (matching.length > 0)
        return 0;
    add_matching(question, "*", &all);
    if (all.length > 0)
        error_hint(err, "there are %s; --filter REGEXP picks among the benchmarks in them",
                   text_string(&all));
    else
        error_hint(err, "the selected packages have none; -p NAME or --workspace selects others");
    return error_set(err, ERROR_MISSING, "--bench %s: no benchmark target has this name", name);
}

int named_bench_check(const struct options *options, struct error *err)
{
    SCOPED(cargo_graph_done) struct cargo_graph graph = {0};
    SCOPED(cargo_selection_done) struct cargo_selection selection = {0};
    SCOPED(arena_done) struct arena arena = {0};
    const struct question question = {&graph, &selection};

    cargo_selection_read(&arena, options, &selection);
    for (size_t i = 0; i < selection.wishes.count; i++) {
        const struct cargo_wish *wish = &selection.wishes.items[i];

        if (wish->kind != CARGO_BENCH || !wish->name)
            continue;
        if (graph.package_count == 0 && cargo_graph_load(options, &graph, err) < 0)
            return -1;
        if (check(&question, wish->name, err) < 0)
            return -1;
    }
    return 0;
}
