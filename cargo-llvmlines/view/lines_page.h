/* What was counted as boxes inside boxes: whose source it is, its modules, the generics of those. */
#ifndef VIEW_LINES_PAGE_H
#define VIEW_LINES_PAGE_H

#include "graph/program.h"
#include "report/outputs.h"
#include "view/tables.h"

/* What the forms are rendered from. All borrowed. */
struct lines_page {
    const struct program *program; /* of a measurement by generic */
    const struct tables *tables;   /* of the same, whose rows are what is shown */
    const char *filter;            /* as typed; NULL: all rows are there */
};

/* .html and .svg; their context is a struct lines_page. */
extern const struct outputs_form lines_page_forms[];

#endif
