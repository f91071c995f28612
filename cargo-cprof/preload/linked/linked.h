/*
 * Allocators that are linked into the program, whose functions no other library can have come before: each is
 * entered through one here, which calls it and has sampling.c note what it gave or took back.
 */
#ifndef PRELOAD_LINKED_LINKED_H
#define PRELOAD_LINKED_LINKED_H

enum linked_end {
    LINKED_NO_ALLOCATOR, /* none that is known */
    LINKED_FOLLOWED,
    LINKED_UNFOLLOWED, /* not one of its functions is */
};

/* As a program begins, before it has a second thread. Only where records are wanted. */
enum linked_end linked_begin(void);

#endif
