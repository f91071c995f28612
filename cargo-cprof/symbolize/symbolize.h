/*
 * Names for the places in a profile: for each location its function and the calls inlined into it, with
 * file, line, crate and whose code it is.
 */
#ifndef SYMBOLIZE_SYMBOLIZE_H
#define SYMBOLIZE_SYMBOLIZE_H

#include "profile/profile.h"
#include "symbolize/jit/names.h"
#include "symbolize/package_files.h"

struct symbolize_request {
    const struct intern *own_crates;       /* crates of the user's workspace ("my_app"); NULL: not known */
    const struct intern *program_crates;   /* all crates that were built; NULL: not known */
    const struct package_folder *packages; /* that were built */
    size_t package_count;
    const char *kernel_symbols;        /* usually "/proc/kallsyms" */
    bool may_ask_kernel;               /* names are of the kernel that runs, so it may be asked for them */
    const char *why_no_kernel;         /* NULL: names are of that kernel; else why not */
    bool is_of_other_kernel;           /* than the one that runs, whose vdso is another one */
    bool has_no_inlined;               /* each location gets one frame, of the function that it stands in */
    bool has_library_lines;            /* of the C library, too (symbolize/library_lines.h) */
    const struct jit_names *jit_names; /* of code that processes made, by its time; NULL: none are known */
    uint64_t *untimed_count;           /* gets that of struct jit_doubts; NULL: nobody wants to know */
    unsigned thread_count;             /* to read debug information with; 0: one a processor */
};

/*
 * Gives frames to every location that has none. Of debug information only what tells of these
 * places is kept. Never fails: code without a name gets a function that says why it has none.
 */
void symbolize_profile(struct profile *profile, const struct symbolize_request *request);

/*
 * The same of what was just recorded, which processes may have told the names of by time (request.jit_names
 * is of no meaning). Returns 0, or -1 with the failures of jit_names_find; nothing is symbolized then.
 */
MUST_CHECK int symbolize_recorded(struct profile *profile, const struct jit_dumps *dumps,
                                  const struct symbolize_request *request, struct jit_doubts *doubts,
                                  struct error *err);

#endif
