/* Items of a measurement that are no function's: what a crate needs as a whole, and what is no crate's. */
#ifndef CONTENT_COST_ITEMS_H
#define CONTENT_COST_ITEMS_H

#include "base/intern.h"
#include "content/measure.h"

/*
 * The items that were added to one measurement, over all its files. A group is a row of the table of crates.
 * Zero-initialised, with the measurement, is empty.
 */
struct cost_items {
    struct measurement *out;
    bool split_std;
    struct intern groups;          /* by crate, or by what the row is called */
    VEC(struct measured) examples; /* by group: something of it */
    VEC(size_t) of_crate;          /* by group: its item, or SIZE_MAX */
    struct intern rest;            /* names of items that are no crate's */
    VEC(size_t) rest_item;         /* by that */
};

void cost_items_done(struct cost_items *items);

/* The group of a function, of data with a symbol, or of a crate. */
uint32_t cost_items_group(struct cost_items *items, const struct measured *measured);

/* The group of a crate of the measurement, whether or not it has a function. */
uint32_t cost_items_group_of_crate(struct cost_items *items, uint32_t crate);

/* The index of the item that stands for the group as a whole, new or known. */
size_t cost_items_of_group(struct cost_items *items, uint32_t group);

/* The index of the item of that name which is no crate's, new or known. */
size_t cost_items_rest(struct cost_items *items, struct slice name, enum measured_kind kind);

#endif
