/* What functions and crates cost beside their code: data, unwinding, relocations, symbols. */
#ifndef CONTENT_DATA_COSTS_H
#define CONTENT_DATA_COSTS_H

#include "content/cost_items.h"
#include "size/source.h"

/*
 * The items of the measurement from `first` on are the functions of the source's map with their crates; each
 * gets its costs, and items are added, or those of files before have more, for what several functions of a
 * crate need, for padding, for code without a name and for the rest of the file, by section. All add up to
 * the file. The pieces of data are added too.
 *
 * Returns 0, or -1 with ERROR_IO when the file cannot be read and ERROR_MISSING when the disassembler is not
 * installed.
 */
MUST_CHECK int data_costs_apply(const struct measure_request *request, struct source *source, size_t first,
                                struct cost_items *items, struct error *err);

#endif
