#include "cargo/candidates.h"

#include <fnmatch.h>

void cargo_candidates_done(struct cargo_candidates *candidates)
{
    vec_done(&candidates->items);
}

void cargo_candidates_collect(const struct cargo_question *question, cargo_fits_fn *fits,
                              struct cargo_candidates *out)
{
    for (size_t i = 0; i < question->graph->package_count; i++) {
        const struct cargo_package *package = &question->graph->packages[i];

        if (!cargo_package_is_selected(question->graph, package, question->selection))
            continue;
        for (size_t at = 0; at < package->target_count; at++)
            if (fits(question, package, &package->targets[at]))
                *vec_add(&out->items) = (struct cargo_choice){package, &package->targets[at],
                                                              question->selection->harness, false};
    }
}

bool cargo_fits_wishes(const struct cargo_question *question, const struct cargo_package *package,
                       const struct cargo_target *target)
{
    const struct cargo_selection *selection = question->selection;

    if (selection->all_targets)
        return cargo_kind_option(target->kind) && cargo_target_is_enabled(package, target, selection);
    for (size_t i = 0; i < selection->wishes.count; i++) {
        const struct cargo_wish *wish = &selection->wishes.items[i];

        /* cargo counts a procedural macro as its package's library. */
        if (wish->kind != (target->kind == CARGO_PROC_MACRO ? CARGO_LIB : target->kind))
            continue;
        /* cargo refuses a target that is named and not enabled, and says why; it skips the others. */
        if (wish->name && slice_is(target->name, wish->name))
            return true;
        if ((!wish->name || fnmatch(wish->name, target->name.data, 0) == 0) &&
            cargo_target_is_enabled(package, target, selection))
            return true;
    }
    return false;
}

bool cargo_is_looked_for(const struct cargo_question *question, const struct cargo_target *target)
{
    return question->selection->wants_program ? cargo_target_is_program(target)
                                              : cargo_target_is_final(target);
}

bool cargo_may_be_unit(const struct cargo_question *question, const struct cargo_package *package,
                       const struct cargo_target *target)
{
    if (target->kind != CARGO_LIB && target->kind != CARGO_PROC_MACRO && target->kind != CARGO_BIN)
        return false;
    return !cargo_selection_names_targets(question->selection) ||
           cargo_fits_wishes(question, package, target);
}

bool cargo_fits_unit(const struct cargo_question *question, const struct cargo_package *package,
                     const struct cargo_target *target)
{
    const char *name = question->selection->unit;

    return cargo_may_be_unit(question, package, target) &&
           (name ? slice_is(target->name, name)
                 : cargo_target_is_enabled(package, target, question->selection));
}
