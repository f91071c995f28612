/* Memory near the program's code, for what leads from there to this library and back. */
#ifndef PRELOAD_LINKED_WAYS_H
#define PRELOAD_LINKED_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WAYS_BYTES = 4096 };

/*
 * Within `reach` bytes below `code`, to be written to; NULL: there is none. It is mapped from this library's
 * file, as a copy of a function in it, so that what is sampled there has a name, and its callers.
 */
uint8_t *ways_map(uintptr_t code, size_t reach);

/* Has it run, and not be written to any more. */
bool ways_finish(uint8_t *ways);

/* What is written there is what runs (what processors keep of code is given up). */
void ways_see_code(const uint8_t *code, size_t size);

void ways_unmap(uint8_t *ways);

#endif
