/* What makes two sides differ beside their code, and what the comparison says of it. */
#ifndef COMPARE_COMPARE_DOUBTS_H
#define COMPARE_COMPARE_DOUBTS_H

#include "compare/compare.h"
#include "compare/side.h"

/* Adds a warning for each. `rows` are those of the head and of the base, both measured or read. */
void compare_doubts_add(const struct compare_request *request, const struct sides *sides,
                        struct rows *const rows[COMPARE_PLACES], struct warnings *warnings);

#endif
