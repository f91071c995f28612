/* Memory that a program has from elsewhere than malloc: nothing is told of it, and that is to be known. */
#ifndef PRELOAD_ELSEWHERE_H
#define PRELOAD_ELSEWHERE_H

#include <stdint.h>

/* As a program begins: whether its own malloc comes before ours, `ours`. Only where records are wanted. */
void elsewhere_begin(uintptr_t ours);

/* As it ends, having had `most_bytes` of malloc at its peak. */
void elsewhere_end(int64_t most_bytes);

/* The function that programs get by that name, unless they have their own. */
uintptr_t heap_own_malloc(void);

#endif
