#include "sampler/perf/setting.h"

#include "base/file.h"
#include "base/scan.h"

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

uint32_t setting_most_frequency_hz(void)
{
    enum { AT_FIRST_HZ = 100000 };
    SCOPED(text_done) struct text content = {0};
    struct scan scan = scan_of(setting_read("perf_event_max_sample_rate", &content));
    uint64_t most_hz = 0;
    bool is_number = scan_decimal(&scan, &most_hz) && scan_at_end(&scan) && most_hz > 0;

    if (!is_number)
        return AT_FIRST_HZ;
    return most_hz < UINT32_MAX ? (uint32_t)most_hz : UINT32_MAX;
}
