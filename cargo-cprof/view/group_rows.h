/* A profile's samples grouped by what they have in common, as a table: by function, crate, thread, ... */
#ifndef VIEW_GROUP_ROWS_H
#define VIEW_GROUP_ROWS_H

#include "base/regex.h"
#include "profile/totals.h"
#include "report/rows.h"

enum group_key {
    GROUP_FUNCTION,
    GROUP_MODULE, /* Rust's: "app::parse"; of what is not Rust its GROUP_DSO */
    GROUP_CRATE,
    GROUP_DSO,  /* the program or library that the code is in, without folders */
    GROUP_FILE, /* the source file */
    GROUP_LINE, /* "file:line" */
    GROUP_THREAD,
    GROUP_PROCESS,
    GROUP_TASK, /* the outermost future */
    GROUP_KEY_COUNT,
};

enum { GROUP_KEYS_MOST = 4 };

struct grouping {
    enum group_key keys[GROUP_KEYS_MOST]; /* at least one; each at most once */
    size_t key_count;
    bool by_total;              /* in the order of totals; else by self */
    bool without_total;         /* tell only what is self */
    const struct regex *filter; /* rows one of whose texts matches; NULL: all */
    struct slice crate;         /* rows of functions in this crate; empty: all */
};

/*
 * Reads "thread,function" with the names below; perf's comm, symbol, srcfile and srcline are understood,
 * its overhead is none. Returns 0, or -1 with ERROR_USAGE naming the word that is none.
 */
MUST_CHECK int grouping_read_keys(struct slice words, struct grouping *out, struct error *err);

/* "function", "module", "crate", "dso", "file", "line", "thread", "process", "task". */
const char *group_key_name(enum group_key key);

/*
 * Fills the empty `out`: self are the samples taken in such code itself, total those with it anywhere in the
 * stack, each once. The profile and `out` live on: rows borrow the profile's strings. Returns 0,
 * or -1 with ERROR_FORMAT when the filter backtracks without end, ERROR_MISSING when tasks are asked for and
 * the profile does not tell them.
 */
MUST_CHECK int group_rows_fill(struct profile *profile, uint32_t series, const struct grouping *grouping,
                               struct rows *out, struct error *err);

#endif
