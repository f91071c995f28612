#include "counts/unit_counts.h"

void unit_counts_done(struct unit_counts *counts)
{
    vec_done(&counts->dependencies);
    vec_done(&counts->symbols);
    vec_done(&counts->nodes);
    vec_done(&counts->uses);
    arena_done(&counts->arena);
    *counts = (struct unit_counts){0};
}

uint64_t unit_counts_lines(const struct unit_counts *counts)
{
    uint64_t lines = 0;

    for (size_t i = 0; i < counts->nodes.count; i++)
        lines += counts->nodes.items[i].lines;
    return lines;
}
