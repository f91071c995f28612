#include "record/taken_away.h"

#include <stdio.h>

#include "base/file.h"
#include "process/thread_stat.h"

static bool goes_on(uint32_t pid)
{
    enum { EXITING = 0x4 }; /* PF_EXITING, which is set before events end */
    struct thread_stat stat;

    return thread_stat_read(pid, pid, &stat) && stat.state != 'Z' && stat.state != 'X' &&
           !(stat.flags & EXITING);
}

void taken_away_note(struct profile *profile, const struct sampler_event *event)
{
    enum { MOST_BYTES = 64 };
    SCOPED(text_done) struct text name = {0};
    struct error unread = {0};
    char path[64];

    /* An exec leaves the first thread alone. */
    if (profile->unwatched != PROFILE_NO_STRING || event->pid != event->tid || !goes_on(event->pid))
        return;
    snprintf(path, sizeof(path), "/proc/%u/comm", event->pid);
    if (file_read(path, MOST_BYTES, &name, &unread) == 0)
        profile->unwatched = profile_string(
            profile, slice_range(text_slice(&name), 0, slice_find_byte(text_slice(&name), '\n')));
}
