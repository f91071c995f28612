#include "target/descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/scan.h"
#include "process/pid_namespace.h"

/* The numbers are those of /proc, which may be that of another PID namespace. */
struct process_line {
    pid_t pid;
    pid_t parent;
    char name[16];
    bool is_ended; /* only waiting to be waited for */
    bool is_ours;
};

struct process_list {
    struct process_line *items;
    size_t count;
    size_t capacity;
    pid_t ourselves;
};

/* Parent, state and name from /proc/PID/stat (proc(5)); what stands in the parentheses may be anything. */
static bool read_line(const char *pid, struct process_line *out)
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

    snprintf(path, sizeof(path), "/proc/%s/stat", pid);
    if (file_read(path, MOST_BYTES, &content, &unread) < 0)
        return false;
    all = text_slice(&content);
    name = slice_range(all, slice_find_byte(all, '(') + 1, slice_find_last_byte(all, ')'));
    scan = scan_of(slice_range(all, slice_find_last_byte(all, ')') + 1, all.length));
    if (!scan_byte(&scan, ' ') || !scan_word(&scan, &state) || !scan_byte(&scan, ' ') ||
        !scan_decimal(&scan, &parent))
        return false;
    *out = (struct process_line){
        .pid = (pid_t)strtol(pid, NULL, 10),
        .parent = (pid_t)parent,
        .is_ended = slice_is(state, "Z") || slice_is(state, "X"),
    };
    memcpy(out->name, name.data, name.length < sizeof(out->name) ? name.length : sizeof(out->name) - 1);
    return true;
}

/* All processes there are; none where /proc does not tell of us. */
static void read_all(struct process_list *out)
{
    SCOPED(folder_close) DIR *folder = opendir("/proc");
    const struct dirent *entry = NULL;

    out->ourselves = pid_namespace_number_in_proc();
    if (out->ourselves == 0)
        return;
    while (folder && (entry = readdir(folder))) {
        struct process_line line;

        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && read_line(entry->d_name, &line))
            *vec_add(out) = line;
    }
}

static bool is_stranger(const struct descendants *descendants, pid_t pid)
{
    for (size_t i = 0; i < descendants->strangers.count; i++)
        if (descendants->strangers.items[i] == pid)
            return true;
    return false;
}

static bool is_from_ours(const struct process_list *list, pid_t parent)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].pid == parent)
            return list->items[i].is_ours;
    return parent == list->ourselves;
}

/* Parents first or not: as long as there is news. */
static void mark_ours(const struct descendants *descendants, struct process_list *list)
{
    bool is_news = true;

    while (is_news) {
        is_news = false;
        for (size_t i = 0; i < list->count; i++) {
            struct process_line *line = &list->items[i];

            if (line->is_ours || is_stranger(descendants, line->pid) ||
                (line->parent != list->ourselves && !is_from_ours(list, line->parent)))
                continue;
            line->is_ours = true;
            is_news = true;
        }
    }
}

void descendants_adopt(struct descendants *out)
{
    struct process_list list = {0};

    *out = (struct descendants){0};
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    read_all(&list);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].parent == list.ourselves)
            *vec_add(&out->strangers) = list.items[i].pid;
    vec_done(&list);
}

bool descendants_find(const struct descendants *descendants, struct descendant *out)
{
    struct process_list list = {0};
    const struct process_line *oldest = NULL;
    bool is_there = false;

    read_all(&list);
    mark_ours(descendants, &list);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].is_ours && !list.items[i].is_ended && (!oldest || list.items[i].pid < oldest->pid))
            oldest = &list.items[i];
    is_there = oldest != NULL;
    if (is_there) {
        out->pid = oldest->pid;
        memcpy(out->name, oldest->name, sizeof(out->name));
    }
    vec_done(&list);
    return is_there;
}

/* Whether it was sent. A folder of /proc stands for its process, whatever its number is in here. */
static bool send_signal(const struct process_list *list, pid_t pid, int signal)
{
    SCOPED(file_close_descriptor) int process = -1;
    char path[64];

    if (list->ourselves == getpid())
        return kill(pid, signal) == 0;
    snprintf(path, sizeof(path), "/proc/%d", (int)pid);
    process = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return process >= 0 && syscall(SYS_pidfd_send_signal, process, signal, NULL, 0) == 0;
}

size_t descendants_signal(const struct descendants *descendants, int signal)
{
    struct process_list list = {0};
    size_t count = 0;

    read_all(&list);
    mark_ours(descendants, &list);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].is_ours && !list.items[i].is_ended && send_signal(&list, list.items[i].pid, signal))
            count++;
    vec_done(&list);
    return count;
}

void descendants_end(const struct descendants *descendants)
{
    /* One that starts others meanwhile loses its parent, and is found the next time. */
    while (descendants_signal(descendants, SIGKILL) > 0)
        while (waitpid(-1, NULL, 0) < 0 && errno == EINTR)
            continue;
    /* What has ended already only waits to be waited for. */
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
}

void descendants_done(struct descendants *descendants)
{
    vec_done(&descendants->strangers);
}
