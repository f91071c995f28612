/* What samples are grouped by: which words stand for it, and what else a table by it is to show. */
#ifndef VIEW_GROUP_KEYS_H
#define VIEW_GROUP_KEYS_H

#include "base/regex.h"

enum group_key {
    GROUP_FUNCTION,
    GROUP_MODULE, /* Rust's: "app::parse"; of what is not Rust its GROUP_DSO */
    GROUP_CRATE,
    GROUP_DSO,  /* the program or library that the code is in, without folders */
    GROUP_FILE, /* the source file */
    GROUP_LINE, /* "file:line" */
    /* Of the sample, whatever its stack: */
    GROUP_THREAD,  /* all of one name */
    GROUP_PROCESS, /* likewise */
    GROUP_TID,     /* each with its number: "worker (4242)" */
    GROUP_PID,
    GROUP_TASK,    /* the outermost future */
    GROUP_FUTURE,  /* the innermost of the user's own crates, else the task */
    GROUP_SYSCALL, /* what the kernel was asked for */
    GROUP_KEY_COUNT,
};

enum { GROUP_KEYS_MOST = 4 };

struct grouping {
    enum group_key keys[GROUP_KEYS_MOST]; /* at least one; each at most once */
    size_t key_count;
    bool by_total;              /* in the order of totals; else by self */
    bool without_total;         /* tell only what is self */
    double least_share;         /* of the whole: rows with less of what they are ordered by are left out */
    const struct regex *filter; /* rows one of whose texts matches; NULL: all */
    struct slice crate;         /* rows of functions in this crate; empty: all */
};

/*
 * Reads "thread,function" with the names below; perf's comm, symbol, srcfile and srcline are understood; its
 * overhead, and self and total, are no groups, and alone ask for functions; total also sets the order.
 * Returns 0, or -1 with ERROR_USAGE naming the word that is none.
 */
MUST_CHECK int grouping_read_keys(struct slice words, struct grouping *out, struct error *err);

/* As the words of --by have it: "function". */
const char *group_key_name(enum group_key key);

/* What its column is called, "Function", and what one of its rows is, "function". */
const char *group_key_title(enum group_key key);
const char *group_key_noun(enum group_key key);

/* Whether whole samples have it, as their thread, and not each call of their stacks. */
bool group_key_is_of_sample(enum group_key key);

bool grouping_has_key(const struct grouping *grouping, enum group_key key);

#endif
