#include "target/run_delay.h"

#include <stdio.h>

#include "base/file.h"
#include "base/scan.h"
#include "proc/pid_namespace.h"

uint64_t run_delay_read_schedstat(struct slice text)
{
    struct scan scan = scan_of(text);
    uint64_t ran_ns = 0;
    uint64_t waited_ns = 0;

    return scan_decimal(&scan, &ran_ns) && scan_byte(&scan, ' ') && scan_decimal(&scan, &waited_ns) &&
                   scan_byte(&scan, ' ')
               ? waited_ns
               : 0;
}

uint64_t run_delay_read_pressure(struct slice text)
{
    const struct slice key = SLICE(" total=");
    struct slice line = slice_range(text, 0, slice_find_byte(text, '\n'));
    size_t at = slice_find(line, key);
    struct scan scan = scan_of(slice_range(line, at + key.length, line.length));
    uint64_t waited_us = 0;

    if (!slice_starts_with(line, SLICE("some ")) || !scan_decimal(&scan, &waited_us) || !scan_at_end(&scan) ||
        waited_us > UINT64_MAX / 1000)
        return 0;
    return waited_us * 1000;
}

static uint64_t read_figure(const char *path, uint64_t (*read)(struct slice text))
{
    enum { MOST_BYTES = 4096 };
    SCOPED(text_done) struct text content = {0};
    struct error unread = {0};

    return file_read(path, MOST_BYTES, &content, &unread) == 0 ? read(text_slice(&content)) : 0;
}

uint64_t run_delay_of_process_ns(pid_t pid)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
    return pid_namespace_has_proc() ? read_figure(path, run_delay_read_schedstat) : 0;
}

uint64_t run_delay_of_machine_ns(void)
{
    return read_figure("/proc/pressure/cpu", run_delay_read_pressure);
}
