/*
 * The functions of LLVM IR in text form and how many lines each has, counted as
 * cargo-llvm-lines counts them: inside the body of a `define`, lines that begin with two
 * spaces and no third. That is every instruction and the "]" that ends a switch; not labels,
 * comments, blank lines, #dbg_ records and lines that continue one (LLVM's AsmWriter).
 * A "\r" before the "\n" changes nothing.
 *
 * Memory stays the same however large the text and however long its lines are.
 */
#ifndef CARGO_LLVMLINES_IR_COUNT_H
#define CARGO_LLVMLINES_IR_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"

/* Takes one function. `symbol` is unquoted, may hold any byte, and is borrowed for the call. */
typedef void ir_function_fn(void *context, struct slice symbol, uint64_t lines);

/* A text that is being counted. Made by ir_counter_init, owned by the caller. */
struct ir_counter {
    const char *name; /* of the text, for messages; borrowed */
    ir_function_fn *each;
    void *context;
    struct text head;        /* the start of a line whose end has not come yet, bounded */
    bool is_ir;              /* a line that only IR has was seen */
    bool is_rustcs;          /* its first line says that rustc has made it */
    bool has_metadata;       /* the module's own metadata, which LLVM writes behind all functions, was seen */
    bool in_function;        /* between "define" and "}" */
    struct text symbol;      /* of that function */
    uint64_t function_line;  /* where it begins */
    uint64_t function_lines; /* counted in it so far */
    uint64_t line;           /* whole lines taken */
};

/* `name` and `context` are borrowed until ir_counter_done. */
void ir_counter_init(struct ir_counter *counter, const char *name, ir_function_fn *each, void *context);
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
MUST_CHECK int ir_count_descriptor(int descriptor, const char *name, ir_function_fn *each, void *context,
                                   struct error *err);

/* Counts a file. Failures as above; ERROR_IO when it cannot be opened or is a folder. */
MUST_CHECK int ir_count_file(const char *path, ir_function_fn *each, void *context, struct error *err);

#endif
