/*
 * Under which processes and ids the Firefox Profiler is to show the threads of a profile. Its front-end shows
 * one main thread of a pid and, beside it, those that are none: of two main threads with one pid one is
 * nowhere to be seen.
 */
#ifndef EMIT_FIREFOX_IDS_H
#define EMIT_FIREFOX_IDS_H

#include "profile/profile.h"

/* Of one thread. */
struct firefox_id {
    uint32_t pid_repeat; /* processes before its own that had the pid: an exec begins another one */
    uint32_t tid_repeat; /* threads before it that had the tid, as one that was renamed did */
    bool is_main;        /* of its process, which has one at most */
};

/* By thread of the profile; to be freed. */
struct firefox_id *firefox_ids_make(const struct profile *profile);

#endif
