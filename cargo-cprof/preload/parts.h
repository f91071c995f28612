/* Parts of large tables, made as they are written to first. */
#ifndef PRELOAD_PARTS_H
#define PRELOAD_PARTS_H

#include <stddef.h>
#include <stdint.h>

/*
 * What `part` is set to, which was NULL: zeros of that size, of which as much memory is taken as is written
 * to, for good. Another thread's, where that was first. NULL where there is no memory.
 */
uint8_t *parts_make(uint8_t **part, size_t size);

#endif
