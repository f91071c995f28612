#include "process/thread_stat.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/scan.h"
#include "proc/pid_namespace.h"

/* Counted as in the manual, from the process's number on. */
enum { FIELD_STATE = 3, FIELD_FLAGS = 9, FIELD_START = 22 };

static uint64_t unix_ns_of_ticks(uint64_t ticks)
{
    uint64_t ns_per_tick = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);

    return clock_unix_ns(CLOCK_BOOTTIME, ticks * ns_per_tick);
}

/* `fields` begin with the state. */
static bool parse_fields(struct slice fields, struct thread_stat *out)
{
    struct scan scan = scan_of(fields);
    struct thread_stat stat = {0};
    struct slice word;

    for (int field = FIELD_STATE; field <= FIELD_START; field++) {
        struct scan number;
        uint64_t value = 0;

        if (!scan_skip_any(&scan, " ") || !scan_word(&scan, &word))
            return false;
        number = scan_of(word);
        (void)scan_decimal(&number, &value);
        if (field == FIELD_STATE)
            stat.state = word.data[0];
        else if (field == FIELD_FLAGS)
            stat.flags = value;
        else if (field == FIELD_START)
            stat.start_unix_ns = unix_ns_of_ticks(value);
    }
    *out = stat;
    return true;
}

bool thread_stat_read(uint32_t pid, uint32_t tid, struct thread_stat *out)
{
    enum { MOST_BYTES = 4096 };
    SCOPED(text_done) struct text content = {0};
    struct error unread = {0};
    char path[64];
    struct slice text;

    snprintf(path, sizeof(path), "/proc/%u/task/%u/stat", pid, tid);
    if (!pid_namespace_has_proc() || file_read(path, MOST_BYTES, &content, &unread) < 0)
        return false;
    /* The name before them may have parentheses itself. */
    text = text_slice(&content);
    return parse_fields(slice_range(text, slice_find_last_byte(text, ')') + 1, text.length), out);
}

bool thread_name_read(uint32_t pid, uint32_t tid, struct text *name)
{
    enum { MOST_BYTES = 4096 };
    SCOPED(text_done) struct text line = {0};
    struct error unread = {0};
    char path[64];

    snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", pid, tid);
    if (file_read(path, MOST_BYTES, &line, &unread) < 0)
        return false;
    text_add(name, slice_range(text_slice(&line), 0,
                               line.length - (slice_ends_with(text_slice(&line), SLICE("\n")) ? 1 : 0)));
    return true;
}
