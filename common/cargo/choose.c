#include "cargo/choose.h"

#include "cargo/candidates.h"
#include "cargo/choose_refusal.h"
#include "rust/crate_name.h"

bool cargo_selection_names_targets(const struct cargo_selection *selection)
{
    return selection->wishes.count > 0 || selection->all_targets;
}

static bool is_wished_and_final(const struct cargo_question *question, const struct cargo_package *package,
                                const struct cargo_target *target)
{
    return cargo_is_looked_for(question, target) && cargo_fits_wishes(question, package, target);
}

/* The library of a package my-lib has been my_lib to cargo since 1.79. */
static bool is_unit_of_crate(const struct cargo_question *question, const struct cargo_package *package,
                             const struct cargo_target *target)
{
    return cargo_may_be_unit(question, package, target) &&
           crate_name_is(target->name, slice_of(question->selection->unit));
}

static bool is_default_binary(const struct cargo_question *question, const struct cargo_package *package,
                              const struct cargo_target *target)
{
    if (target->kind != CARGO_BIN)
        return false;
    if (question->default_run.length > 0)
        return slice_equal(package->default_run, target->name);
    return cargo_target_is_enabled(package, target, question->selection);
}

static bool is_final_library(const struct cargo_question *question, const struct cargo_package *package,
                             const struct cargo_target *target)
{
    return target->kind == CARGO_LIB && cargo_is_looked_for(question, target) &&
           cargo_target_is_enabled(package, target, question->selection);
}

/* `cargo run` heeds default-run only when the selected packages set just one. */
static struct slice find_default_run(const struct cargo_graph *graph, const struct cargo_selection *selection)
{
    struct slice found = {0};

    for (size_t i = 0; i < graph->package_count; i++) {
        const struct cargo_package *package = &graph->packages[i];

        if (package->default_run.length == 0 || !cargo_package_is_selected(graph, package, selection))
            continue;
        if (found.length > 0)
            return (struct slice){0};
        found = package->default_run;
    }
    return found;
}

/* The candidates, one kind after the other until there are some. */
static void collect_candidates(const struct cargo_question *question, struct cargo_candidates *out)
{
    if (question->selection->harness) {
        cargo_candidates_collect(question, cargo_fits_unit, out);
        if (out->items.count == 0 && question->selection->unit)
            cargo_candidates_collect(question, is_unit_of_crate, out);
        return;
    }
    if (cargo_selection_names_targets(question->selection)) {
        cargo_candidates_collect(question, is_wished_and_final, out);
        return;
    }
    cargo_candidates_collect(question, is_default_binary, out);
    if (out->items.count == 0 && question->default_run.length == 0)
        cargo_candidates_collect(question, is_final_library, out);
}

/* Whether cargo would build something for the options, though nothing that is linked. */
static bool selects_something(const struct cargo_question *question)
{
    SCOPED(cargo_candidates_done) struct cargo_candidates all = {0};
    size_t packages = 0;

    if (cargo_selection_names_targets(question->selection)) {
        cargo_candidates_collect(question, cargo_fits_wishes, &all);
        return all.items.count > 0;
    }
    for (size_t i = 0; i < question->graph->package_count; i++)
        packages +=
            cargo_package_is_selected(question->graph, &question->graph->packages[i], question->selection);
    return packages > 0;
}

static bool is_test(const struct cargo_target *target)
{
    return target->kind == CARGO_TEST || target->kind == CARGO_BENCH;
}

/* --tests and --benches take more than the targets that are tests: unit tests of libraries and binaries. */
static bool may_be_unit_tests(const struct cargo_selection *selection,
                              const struct cargo_candidates *candidates)
{
    if (selection->all_targets || selection->wants_program || candidates->items.count > 1 ||
        (candidates->items.count == 1 && !is_test(candidates->items.items[0].target)))
        return false;
    for (size_t i = 0; i < selection->wishes.count; i++) {
        const struct cargo_wish *wish = &selection->wishes.items[i];

        if (!wish->name && (wish->kind == CARGO_TEST || wish->kind == CARGO_BENCH))
            return true;
    }
    return false;
}

static bool has_unit_tests(const struct cargo_question *question, const struct cargo_package *package,
                           const struct cargo_target *target)
{
    return (target->kind == CARGO_LIB || target->kind == CARGO_PROC_MACRO || target->kind == CARGO_BIN) &&
           cargo_target_is_enabled(package, target, question->selection);
}

static bool wishes_any_test(const struct cargo_selection *selection)
{
    for (size_t i = 0; i < selection->wishes.count; i++)
        if (!selection->wishes.items[i].name && selection->wishes.items[i].kind == CARGO_TEST)
            return true;
    return false;
}

/* What runs under --tests is also the unit tests of libraries and binaries: one test beside them is not all.
 */
static void add_unit_tests(const struct cargo_question *question, struct cargo_candidates *candidates)
{
    size_t before = candidates->items.count;

    if (!question->selection->wants_program || !wishes_any_test(question->selection) || before != 1)
        return;
    cargo_candidates_collect(question, has_unit_tests, candidates);
    for (size_t i = before; i < candidates->items.count; i++)
        candidates->items.items[i].harness = CARGO_TEST_HARNESS;
}

int cargo_choose(const char *verb, const struct cargo_graph *graph, const struct cargo_selection *selection,
                 struct cargo_choice *out, struct error *err)
{
    SCOPED(cargo_candidates_done) struct cargo_candidates candidates = {0};
    struct cargo_question question = {graph, selection, find_default_run(graph, selection)};

    if (!selection->asks_for_names)
        collect_candidates(&question, &candidates);
    add_unit_tests(&question, &candidates);
    if (candidates.items.count > 1)
        return cargo_refuse_several(verb, &question, &candidates, err);
    if (may_be_unit_tests(selection, &candidates)) {
        *out = (struct cargo_choice){.is_any_test = true};
        return 0;
    }
    if (candidates.items.count == 0 && !selection->asks_for_names && selects_something(&question))
        return selection->harness ? cargo_refuse_no_unit(verb, &question, err)
                                  : cargo_refuse_none(verb, &question, err);
    *out = candidates.items.count == 1 ? candidates.items.items[0] : (struct cargo_choice){0};
    return 0;
}
