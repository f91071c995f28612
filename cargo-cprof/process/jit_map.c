#include "process/jit_map.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "proc/pid_namespace.h"

/* The last number of "NSpid:\t123\t7" in /proc/PID/status, from our namespace to the innermost (proc(5)). */
static uint32_t innermost_pid(uint32_t pid)
{
    enum { MOST_BYTES = 64 << 10 };
    SCOPED(text_done) struct text content = {0};
    struct error unread = {0};
    struct scan scan;
    struct slice line;
    char path[64];
    uint64_t number = pid;

    snprintf(path, sizeof(path), "/proc/%u/status", pid);
    if (file_read(path, MOST_BYTES, &content, &unread) < 0)
        return pid;
    scan = scan_of(text_slice(&content));
    while (scan_line(&scan, &line)) {
        struct scan words = scan_of(line);

        if (!scan_text(&words, "NSpid:"))
            continue;
        while (scan_byte(&words, '\t') && scan_decimal(&words, &number))
            continue;
    }
    return (uint32_t)number;
}

void jit_map_find(uint32_t pid, struct jit_map *out)
{
    *out = (struct jit_map){pid, false, {-1, -1}};
    if (!pid_namespace_has_proc())
        return;
    out->pid = innermost_pid(pid);
    out->is_elsewhere = process_is_elsewhere(pid);
    if (out->is_elsewhere)
        own_root_open(pid, &out->root);
}

int jit_map_open(const struct jit_map *map)
{
    struct open_how how = {
        /* A pipe that nobody writes to must not hold us up. */
        .flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
        .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
    };
    char path[sizeof("tmp/perf-4294967295.map")];

    snprintf(path, sizeof(path), "tmp/perf-%u.map", map->pid);
    return (int)syscall(SYS_openat2, map->root.folder, path, &how, sizeof(how));
}

void jit_map_done(struct jit_map *map)
{
    own_root_close(&map->root);
}
