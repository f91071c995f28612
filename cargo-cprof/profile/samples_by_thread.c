#include "profile/samples_by_thread.h"

#include <stdlib.h>

#include "base/memory.h"

int samples_by_thread_make(const struct profile *profile, uint32_t series, struct samples_by_thread *out,
                           struct error *err)
{
    struct sample_cursor cursor = sample_cursor_of(&profile->series.items[series].samples);
    struct profile_sample sample;
    bool is_damaged = false;

    *out = (struct samples_by_thread){
        .threads = memory_new(profile->threads.count + 1, sizeof(struct thread_samples)),
        .thread_count = profile->threads.count,
    };
    for (bool is_first = true; sample_cursor_next(&cursor, &sample); is_first = false) {
        if (is_first)
            out->start_ns = sample.time_ns;
        *vec_add(&out->threads[sample.thread].items) = sample;
    }
    is_damaged = cursor.is_damaged;
    sample_cursor_done(&cursor);
    if (!is_damaged)
        return 0;
    samples_by_thread_done(out);
    return error_set(err, ERROR_FORMAT, "damaged: its samples");
}

void samples_by_thread_done(struct samples_by_thread *samples)
{
    for (size_t i = 0; i < samples->thread_count; i++)
        vec_done(&samples->threads[i].items);
    free(samples->threads);
    *samples = (struct samples_by_thread){0};
}
