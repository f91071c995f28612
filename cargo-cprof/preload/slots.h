/* Where threads count, in the recorder's file: what of it no record told the recorder reads at the end. */
#ifndef PRELOAD_SLOTS_H
#define PRELOAD_SLOTS_H

#include <stdint.h>

/*
 * One for this thread: that of a thread that is gone, with what that one counted, or a new one. Its number,
 * from 1 on; 0 when there is none. Only where records are wanted.
 */
uint32_t slots_take(void);

/* The thread is about to end, and counts on until it is gone. */
void slots_give(uint32_t number);

/* A process was forked off: those of its parent are not its own. */
void slots_begin_child(void);

#endif
