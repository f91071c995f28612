#include "sampler/perf/time_offset.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/scan.h"

/* "monotonic     1000000         0": seconds, which may be negative, and ns, which are not. */
static bool read_line(struct slice line, uint64_t *offset_ns)
{
    const uint64_t second_ns = 1000000000;
    struct scan scan = scan_of(line);
    uint64_t seconds = 0;
    uint64_t ns = 0;
    bool is_behind = false;

    if (!scan_text(&scan, "monotonic "))
        return false;
    scan_skip_any(&scan, " ");
    is_behind = scan_byte(&scan, '-');
    if (!scan_decimal(&scan, &seconds) || !scan_byte(&scan, ' ') || !scan_skip_any(&scan, " ") ||
        !scan_decimal(&scan, &ns) || !scan_at_end(&scan))
        return false;
    *offset_ns = (is_behind ? 0 - seconds : seconds) * second_ns + ns;
    return true;
}

uint64_t time_offset_read(struct slice text)
{
    struct scan scan = scan_of(text);
    struct slice line;
    uint64_t offset_ns = 0;

    while (scan_line(&scan, &line))
        if (read_line(line, &offset_ns))
            return offset_ns;
    return 0;
}

/* The offsets are those of the namespace that our children are made in, which may be another one than ours.
 */
static bool are_ours(void)
{
    struct stat ours;
    struct stat childrens;

    return stat("/proc/self/ns/time", &ours) == 0 &&
           stat("/proc/self/ns/time_for_children", &childrens) == 0 && ours.st_ino == childrens.st_ino;
}

uint64_t time_offset_ns(void)
{
    enum { MOST_BYTES = 4096 };
    SCOPED(text_done) struct text content = {0};
    struct error unread = {0};

    if (!are_ours() || file_read("/proc/self/timens_offsets", MOST_BYTES, &content, &unread) < 0)
        return 0;
    return time_offset_read(text_slice(&content));
}
