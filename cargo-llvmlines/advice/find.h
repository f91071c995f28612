/* What the finders of advice share. Each adds what it finds, whatever its size. */
#ifndef ADVICE_FIND_H
#define ADVICE_FIND_H

#include "advice/advice.h"
#include "graph/ways.h"

/* Borrows from the program. */
struct advisor {
    const struct program *program;
    struct ways ways;      /* to all nodes from the user's own functions */
    struct slice *names;   /* by node: demangled, without hashes, in `arena`; empty for what is no function */
    struct intern futures; /* of the user's own async fns and blocks, as they stand in types */
    struct arena arena;
    struct advice_list *found;
};

/* A function of a program, on its way into an order that puts those together which belong together. */
struct advised_node {
    uint32_t key; /* what it is put together by */
    uint32_t node;
    struct slice name; /* of the node */
};

struct advised_nodes {
    VEC(struct advised_node) items;
};

void advised_nodes_done(struct advised_nodes *nodes);

/* By key, then by name, so that copies of one instance stand side by side; then by node. */
void advised_nodes_sort(struct advised_nodes *nodes);

/* Where those that have the key of the one at `first` end. */
size_t advised_nodes_end(const struct advised_nodes *nodes, size_t first);

/* Whether the function names a symbol of which `is_meant` is true. */
bool advised_names_any(const struct advisor *advisor, uint32_t node, bool (*is_meant)(struct slice symbol));

/* Lines of the function. */
uint64_t advised_lines(const struct advisor *advisor, uint32_t node);

/* The label of the user's own function where the way to the node begins; empty when none leads there. */
struct slice advised_origin(const struct advisor *advisor, uint32_t node);

/* Whether the path begins in a crate of the user's own: "app::T", "&mut app::T", "<app::T as b::U>::c". */
bool advised_is_own_path(const struct advisor *advisor, struct slice path);

/* Adds it, with a copy of `evidence` and of the other texts. */
void advisor_add(struct advisor *advisor, struct advice advice, struct slice evidence);

void advice_find_outlines(struct advisor *advisor);
void advice_find_closures(struct advisor *advisor);
void advice_find_iterators(struct advisor *advisor);
void advice_find_derives(struct advisor *advisor);
void advice_find_drop_glue(struct advisor *advisor);
void advice_find_crates(struct advisor *advisor);

#endif
