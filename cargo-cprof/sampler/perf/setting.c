#include "sampler/perf/setting.h"

#include <linux/perf_event.h>

#include "base/file.h"
#include "base/scan.h"
#include "sampler/sampler.h"

_Static_assert(PERF_MAX_STACK_DEPTH == 127, "facts/quality.c says so");

struct slice setting_read(const char *name, struct text *content)
{
    enum { MOST_BYTES = 4096 };
    SCOPED(text_done) struct text path = {0};
    struct error unread = {0};

    text_format(&path, "/proc/sys/kernel/%s", name);
    if (file_read(text_string(&path), MOST_BYTES, content, &unread) < 0)
        return (struct slice){0};
    return slice_trim(text_slice(content));
}

/* What is positive, but no more than `most`; `at_first` when it cannot be read. */
static uint64_t number_of(const char *name, uint64_t at_first, uint64_t most)
{
    SCOPED(text_done) struct text content = {0};
    struct scan scan = scan_of(setting_read(name, &content));
    uint64_t number = 0;
    bool is_number = scan_decimal(&scan, &number) && scan_at_end(&scan) && number > 0;

    if (!is_number)
        return at_first;
    return number < most ? number : most;
}

uint32_t setting_most_frequency_hz(void)
{
    enum { AT_FIRST_HZ = 100000 };

    return (uint32_t)number_of("perf_event_max_sample_rate", AT_FIRST_HZ, UINT32_MAX);
}

uint16_t sampler_most_calls(void)
{
    return (uint16_t)number_of("perf_event_max_stack", PERF_MAX_STACK_DEPTH, SAMPLER_MOST_CALLS);
}

uint16_t sampler_calls_of(const struct sampler_request *request)
{
    if (request->stacks != SAMPLER_STACKS_FRAME_POINTERS)
        return 0;
    return request->most_calls > 0 ? request->most_calls : sampler_most_calls();
}
