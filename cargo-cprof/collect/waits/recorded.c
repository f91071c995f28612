#include "collect/waits/recorded.h"

#include "base/clock.h"
#include "collect/sampled_stack.h"

/* An idle processor is no thread, and threads outside of our PID namespace all have one number. */
static bool is_thread(const struct sampler_event *event)
{
    return event->tid != 0 && event->tid != PROCESSES_NO_TID;
}

void recorded_waits_begin(struct recorder *recorder, const struct sampler_event *event)
{
    struct held_sample held = {0};
    uint64_t read_ns = 0;

    if (!is_thread(event))
        return;
    held = recorder_begin_sample(recorder, event);
    sampled_stack_find(recorder, event, &held);
    if (held.is_candidate && held.candidate.is_of_round)
        read_ns = clock_now_ns();
    waits_sample(&recorder->waits, event->tid, event->time_ns, read_ns, &held);
}

static struct waits_window window_of(const struct recorder *recorder)
{
    return (struct waits_window){recorder->from_ns, recorder->until_ns};
}

static void leave(struct recorder *recorder, const struct sampler_event *event)
{
    if (!waits_has_sample(&recorder->waits, event->tid)) {
        struct held_sample held = recorder_begin_sample(recorder, event);

        held.end = STACK_LOST;
        waits_sample(&recorder->waits, event->tid, event->time_ns, 0, &held);
    }
    waits_leave(&recorder->waits, event->tid, event->time_ns, event->switched.is_ready);
}

void recorded_waits_switch(struct recorder *recorder, const struct sampler_event *event)
{
    struct held_sample held = {0};

    if (!is_thread(event) || recorder->waits_kind == UINT32_MAX)
        return;
    if (event->switched.is_out)
        leave(recorder, event);
    else if (waits_return(&recorder->waits, event->tid, event->time_ns, window_of(recorder), &held))
        recorder_add_sample(recorder, recorder->waits_kind, &held);
}

/* A number is another thread's after a fork, and when a program is started by another than the first thread.
 */
void recorded_waits_note_thread(struct recorder *recorder, const struct sampler_event *event)
{
    if (recorder->waits_kind == UINT32_MAX)
        return;
    if (event->kind == SAMPLER_FORK || (event->kind == SAMPLER_NAME && event->name.is_exec))
        waits_begin(&recorder->waits, event->tid);
    else if (event->kind == SAMPLER_EXIT)
        waits_end(&recorder->waits, event->tid);
    else if (event->kind == SAMPLER_LOST_SWITCHES)
        waits_forget(&recorder->waits, event->lost_count);
}

void recorded_waits_add_known(struct recorder *recorder)
{
    uint64_t now_ns = clock_now_ns();

    for (size_t i = 0; recorder->waits_kind != UINT32_MAX && i < recorder->processes.threads.count; i++) {
        struct sampler_event event = {.pid = recorder->processes.threads.items[i].pid,
                                      .tid = recorder->processes.threads.items[i].tid,
                                      .time_ns = now_ns};
        struct held_sample held = {0};
        uint32_t stack = PROFILE_NONE;

        if (!is_thread(&event) || waits_knows(&recorder->waits, event.tid) ||
            !earlier_waits_find(&recorder->earlier_waits, recorder->profile, event.pid, event.tid, &stack))
            continue;
        held = recorder_begin_sample(recorder, &event);
        held.sample.stack = stack;
        held.end = STACK_END_COUNT;
        waits_sample(&recorder->waits, event.tid, now_ns, 0, &held);
        waits_leave(&recorder->waits, event.tid, now_ns, false);
    }
}

void recorded_waits_end(struct recorder *recorder)
{
    struct held_sample held = {0};
    uint64_t end_ns = recorder->until_ns < UINT64_MAX ? recorder->until_ns : recorder->last_event_ns;

    if (recorder->waits_kind == UINT32_MAX)
        return;
    while (waits_take(&recorder->waits, end_ns, window_of(recorder), &held))
        recorder_add_sample(recorder, recorder->waits_kind, &held);
    recorder->profile->series.items[recorder->first_series + recorder->waits_kind].lost_count +=
        recorder->waits.missed_count;
    recorder->profile->ready_ns += recorder->waits.ready_ns;
    waits_done(&recorder->waits);
    recorder->waits = (struct waits){0};
}
