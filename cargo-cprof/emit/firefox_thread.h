/* The tables of one thread of a profile for the Firefox Profiler: its stacks, frames, functions and strings.
 */
#ifndef EMIT_FIREFOX_THREAD_H
#define EMIT_FIREFOX_THREAD_H

#include "emit/function_files.h"
#include "profile/profile.h"
#include "json/json_out.h"

/* A stack of theirs: one call on top of another one. */
struct firefox_stack {
    uint32_t prefix; /* its caller's; PROFILE_NONE for none */
    uint32_t frame;  /* in `frames` */
};

/* A thread's tables refer to each other by place. To be set up with firefox_thread_init. */
struct firefox_thread {
    const struct profile *profile;      /* borrowed, */
    const struct function_files *files; /* so are these */
    uint32_t *stack_places; /* by stack of the profile: the place of its innermost call; PROFILE_NONE */
    VEC(struct firefox_stack) stacks;
    struct pair_index frames;    /* frame of the profile, and its location */
    struct pair_index functions; /* function, and file and module: (file << 32 | module) */
    struct pair_index resources; /* module */
    struct pair_index strings;   /* string of the profile */
};

/* For the stacks that `used`, by stack of the profile, tells; callers of used ones are used too. */
void firefox_thread_init(struct firefox_thread *thread, const struct profile *profile,
                         const struct function_files *files, const bool *used);
void firefox_thread_done(struct firefox_thread *thread);

/* Puts frameTable, funcTable, nativeSymbols, resourceTable, stackTable and stringArray into the open object.
 */
void firefox_thread_put_tables(const struct firefox_thread *thread, struct json_out *out);

#endif
