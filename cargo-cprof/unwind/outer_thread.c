#include "unwind/outer_thread.h"

#include "base/memory.h"

struct outer_thread *outer_thread_known(const struct outer *outer, uint32_t id)
{
    return id < outer->threads.count ? outer->threads.items[id] : NULL;
}

struct outer_thread *outer_thread_of(struct outer *outer, uint32_t id)
{
    while (outer->threads.count <= id)
        *vec_add(&outer->threads) = NULL; /* NOLINT(bugprone-sizeof-expression): items are pointers */
    if (!outer->threads.items[id])
        outer->threads.items[id] = memory_new(1, sizeof(struct outer_thread));
    return outer->threads.items[id];
}

struct reading_status *outer_thread_status(struct outer_thread *thread, uint32_t number)
{
    return reading_log_at(&thread->log, number);
}

void outer_thread_notice(struct outer_thread *thread, uint32_t round, const struct unwind_request *walk)
{
    struct reading_status *status = outer_thread_status(thread, thread->newest.number);
    bool is_in_it = thread->is_open && reading_is_around(&thread->newest, walk);
    bool is_elsewhere = !is_in_it && reading_is_as_deep(&thread->newest, walk);

    if (!thread->is_open)
        return;
    if (thread->newest.round == round) {
        thread->was_in_it = is_in_it;
        thread->was_elsewhere = is_elsewhere;
        thread->last_sp = walk->stack_start;
        return;
    }
    thread->is_open = false;
    status->is_proved = is_in_it && thread->was_in_it;
    status->is_elsewhere = is_elsewhere || thread->was_elsewhere;
    status->sp = walk->stack_start > thread->last_sp ? walk->stack_start : thread->last_sp;
}

void outer_thread_begin_reading(struct outer_thread *thread, uint32_t round)
{
    struct reading kept = thread->before;

    if (thread->newest.length > 0) {
        thread->before = thread->newest;
        thread->newest = kept;
    }
    thread->newest.length = 0;
    thread->newest.round = round;
    thread->newest.number = ++thread->reading_count;
    *outer_thread_status(thread, thread->reading_count) = (struct reading_status){0};
    thread->try_count = 0;
    thread->is_open = true;
    thread->is_compared = false;
}
