/* All units of a measurement as one graph: who uses whom, within a unit and from unit to unit. */
#ifndef GRAPH_PROGRAM_H
#define GRAPH_PROGRAM_H

#include "measure/measure.h"

#define NO_NODE UINT32_MAX

/* A function, a static or data of one unit. */
struct program_node {
    uint32_t unit;     /* index in the measurement's units */
    uint32_t index;    /* in the unit's nodes */
    uint32_t group;    /* of the measurement's groups; INTERN_NONE for what is no function */
    uint32_t instance; /* functions: the same for all copies of one instance; else INTERN_NONE */
    bool is_own;       /* its source is in a crate that is the user's own */
    bool is_home;      /* its source is in the crate that the unit is */
};

/* Zero-initialised is empty. Borrows from the measurement, which must keep its units. */
struct program {
    struct measurement *measurement;
    VEC(struct program_node) nodes; /* unit after unit, in the order of the IR */
    VEC(uint32_t) uses;             /* node ids, those of node i from first_use[i] to first_use[i + 1] */
    size_t *first_use;
    struct intern instances;    /* mangled names without the crate that asked for the instance */
    const struct slice *labels; /* of groups, in `arena` */
    struct arena arena;
};

void program_done(struct program *program);

/* Puts the units together. `out` is to be given to program_done. */
void program_build(struct measurement *measurement, struct program *out);

/*
 * The groups that `name` means: the one whose label it is, else all whose label is it or ends in "::" and it,
 * with or without " (impl#3)" at the end, so that "Vec::push" is enough. Drop glue
 * is meant by either of its names (drop_glue.h). Returns 0 with an array of one bool
 * a group in the program's arena, or -1 with ERROR_MISSING when there is none.
 */
MUST_CHECK int program_find_groups(struct program *program, const char *name, const bool **is_meant,
                                   struct error *err);

/* What was counted of the node. */
const struct counted_node *program_counted(const struct program *program, uint32_t node);
struct slice program_symbol(const struct program *program, uint32_t node);

/* The crate whose source the node is, whose symbol was parsed; no name where nothing tells. Borrowed. */
struct symbol_crate program_crate(const struct program *program, uint32_t node, struct symbol *symbol);

/* Lines as the measurement counts them: with or without the ends of switches. */
uint64_t program_lines(const struct program *program, uint32_t node);

#endif
