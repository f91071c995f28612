#include "record/taken_away.h"

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
    SCOPED(text_done) struct text name = {0};

    /* An exec leaves the first thread alone. */
    if (profile->unwatched != PROFILE_NO_STRING || event->pid != event->tid || !goes_on(event->pid))
        return;
    if (thread_name_read(event->pid, event->tid, &name))
        profile->unwatched = profile_string(profile, text_slice(&name));
}
