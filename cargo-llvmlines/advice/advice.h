/*
 * What the largest groups tell to do: where copies of functions come from that could be fewer, with the
 * evidence. docs/llvmlines.md has the thresholds and what following it saved.
 */
#ifndef ADVICE_ADVICE_H
#define ADVICE_ADVICE_H

#include "graph/program.h"
#include "report/rows.h"

enum advice_kind {
    ADVICE_OUTLINE,     /* a body that does the same for every type */
    ADVICE_CLOSURES,    /* a generic of the user's own that is compiled for each closure */
    ADVICE_BOXING,      /* the same for a generic of others */
    ADVICE_ITERATORS,   /* chains of iterators */
    ADVICE_DEBUG,       /* derived Debug */
    ADVICE_DISPLAY,     /* Display */
    ADVICE_DESERIALIZE, /* derived Deserialize */
    ADVICE_DROP_GLUE,   /* of enums with many variants */
    ADVICE_CRATES,      /* one generic of the user's own compiled alike in several crates */
    ADVICE_KIND_COUNT,
};

/* Less is not worth a word, whatever its share is; and how much is told at once. */
enum { ADVICE_LEAST_LINES = 300, ADVICE_MOST = 5 };

/* One piece of advice; the strings are in the arena of the list, or constants. */
struct advice {
    enum advice_kind kind;
    struct slice subject;  /* the function or the types it is about */
    struct slice evidence; /* a sentence without a subject: "is compiled for 12 types: …" */
    struct slice from; /* the function of the user's own that causes the most of it; empty: none is known */
    uint64_t lines;    /* of what it is about */
    uint64_t copies;
    uint64_t bound; /* lines that following it saves at most */
};

/* Zero-initialised is empty. */
struct advice_list {
    struct arena arena;
    VEC(struct advice) items;
};

void advice_done(struct advice_list *list);

/*
 * Finds what is over its threshold, that with the largest bound first, ADVICE_MOST at most. Names are of v0
 * symbols: of legacy ones hardly anything is found. `out` borrows nothing from the program.
 */
void advice_find(const struct program *program, struct advice_list *out);

/*
 * Adds a note of two lines to `rows` for each, and `list`, filled with a row for each, to what stands beside
 * them in JSON:
 *
 *     advice (closures): app::retry is compiled for each of 14 closures it is given: …
 *       take the closure as &mut dyn FnMut(..) …
 */
void advice_tell(const struct advice_list *found, uint64_t all_lines, struct rows *rows, struct rows *list);

#endif
