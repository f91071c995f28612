/*
 * What was asked for of an allocator that tells nothing of what it gave, by pointer: a byte for each 8 bytes
 * of memory, behind which the number is where the byte is too small.
 */
#ifndef PRELOAD_LINKED_ASKED_H
#define PRELOAD_LINKED_ASKED_H

#include <stdint.h>

/* Of memory that has as many bytes, and at least 8. */
void asked_note(uintptr_t pointer, uint64_t size);

/* What was noted, 0 where nothing was; nothing is from then on. */
uint64_t asked_take(uintptr_t pointer);

#endif
