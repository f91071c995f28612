/* How far in a call stands below its caller's, in trees of them as text. */
#ifndef REPORT_INDENT_H
#define REPORT_INDENT_H

#include "base/text.h"

struct indent {
    uint32_t step;   /* spaces for each level */
    uint32_t levels; /* what is deeper stands as far in as this level: lines would grow with the recursion */
};

#define INDENT_USUAL ((struct indent){2, 120})

/*
 * For trees whose lines do not fit: two columns a level if those of the deepest fit into `columns`, else one,
 * for as many levels as there are columns.
 */
struct indent indent_within(uint64_t deepest, size_t columns);

/* How many columns indent_add adds. */
size_t indent_columns(struct indent indent, uint64_t level);

/* Appends the spaces of the level, and "[LEVEL] " below the last that is indented. */
void indent_add(struct text *text, struct indent indent, uint64_t level);

#endif
