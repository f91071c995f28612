/* Profiles with one stack among plain work, and what hints tell of them. */
#ifndef TEST_HINT_TELLER_H
#define TEST_HINT_TELLER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum { WHOLE = 10000 };

/* What is told of a profile of WHOLE samples, `count` of them with the stack. */
void tell(const char *path, uint64_t count, struct text *out);

bool has(const struct text *text, const char *part);

#endif
