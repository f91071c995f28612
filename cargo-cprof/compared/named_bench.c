#include "compared/named_bench.h"

#include <fnmatch.h>

#include "base/text.h"
#include "cargo/candidates.h"

static bool is_benchmark(const struct cargo_question *question, const struct cargo_package *package,
                         const struct cargo_target *target)
{
    (void)question;
    (void)package;
    return target->kind == CARGO_BENCH;
}

static int refuse(const struct cargo_candidates *benchmarks, const char *name, struct error *err)
{
    SCOPED(text_done) struct text all = {0};

    for (size_t i = 0; i < benchmarks->items.count; i++) {
        text_add_string(&all, i > 0 ? ", " : "");
        text_add_terminal(&all, benchmarks->items.items[i].target->name);
    }
    if (all.length > 0)
        error_hint(err, "there are %s; --filter REGEXP picks among the benchmarks in them",
                   text_string(&all));
    else
        error_hint(err, "the selected packages have none; -p NAME or --workspace selects others");
    return error_set(err, ERROR_MISSING, "--bench %s: no benchmark target has this name", name);
}

static bool has_match(const struct cargo_candidates *benchmarks, const char *pattern)
{
    for (size_t i = 0; i < benchmarks->items.count; i++)
        if (fnmatch(pattern, benchmarks->items.items[i].target->name.data, 0) == 0)
            return true;
    return false;
}

int named_bench_check(const struct options *options, struct error *err)
{
    SCOPED(cargo_graph_done) struct cargo_graph graph = {0};
    SCOPED(cargo_selection_done) struct cargo_selection selection = {0};
    SCOPED(cargo_candidates_done) struct cargo_candidates benchmarks = {0};
    SCOPED(arena_done) struct arena arena = {0};
    const struct cargo_question question = {.graph = &graph, .selection = &selection};

    cargo_selection_read(&arena, options, &selection);
    for (size_t i = 0; i < selection.wishes.count; i++) {
        const struct cargo_wish *wish = &selection.wishes.items[i];

        if (wish->kind != CARGO_BENCH || !wish->name)
            continue;
        if (graph.package_count == 0) {
            if (cargo_graph_load(options, &graph, err) < 0)
                return -1;
            cargo_candidates_collect(&question, is_benchmark, &benchmarks);
        }
        if (!has_match(&benchmarks, wish->name))
            return refuse(&benchmarks, wish->name, err);
    }
    return 0;
}
