#include "advice/find.h"
#include "base/units.h"
#include "view/dups.h"

/* Of the groups that are compiled again: how often, and in how many units. */
struct spread {
    uint32_t units;
    uint32_t last_unit; /* from 1; 0: none yet */
    uint32_t node;      /* one of them */
};

static void find_spreads(const struct program *program, struct spread *spreads)
{
    for (uint32_t node = 0; node < program->nodes.count; node++) {
        const struct program_node *at = &program->nodes.items[node];
        struct spread *spread = NULL;

        if (at->group == INTERN_NONE)
            continue;
        spread = &spreads[at->group];
        spread->node = node;
        spread->units += spread->last_unit != at->unit + 1;
        spread->last_unit = at->unit + 1;
    }
}

static void tell_excess(struct advisor *advisor, const struct excess *excess, const struct spread *spread)
{
    enum { LEAST_COPIES = 2, LEAST_UNITS = 3 };
    const struct program *program = advisor->program;
    SCOPED(text_done) struct text evidence = {0};

    if (!program->nodes.items[spread->node].is_own || excess->owner == NO_OWNER ||
        !program->measurement->units.items[excess->owner].is_own || excess->copies < LEAST_COPIES ||
        spread->units < LEAST_UNITS)
        return;
    text_add_string(&evidence, "is compiled in ");
    units_add_count(&evidence, spread->units);
    text_add_string(&evidence, " targets, and ");
    units_add_count(&evidence, excess->copies);
    text_add_string(&evidence, " copies of ");
    units_add_count(&evidence, excess->lines);
    text_add_string(&evidence, " lines for types that another has it for already; ");
    text_add_string(&evidence, program->measurement->units.items[excess->owner].label);
    text_add_string(&evidence, " could have the only ones");
    advisor_add(advisor,
                (struct advice){
                    .kind = ADVICE_CRATES,
                    .subject = program->labels[excess->group],
                    .lines = excess->lines,
                    .copies = excess->copies,
                    .bound = excess->lines,
                },
                text_slice(&evidence));
}

void advice_find_crates(struct advisor *advisor)
{
    const struct program *program = advisor->program;
    SCOPED(excesses_done) struct excesses excesses = {0};
    struct spread *spreads =
        ARENA_ARRAY(&advisor->arena, program->measurement->groups.items.count, struct spread);

    find_spreads(program, spreads);
    excesses_find(program, &excesses);
    for (size_t i = 0; i < excesses.items.count; i++)
        tell_excess(advisor, &excesses.items.items[i], &spreads[excesses.items.items[i].group]);
}
