#include "target/unwatched.h"

#include <unistd.h>

#include "base/compiler.h"
#include "target/process_list.h"

static struct process_line *find(const struct process_list *list, pid_t pid)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].pid == pid)
            return &list->items[i];
    return NULL;
}

static void leave_out_ourselves(const struct process_list *list)
{
    struct process_line *line = find(list, list->ourselves);

    while (line && !line->is_left_out) {
        line->is_left_out = true;
        line = find(list, line->parent);
    }
}

static bool is_watched(const struct pids *watched, pid_t pid)
{
    for (size_t i = 0; i < watched->count; i++)
        if (watched->items[i] == pid)
            return true;
    return false;
}

void unwatched_find(const struct pids *watched, struct pids *out)
{
    SCOPED(process_list_done) struct process_list list = {0};

    process_list_read(&list);
    leave_out_ourselves(&list);
    for (size_t i = 0; i < list.count; i++)
        list.items[i].is_marked = is_watched(watched, list.items[i].pid);
    process_list_mark_children(&list);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].is_marked && !list.items[i].is_ended && !is_watched(watched, list.items[i].pid))
            *vec_add(out) = list.items[i].pid;
}
