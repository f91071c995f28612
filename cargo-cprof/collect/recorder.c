#include "collect/recorder.h"

struct held_sample recorder_begin_sample(struct recorder *recorder, const struct sampler_event *event)
{
    return (struct held_sample){
        .sample = {.time_ns = event->time_ns,
                   .thread =
                       recorded_thread(&recorder->threads, recorder->profile, &recorder->processes, event),
                   .stack = PROFILE_NONE},
        .end = STACK_NO_USER,
    };
}

void recorder_add_sample(struct recorder *recorder, uint32_t kind, struct held_sample *held)
{
    held->series = recorder->first_series + kind;
    /* What was still being written when the rings were looked at comes a little late. */
    if (held->sample.time_ns < recorder->last_time_ns)
        held->sample.time_ns = recorder->last_time_ns;
    recorder->last_time_ns = held->sample.time_ns;
    held_samples_add(&recorder->held, recorder->profile, &recorder->outer, held);
}
