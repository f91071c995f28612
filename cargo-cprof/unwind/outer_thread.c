#include "unwind/outer_thread.h"

#include "base/memory.h"

uint32_t outer_thread_number(uint32_t thread, bool is_of_wait)
{
    return thread * 2 + is_of_wait;
}

struct outer_thread *outer_thread_known(const struct outer *outer, uint32_t number)
{
    return number < outer->threads.count ? outer->threads.items[number] : NULL;
}

struct outer_thread *outer_thread_of(struct outer *outer, uint32_t number)
{
    while (outer->threads.count <= number)
        *vec_add(&outer->threads) = NULL; /* NOLINT(bugprone-sizeof-expression): items are pointers */
    if (!outer->threads.items[number])
        outer->threads.items[number] = memory_new(1, sizeof(struct outer_thread));
    return outer->threads.items[number];
}

struct reading_status *outer_thread_status(struct outer_thread *thread, uint32_t number)
{
    return reading_log_at(&thread->log, number);
}

void outer_thread_notice(struct outer_thread *thread, uint32_t round, const struct unwind_request *walk)
{
    struct reading_sight sight = {.sp = walk->stack_start};

    if (!thread->log.is_open)
        return;
    sight.is_in_it = reading_is_around(&thread->newest, walk);
    sight.is_elsewhere = !sight.is_in_it && reading_is_as_deep(&thread->newest, walk);
    reading_log_notice(&thread->log, round, sight);
}

void outer_thread_begin_reading(struct outer_thread *thread, uint32_t round)
{
    struct reading kept = thread->before;

    if (thread->newest.length > 0) {
        thread->before = thread->newest;
        thread->newest = kept;
    }
    thread->newest.length = 0;
    thread->newest.is_whole = false;
    thread->newest.round = round;
    thread->newest.number = reading_log_begin(&thread->log, round);
    thread->try_count = 0;
    thread->is_compared = false;
}
