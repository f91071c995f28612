/* Gives each measured function the crate that is asked for. */
#ifndef CONTENT_ATTRIBUTION_H
#define CONTENT_ATTRIBUTION_H

#include "content/measure.h"
#include "size/source.h"

/* Finds the crates of the source's codegen units, which the source is then to have for what follows. */
void attribution_find_units(const struct measure_request *request, struct source *source,
                            struct measurement *out, struct unit_crates *units);

/*
 * The items of `out` from `first` on are the functions of the source's map, as names_add left them, with the
 * crates that define them; with ATTRIBUTE_USED those are replaced, with ATTRIBUTE_LINE, which needs debug
 * information, the items too, by pieces of them.
 */
void attribution_apply(const struct measure_request *request, struct source *source, size_t first,
                       struct measurement *out);

/* What tables and JSON call it. */
enum crate_source attribution_source(enum used_source source);

/*
 * Labels crates that share a name, std's among them when it is split, and those that define functions where
 * the request asks for them, once everything is measured.
 */
void attribution_give_labels(const struct measure_request *request, struct measurement *out);

#endif
