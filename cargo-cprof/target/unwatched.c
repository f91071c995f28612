#include "target/unwatched.h"

#include "proc/process_list.h"

static void leave_out_ourselves(const struct process_list *list)
{
    struct process_line *line = process_list_find(list, list->ourselves);

    while (line && !line->is_left_out) {
        line->is_left_out = true;
        line = process_list_find(list, line->parent);
    }
}

void unwatched_find(const struct pids *watched, struct pids *out)
{
    SCOPED(process_list_done) struct process_list list = {0};

    process_list_read(&list);
    leave_out_ourselves(&list);
    for (size_t i = 0; i < list.count; i++)
        list.items[i].is_marked = pids_have(watched, list.items[i].pid);
    process_list_mark_children(&list);
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].is_marked && !list.items[i].is_ended && !pids_have(watched, list.items[i].pid))
            *vec_add(out) = list.items[i].pid;
}
