#include "sampler/perf/call_chain.h"

#include <linux/perf_event.h>
#include <string.h>

static uint64_t number_of(struct slice numbers, size_t index)
{
    uint64_t number = 0;

    memcpy(&number, numbers.data + index * sizeof(number), sizeof(number));
    return number;
}

/* The numbers behind a mark; marks above PERF_CONTEXT_MAX stand before the calls that they are about. */
static struct slice calls_behind(struct slice all, uint64_t mark)
{
    size_t count = all.length / sizeof(uint64_t);
    size_t start = 0;
    size_t end = 0;

    while (start < count && number_of(all, start) != mark)
        start++;
    if (start == count)
        return (struct slice){0};
    start++;
    for (end = start; end < count && number_of(all, end) < (uint64_t)PERF_CONTEXT_MAX;)
        end++;
    return slice_range(all, start * sizeof(uint64_t), end * sizeof(uint64_t));
}

/* How many numbers, then these. */
static struct slice read_numbers(struct bytes *bytes)
{
    uint64_t count = bytes_u64(bytes);

    if (count > bytes_left(bytes) / sizeof(uint64_t)) {
        bytes->failed = true;
        return (struct slice){0};
    }
    return bytes_take(bytes, count * sizeof(uint64_t));
}

void call_chain_read(struct bytes *bytes, struct sample_raw *sample)
{
    const uint64_t mark_of_later = (uint64_t)-640; /* PERF_CONTEXT_USER_DEFERRED */
    struct slice all = read_numbers(bytes);
    struct slice later = calls_behind(all, mark_of_later);

    sample->kernel_calls = calls_behind(all, (uint64_t)PERF_CONTEXT_KERNEL);
    sample->user_calls = calls_behind(all, (uint64_t)PERF_CONTEXT_USER);
    sample->later_calls = later.length > 0 ? number_of(later, 0) : 0;
}

void call_chain_read_later(struct bytes *bytes, struct sample_calls *calls)
{
    struct slice all = {0};

    calls->number = bytes_u64(bytes);
    all = read_numbers(bytes);
    /* Kernels put the mark there or do not. */
    calls->user_calls = all.length > 0 && number_of(all, 0) == (uint64_t)PERF_CONTEXT_USER
                            ? calls_behind(all, (uint64_t)PERF_CONTEXT_USER)
                            : all;
}

size_t sample_kernel_call_count(const struct sample_raw *sample)
{
    return sample->kernel_calls.length / sizeof(uint64_t);
}

uint64_t sample_kernel_call(const struct sample_raw *sample, size_t index)
{
    return number_of(sample->kernel_calls, index) - (index > 0);
}

size_t sample_user_call_count(const struct sample_raw *sample)
{
    return sample->user_calls.length / sizeof(uint64_t);
}

uint64_t sample_user_call(const struct sample_raw *sample, size_t index)
{
    return number_of(sample->user_calls, index) - (index > 0);
}
