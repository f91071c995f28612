/*
 * Growing arrays that own their memory, of any item type:
 *
 *     VEC(struct symbol) symbols = {0};
 *     *vec_add(&symbols) = symbol;
 *     vec_done(&symbols);
 *
 * Items move when the array grows, so no pointer to one is kept across vec_add. Nor is an item named by a
 * call that adds it: of symbols.items[add(&symbols)] compilers read `items` first.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>

#define VEC(type)                                                                                            \
    struct {                                                                                                 \
        type *items;                                                                                         \
        size_t count;                                                                                        \
        size_t capacity;                                                                                     \
    }

/* The address of a new last item, whose bytes are not set. */
#define vec_add(vec)                                                                                         \
    ((vec)->items = vec_room((vec)->items, (vec)->count, &(vec)->capacity, sizeof(*(vec)->items)),           \
     &(vec)->items[(vec)->count++])

#define vec_done(vec) (free((vec)->items), (vec)->items = NULL, (vec)->count = 0, (vec)->capacity = 0)

/* Gives back the memory past the last item. */
#define vec_trim(vec)                                                                                        \
    ((vec)->capacity > (vec)->count                                                                          \
         ? ((vec)->items = vec_fit((vec)->items, (vec)->count, &(vec)->capacity, sizeof(*(vec)->items)),     \
            (void)0)                                                                                         \
         : (void)0)

#define vec_sort(vec, compare)                                                                               \
    ((vec)->count > 1 ? qsort((vec)->items, (vec)->count, sizeof(*(vec)->items), compare) : (void)0)

/* The work behind vec_add: `items`, moved if needed, with room for one past `count`. */
void *vec_room(void *items, size_t count, size_t *capacity, size_t item_bytes);

/* The work behind vec_trim. */
void *vec_fit(void *items, size_t count, size_t *capacity, size_t item_bytes);

#endif
