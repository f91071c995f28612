/* What a piece of data is called: by its symbol, by the type a vtable is for, or as the text that it holds.
 */
#ifndef CONTENT_DATA_NAMES_H
#define CONTENT_DATA_NAMES_H

#include "content/measure.h"
#include "rust/symbol.h"
#include "size/source.h"

/* Zero-initialised is empty. */
struct data_names {
    struct source *source;
    const struct data_map *data;
    VEC(struct pointer) pointers; /* by place */
    struct symbol symbol;         /* scratch */
    struct text text;             /* scratch */
};

/* All borrowed until data_names_done. */
void data_names_init(struct data_names *names, struct source *source, const struct data_map *data,
                     const struct references *references);

void data_names_done(struct data_names *names);

/*
 * The name, in `arena` or that of `symbol` (NULL: the piece has none); empty when nothing tells. A vtable is
 * known by its form (destructor or 0, size, alignment, methods: rustc's layout) and named after the type
 * that the destructor or the first method is of. Text, also a format
 * string's, is in quotes, cut to what tells it from others.
 */
struct slice data_names_find(struct data_names *names, const struct data_piece *piece,
                             const struct measured *symbol, struct arena *arena);

#endif
