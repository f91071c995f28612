#include "target/descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "proc/process_list.h"

/*
 * Whether we have a child. All that come from those we started have one of ours among their parents, so
 * without any there is nothing to look for in /proc, where each process of the machine is a file to read.
 */
static bool has_children(void)
{
    siginfo_t ignored;

    return waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

static void mark_ours(const struct descendants *descendants, struct process_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct process_line *line = &list->items[i];

        line->is_left_out = pids_have(&descendants->strangers, line->pid);
        line->is_marked = line->parent == list->ourselves && !line->is_left_out;
    }
    process_list_mark_children(list);
}

/* All that came from those we started are marked. False, with nothing read, when there is none. */
static bool read_ours(const struct descendants *descendants, struct process_list *list)
{
    if (!has_children())
        return false;
    process_list_read(list);
    mark_ours(descendants, list);
    return true;
}

void descendants_adopt(struct descendants *out)
{
    SCOPED(process_list_done) struct process_list list = {0};

    *out = (struct descendants){0};
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (!has_children())
        return;
    process_list_read(&list);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].parent == list.ourselves)
            *vec_add(&out->strangers) = list.items[i].pid;
}

bool descendants_find(const struct descendants *descendants, struct descendant *out)
{
    SCOPED(process_list_done) struct process_list list = {0};
    const struct process_line *oldest = NULL;
    bool is_there = false;

    if (!read_ours(descendants, &list))
        return false;
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].is_marked && !list.items[i].is_ended &&
            (!oldest || list.items[i].pid < oldest->pid))
            oldest = &list.items[i];
    is_there = oldest != NULL;
    if (is_there) {
        out->pid = oldest->pid;
        memcpy(out->name, oldest->name, sizeof(out->name));
    }
    return is_there;
}

void descendants_add_time(const struct descendants *descendants, uint64_t *cpu_ns, uint64_t *user_ns)
{
    SCOPED(process_list_done) struct process_list list = {0};

    if (!read_ours(descendants, &list))
        return;
    for (size_t i = 0; i < list.count; i++) {
        if (!list.items[i].is_marked)
            continue;
        *cpu_ns += list.items[i].cpu_ns;
        *user_ns += list.items[i].user_ns;
    }
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
    SCOPED(process_list_done) struct process_list list = {0};
    size_t count = 0;

    if (!read_ours(descendants, &list))
        return 0;
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].is_marked && !list.items[i].is_ended &&
            send_signal(&list, list.items[i].pid, signal))
            count++;
    return count;
}

/* What has ended already only waits to be waited for. */
static void take_ended(void)
{
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
}

void descendants_end(const struct descendants *descendants)
{
    enum { FIRST_WAIT_NS = 250000, LONGEST_WAIT_NS = 16000000 };
    struct timespec wait = {.tv_nsec = FIRST_WAIT_NS};

    /*
     * One that starts others meanwhile loses its parent, and is found the next time. None is waited for as a
     * child of ours: it may be that of one which goes on, as we may not end it, and for which we do not wait.
     */
    while (descendants_signal(descendants, SIGKILL) > 0) {
        nanosleep(&wait, NULL);
        take_ended();
        if (wait.tv_nsec < LONGEST_WAIT_NS)
            wait.tv_nsec *= 2;
    }
    take_ended();
}

void descendants_done(struct descendants *descendants)
{
    vec_done(&descendants->strangers);
}
