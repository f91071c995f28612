/*
 * How to leave functions that a process made at run time, worked out from the code as it stands in the
 * process (code/return_path.h): compilers at run time mostly write no unwind information, and many no frame
 * pointers (Java without -XX:+PreserveFramePointer, the trampolines of python -X perf).
 */
#ifndef PROCESS_MACHINE_CODE_MADE_H
#define PROCESS_MACHINE_CODE_MADE_H

#include "code/return_path.h"
#include "dwarf/cfi.h"
#include "process/processes.h"

enum {
    MADE_CODE_RULE_BITS = 12,
    MADE_CODE_PAGE_BITS = 8,
    MADE_CODE_PAGE_BYTES = 4096,
    MADE_CODE_MARK_BYTES = 16
};

/* Zero-initialised is ready; to be released with made_code_done. */
struct made_code {
    struct x86_64_reader reader;
    bool is_open;   /* the reader */
    bool is_absent; /* there is none */
    struct made_rule {
        uint64_t avma;
        uint32_t pid;                    /* 0: nothing is kept here */
        char mark[MADE_CODE_MARK_BYTES]; /* what the code was from there on, in its page */
        struct cfi_row row;
    } * rules; /* owned; each where its hash says; NULL: none yet */
    struct made_page {
        uint64_t avma;
        uint32_t pid; /* likewise */
        char bytes[MADE_CODE_PAGE_BYTES];
    } * pages; /* owned; likewise: as they were read last, for when the process has ended */
};

void made_code_done(struct made_code *made);

/*
 * The rule at an address of the process's mapping, which holds code of no file; NULL where it is not known,
 * as on other machines than x86-64, or where the memory may not be read, or is gone and was not read before.
 * `avma` is an instruction, or less by one than a return address. It is what the code looks like by now:
 * where it leads is to be checked. Valid until the next call.
 */
const struct cfi_row *made_code_rule(struct made_code *made, const struct process_space *process,
                                     const struct mapping *mapping, uint64_t avma);

#endif
