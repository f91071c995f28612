#include "record/session_start.h"

#include <math.h>

#include "base/clock.h"
#include "proc/owner.h"
#include "target/attach.h"
#include "target/heap_library.h"
#include "target/sanitizer.h"

bool session_has_program(const struct session *session)
{
    return session->request->launch.argv != NULL;
}

bool session_records_program(const struct session *session)
{
    return !session->request->is_machine && session->request->pids.count == 0;
}

bool session_has_window_from_start(const struct session *session)
{
    return session_records_program(session) && session->request->delay_ns == 0;
}

void session_keep_samples(const struct session *session, uint64_t to_ns)
{
    recorder_keep(session->recorder, session_has_window_from_start(session) ? 0 : session->from_ns, to_ns);
}

void session_set_end(struct session *session)
{
    uint64_t duration_ns = session->request->duration_ns;

    session->until_ns = duration_ns ? session->from_ns + duration_ns : UINT64_MAX;
}

static bool wants_heap(const struct session *session)
{
    const struct sampler_request *sampling = &session->request->sampling;

    for (size_t i = 0; i < sampling->event_count; i++)
        if (sampling->events[i].heap)
            return true;
    return false;
}

/* The program is to tell of its memory, if that is asked for. */
static int take_heap(struct session *session, struct arena *arena, struct launch *launch, struct error *err)
{
    bool is_raised = owner_is_raised();
    int result = 0;

    if (!wants_heap(session))
        return 0;
    /* The program is the caller's, and its files are. */
    owner_lower(is_raised);
    result = sanitizer_check(launch->argv[0], err);
    if (result == 0)
        result = heap_channel_open(&session->heap, err);
    if (result == 0)
        result = heap_library_environment(arena, launch->environment, text_string(&session->heap.path),
                                          &launch->environment, err);
    if (is_raised)
        (void)owner_raise();
    return result;
}

static int start_program(struct session *session, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    struct launch launch = session->request->launch;

    if (!session_has_program(session))
        return 0;
    terminal_remember(&session->terminal);
    launch.signals = &session->interrupts.saved;
    launch.strangers = &session->descendants.strangers;
    if (take_heap(session, &arena, &launch, err) < 0 || target_launch(&launch, &session->program, err) < 0)
        return -1;
    /* For events of an earlier run ours may have been raised. */
    (void)prlimit(session->program.pid, RLIMIT_NOFILE, &session->file_limit, NULL);
    return 0;
}

static int open_sampler(struct session *session, struct error *err)
{
    struct sampler_request wanted = session->request->sampling;

    if (!session_records_program(session) && attach_check_proc(err) < 0)
        return -1;
    wanted.scope = SAMPLER_MACHINE;
    wanted.heap = session->heap.memory ? &session->heap : NULL;
    if (session_records_program(session)) {
        wanted.scope = SAMPLER_HELD;
        wanted.threads = &session->program.pid;
        wanted.thread_count = 1;
    } else if (!session->request->is_machine) {
        wanted.scope = SAMPLER_THREADS;
        if (found_threads_collect(&session->request->pids, &session->threads, err) < 0)
            return -1;
        wanted.threads = session->threads.tids.items;
        wanted.thread_count = session->threads.tids.count;
    }
    return sampler_open(&wanted, &session->sampler, err);
}

/* What ran before was sampled as we looked around: it is no part of the window, and takes up room. */
static void pass_over_earlier(struct session *session)
{
    recorder_drain(session->recorder, session->sampler, false);
    recorder_add_waits(session->recorder);
}

int session_start(struct session *session, struct error *err)
{
    const struct session_request *request = session->request;

    session->from_ns = UINT64_MAX;
    session_keep_samples(session, UINT64_MAX);
    if (start_program(session, err) < 0)
        return -1;
    priority_raise(); /* and not the program's */
    if (open_sampler(session, err) < 0)
        return -1;
    recorder_add_series(session->recorder, session->sampler);
    if (request->is_machine)
        recorder_add_all_processes(session->recorder);
    else if (!session_records_program(session))
        found_threads_take(&session->threads, session->recorder, session->sampler);
    if (session_records_program(session))
        return 0;
    pass_over_earlier(session);
    session->from_ns = clock_now_ns() + request->delay_ns;
    session_set_end(session);
    return 0;
}

/*
 * A program that does the same in each run would be sampled at the same points of it, one period after its
 * start, two and so on: what is done in between would be in no run. So each run begins its periods at another
 * moment of the first one, which all together are spread over evenly.
 */
static uint64_t when_anew(const struct session *session)
{
    const double golden_part = 0.6180339887498949;
    const double second_ns = 1e9;
    double turns = session->collection->profile.run_count * golden_part;

    for (size_t i = 0; turns > 0 && i < sampler_source_count(session->sampler); i++) {
        uint32_t frequency_hz = sampler_source(session->sampler, i).frequency_hz;

        if (frequency_hz > 0)
            return clock_now_ns() + (uint64_t)((turns - floor(turns)) * second_ns / frequency_hz);
    }
    return UINT64_MAX;
}

int session_release(struct session *session, struct error *err)
{
    if (!session_has_program(session))
        return 0;
    if (target_release(&session->program, session->request->launch.argv[0], err) < 0)
        return -1;
    if (session_records_program(session)) {
        session->from_ns = session->program.start_ns + session->request->delay_ns;
        session->anew_ns = when_anew(session);
        session_set_end(session);
    }
    return 0;
}
