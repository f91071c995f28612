/*
 * The functions of LLVM IR in text form and how many lines each has, counted as
 * cargo-llvm-lines counts them: inside the body of a `define`, lines that begin with two
 * spaces and no third. That is every instruction and the "]" that ends a switch; not labels,
 * comments, blank lines, #dbg_ records and lines that continue one (LLVM's AsmWriter).
 * A "\r" before the "\n" changes nothing.
 *
 * Memory stays the same however large the text and however long its lines are.
 */
#ifndef IR_COUNT_H
#define IR_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"
#include "ir/names.h"

struct ir_sources; /* of sources.h */

/* One function that the IR defines. */
struct ir_function {
    struct slice symbol; /* unquoted, may hold any byte; borrowed for the call */
    uint64_t lines;
    uint64_t switches;   /* how many of the lines are the "]" of a switch: the others are instructions */
    uint32_t attributes; /* the number of its group, IR_NO_ATTRIBUTES when it has none or nobody asks */
    enum ir_inlining inlining; /* where the group was read already, in counts; else IR_INLINE_AS_LIKED */
};

/*
 * Who is told what is read, in the order of the text; names are borrowed for the call. All but `function` may
 * be NULL; `global` needs the two around it.
 */
struct ir_visitor {
    void *context;
    /* At the end of its body. */
    void (*function)(void *context, const struct ir_function *function);
    /* A function or global that is named in the body or initialiser that ends next. */
    void (*reference)(void *context, struct slice symbol);
    /* At the end of its initialiser. */
    void (*global)(void *context, struct slice symbol);
    /* What another module has: a function, a global. */
    void (*declaration)(void *context, struct slice symbol);
    void (*attributes)(void *context, uint32_t number, enum ir_inlining inlining);
    /*
     * Before all others: which crate rustc has made the module of, and its disambiguator as v0 names have it;
     * 0 in incremental builds, whose modules are called by another hash.
     */
    void (*crate)(void *context, struct slice name, uint64_t disambiguator);
    struct ir_sources *sources; /* to which what the module tells of itself is added */
};

/* A text that is being counted. Made by ir_counter_init, owned by the caller. */
struct ir_counter {
    const char *name; /* of the text, for messages; borrowed */
    struct ir_visitor visitor;
    struct text head;   /* the start of a line whose end has not come yet, bounded */
    bool is_ir;         /* a line that only IR has was seen */
    bool is_rustcs;     /* its first line says that rustc has made it */
    bool has_metadata;  /* the module's own metadata, which LLVM writes behind all functions, was seen */
    bool in_function;   /* between "define" and "}" */
    struct text symbol; /* of that function */
    struct ir_function function; /* what was counted of it so far */
    uint64_t function_line;      /* where it begins */
    struct text scratch;         /* a name that had to be unquoted */
    uint64_t line;               /* whole lines taken */
};

/* `name` and the visitor's context are borrowed until ir_counter_done. */
void ir_counter_init(struct ir_counter *counter, const char *name, const struct ir_visitor *visitor);
void ir_counter_done(struct ir_counter *counter);

/*
 * Takes the next bytes, which may end anywhere. Functions are handed on at their "}". Returns 0, or -1
 * with ERROR_FORMAT that begins with NAME:LINE: a NUL byte, a line that IR does not have at this
 * place, a function that begins inside another, or one whose name does not stand in the first
 * megabyte of its line. The counter is of no more use then.
 */
MUST_CHECK int ir_counter_feed(struct ir_counter *counter, struct slice bytes, struct error *err);

/*
 * The text is over. Returns 0, or -1 with ERROR_FORMAT: it ends inside a function, is rustc's and
 * ends before the module's metadata, or holds nothing that only IR has, as an empty one does.
 */
MUST_CHECK int ir_counter_finish(struct ir_counter *counter, struct error *err);

/*
 * Counts all that `descriptor` gives. Failures as above, and ERROR_IO naming `name`. Functions handed
 * on before a failure are part of a whole that is not known.
 */
MUST_CHECK int ir_count_descriptor(int descriptor, const char *name, const struct ir_visitor *visitor,
                                   struct error *err);

/*
 * Reads the start of a regular file, as far as it takes to know it for IR. Returns 0, or -1 as
 * ir_count_file; what does not stand there may still fail that.
 */
MUST_CHECK int ir_count_check(const char *path, struct error *err);

/* Counts a file. Failures as above; ERROR_IO when it cannot be opened or is a folder. */
MUST_CHECK int ir_count_file(const char *path, const struct ir_visitor *visitor, struct error *err);

#endif
