/* What was counted as boxes inside boxes: whose source it is, its modules, the generics of those. */
#ifndef CARGO_LLVMLINES_LINES_PAGE_H
#define CARGO_LLVMLINES_LINES_PAGE_H

#include "program.h"
#include "report/outputs.h"

/* .html and .svg; their context is a struct program of a measurement by generic. */
extern const struct outputs_form lines_page_forms[];

#endif
