/* Treemaps of what stands in crates and their modules: from places to boxes inside boxes. */
#ifndef PAGE_TREEMAP_PLACES_H
#define PAGE_TREEMAP_PLACES_H

#include "base/vec.h"
#include "page/treemap.h"

/* One thing to show. Strings are borrowed. */
struct treemap_place {
    struct slice crate;  /* the name of its box; crates of one name are one box, whose shade the name gives */
    struct slice module; /* the name of the box inside; empty for what stands in the crate itself */
    struct slice name;
    uint64_t weight;
    enum treemap_hue hue;
    bool is_bare; /* it has no box of its own: all of its crate's is it */
};

/* Zero-initialised is empty. */
struct treemap_places {
    VEC(struct treemap_place) items;
    VEC(struct treemap_node) nodes; /* of treemap_places_arrange */
};

void treemap_places_done(struct treemap_places *places);

/*
 * Makes the nodes: `whole`, whose weight is what all places add up to, the crates and modules in the order of
 * their names, in each the heaviest first. They borrow the strings. Boxes around others have the hue of the
 * first one.
 */
void treemap_places_arrange(struct treemap_places *places, struct treemap_node whole);

#endif
