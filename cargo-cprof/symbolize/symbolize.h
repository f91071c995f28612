/*
 * Names for the places in a profile: for each location its function and the calls inlined into it, with
 * file, line, crate and whose code it is.
 */
#ifndef SYMBOLIZE_SYMBOLIZE_H
#define SYMBOLIZE_SYMBOLIZE_H

#include "profile/profile.h"

struct symbolize_request {
    const struct intern *own_crates;     /* crates of the user's workspace ("my_app"); NULL: not known */
    const struct intern *program_crates; /* all crates that were built; NULL: not known */
    const char *kernel_symbols;          /* usually "/proc/kallsyms" */
    bool may_ask_kernel;                 /* names are of the kernel that runs, so it may be asked for them */
    const char *why_no_kernel;           /* NULL: names are of that kernel; else why they are not known */
    bool has_no_inlined;                 /* each location gets one frame, of the function that it stands in */
    bool has_library_lines;              /* of the C library, too (symbolize/library_lines.h) */
    unsigned thread_count;               /* to read debug information with; 0: one a processor */
};

/*
 * Gives frames to every location that has none. Of debug information only what tells of these
 * places is kept. Never fails: code without a name gets a function that says why it has none.
 */
void symbolize_profile(struct profile *profile, const struct symbolize_request *request);

#endif
