#include "graph/ways.h"

#include <stdlib.h>

#include "base/memory.h"

void ways_done(struct ways *ways)
{
    free(ways->before);
    vec_done(&ways->queue);
}

bool ways_is_meant(const struct ways *ways, uint32_t node)
{
    uint32_t group = ways->program->nodes.items[node].group;

    return group != INTERN_NONE && ways->is_meant && ways->is_meant[group];
}

static void begin_at(struct ways *ways, uint32_t node)
{
    if (ways->before[node] != NO_NODE)
        return;
    ways->before[node] = node;
    *vec_add(&ways->queue) = node;
}

/* Goes on from all that was begun at, nearest first. */
static void go(struct ways *ways)
{
    const struct program *program = ways->program;

    for (; ways->next < ways->queue.count; ways->next++) {
        uint32_t from = ways->queue.items[ways->next];

        for (size_t use = program->first_use[from]; use < program->first_use[from + 1]; use++) {
            uint32_t to = program->uses.items[use];

            if (ways->before[to] != NO_NODE)
                continue;
            ways->before[to] = from;
            *vec_add(&ways->queue) = to;
        }
    }
}

void ways_find(struct ways *ways)
{
    const struct program *program = ways->program;

    ways->before = memory_new(program->nodes.count + 1, sizeof(*ways->before));
    for (uint32_t node = 0; node < program->nodes.count; node++)
        ways->before[node] = NO_NODE;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t node = 0; node < program->nodes.count; node++) {
            const struct program_node *at = &program->nodes.items[node];

            if (at->group != INTERN_NONE && (pass == 0 ? at->is_own : at->is_home) &&
                !ways_is_meant(ways, node))
                begin_at(ways, node);
        }
        go(ways);
    }
}

uint32_t ways_start(const struct ways *ways, uint32_t node)
{
    while (ways->before[node] != NO_NODE && ways->before[node] != node)
        node = ways->before[node];
    return ways->before[node] == NO_NODE ? NO_NODE : node;
}
