#include "measure/parts.h"

void measure_begin(const struct llvmlines_settings *settings, struct measurement *out)
{
    out->groups.by = settings->by;
    out->groups.is_split = settings->is_split;
    out->groups.counts_instructions = settings->counts_instructions;
}

void measure_add_part(struct measurement *measurement, const char *label, uint64_t lines_before,
                      uint64_t copies_before)
{
    *vec_add(&measurement->parts) = (struct part){label, measurement->groups.lines - lines_before,
                                                  measurement->groups.copies - copies_before};
}

void measure_add_unit(const struct llvmlines_settings *settings, struct measured_unit *unit,
                      struct measurement *out)
{
    uint64_t lines = out->groups.lines;
    uint64_t copies = out->groups.copies;

    out->groups.knows_inlining = true;
    for (size_t i = 0; i < unit->counts.nodes.count; i++) {
        const struct counted_node *node = &unit->counts.nodes.items[i];

        if (node->kind == COUNTED_FUNCTION)
            groups_add(&out->groups, &(struct ir_function){.symbol = unit->counts.symbols.items[node->symbol],
                                                           .lines = node->lines,
                                                           .switches = node->switches,
                                                           .inlining = node->inlining});
    }
    groups_end_unit(&out->groups,
                    unit->counts.crate_name.length > 0 ? unit->crate : (struct symbol_crate){0});
    measure_add_part(out, unit->label, lines, copies);
    if (!settings->needs_units)
        return;
    *vec_add(&out->units) = *unit;
    unit->counts = (struct unit_counts){0};
}
