#include "proc/process_list.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "base/vec.h"
#include "proc/pid_namespace.h"
#include "proc/proc_walk.h"

void process_list_done(struct process_list *list)
{
    vec_done(list);
}

/* Fields 14 to 17, `scan` being behind field 5 (proc_pid_stat(5)). */
static bool scan_times(struct scan *scan, struct process_line *out)
{
    enum { FIELD_GROUP = 5, FIELD_USER = 14, USER = 0, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM, TIMES };
    uint64_t ns_per_tick = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
    uint64_t ticks[TIMES] = {0};
    struct slice unused;

    for (int field = FIELD_GROUP + 1; field < FIELD_USER; field++)
        if (!scan_byte(scan, ' ') || !scan_word(scan, &unused))
            return false;
    for (int i = 0; i < TIMES; i++)
        if (!scan_byte(scan, ' ') || !scan_decimal(scan, &ticks[i]))
            return false;
    out->user_ns = (ticks[USER] + ticks[CHILDREN_USER]) * ns_per_tick;
    out->cpu_ns = out->user_ns + (ticks[SYSTEM] + ticks[CHILDREN_SYSTEM]) * ns_per_tick;
    return true;
}

/* Parent, group, state, name and times from /proc/PID/stat (proc(5)); what stands in the parentheses may be
 * anything. */
static bool read_line(uint32_t pid, struct process_line *out)
{
    enum { MOST_BYTES = 4096 };
    SCOPED(text_done) struct text content = {0};
    struct error unread = {0};
    char path[64];
    struct scan scan;
    struct slice all = {0};
    struct slice name = {0};
    struct slice state = {0};
    uint64_t parent = 0;
    uint64_t group = 0;

    snprintf(path, sizeof(path), "/proc/%u/stat", pid);
    if (file_read(path, MOST_BYTES, &content, &unread) < 0)
        return false;
    all = text_slice(&content);
    name = slice_range(all, slice_find_byte(all, '(') + 1, slice_find_last_byte(all, ')'));
    scan = scan_of(slice_range(all, slice_find_last_byte(all, ')') + 1, all.length));
    if (!scan_byte(&scan, ' ') || !scan_word(&scan, &state) || !scan_byte(&scan, ' ') ||
        !scan_decimal(&scan, &parent) || !scan_byte(&scan, ' ') || !scan_decimal(&scan, &group))
        return false;
    *out = (struct process_line){
        .pid = (pid_t)pid,
        .parent = (pid_t)parent,
        .group = (pid_t)group,
        .is_ended = slice_is(state, "Z") || slice_is(state, "X"),
    };
    if (!scan_times(&scan, out))
        return false;
    memcpy(out->name, name.data, name.length < sizeof(out->name) ? name.length : sizeof(out->name) - 1);
    return true;
}

void process_list_read(struct process_list *out)
{
    SCOPED(proc_walk_done) struct proc_walk processes = proc_walk_processes();

    out->ourselves = pid_namespace_number_in_proc();
    if (out->ourselves == 0)
        return;
    for (uint32_t pid = proc_walk_next(&processes); pid; pid = proc_walk_next(&processes)) {
        struct process_line line;

        if (read_line(pid, &line))
            *vec_add(out) = line;
    }
}

struct process_line *process_list_find(const struct process_list *list, pid_t pid)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].pid == pid)
            return &list->items[i];
    return NULL;
}

/* Parents first or not: as long as there is news. */
void process_list_mark_children(struct process_list *list)
{
    bool is_news = true;

    while (is_news) {
        is_news = false;
        for (size_t i = 0; i < list->count; i++) {
            struct process_line *line = &list->items[i];
            const struct process_line *parent = NULL;

            if (line->is_marked || line->is_left_out)
                continue;
            parent = process_list_find(list, line->parent);
            if (!parent || !parent->is_marked)
                continue;
            line->is_marked = true;
            is_news = true;
        }
    }
}
