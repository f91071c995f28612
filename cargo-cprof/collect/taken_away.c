#include "collect/taken_away.h"

#include "process/thread_stat.h"

static bool goes_on(uint32_t pid)
{
    enum { EXITING = 0x4 }; /* PF_EXITING, which is set before events end */
    struct thread_stat stat;

    return thread_stat_read(pid, pid, &stat) && stat.state != 'Z' && stat.state != 'X' &&
           !(stat.flags & EXITING);
}

/* The kernel tells of each program's mappings, but of one that it takes away only that it was begun. */
static bool was_begun_unseen(struct processes *processes, uint32_t pid)
{
    return processes_has_thread(processes, pid) && processes_thread(processes, pid, pid)->name_count == 1 &&
           address_space_count(&processes_space(processes, pid)->space) == 0;
}

void taken_away_note(struct profile *profile, struct processes *processes, const struct sampler_event *event)
{
    /* An exec leaves the first thread alone. */
    if (profile->unwatched != PROFILE_NO_STRING || event->pid != event->tid ||
        processes_is_outside(processes, event->pid))
        return;
    /* It may have ended by now: events are read a little later. */
    if (goes_on(event->pid) || was_begun_unseen(processes, event->pid))
        profile->unwatched = profile_string(profile, processes_process_name(processes, event->pid));
}
