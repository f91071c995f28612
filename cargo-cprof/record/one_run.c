#include "record/one_run.h"

#include <poll.h>

#include "base/clock.h"
#include "facts/series_unit.h"
#include "record/run_times.h"
#include "record/session_start.h"

enum {
    WAKE_AT_LEAST_MS = 100,
    NS_PER_MS = 1000000,
    NS_PER_US = 1000,
};

/* How long a program that was asked to end may take for it. */
static const uint64_t grace_ns = UINT64_C(2000) * NS_PER_MS;

/* Then what it takes from start to end is what it takes in the window. */
static bool is_whole(const struct session *session)
{
    return session_has_window_from_start(session) && session->request->duration_ns == 0;
}

/*
 * What happens and what is lost outside of the window does not count: `sign` is -1 at its start and 1 at its
 * end. Unsigned sums are right once the window is closed.
 */
static void add_counts(struct session *session, int sign)
{
    for (size_t i = 0; i < sampler_source_count(session->sampler); i++) {
        struct profile_series *series = &session->collection->profile.series.items[i];
        struct sampler_counts counts = sampler_counts(session->sampler, i);

        /* How long waits were nobody counts, and what is lost of them is their stacks; the kernel has
           nothing of the heap. */
        if (sampler_source(session->sampler, i).is_waits || sampler_source(session->sampler, i).heap)
            continue;
        series->happened_count += (uint64_t)sign * counts.happened;
        series->lost_count += (uint64_t)sign * counts.lost;
    }
}

/* What the program, or what else is watched, has taken by now. */
static struct run_times times_now(const struct session *session)
{
    if (session_records_program(session))
        return run_times_read(&session->program, &session->descendants, session->sampler);
    return (struct run_times){.counted_ns = run_times_counted_ns(session->sampler)};
}

static void open_window(struct session *session)
{
    const struct session_request *request = session->request;

    session->is_window_open = true;
    watched_time_begin(&session->watched, &request->pids);
    if (session_has_window_from_start(session)) {
        session->window_from = (struct run_times){.machine_delay_ns = session->program.machine_delay_ns};
        return;
    }
    session->from_ns = clock_now_ns();
    heap_channel_begin_window(&session->heap);
    session_set_end(session);
    add_counts(session, -1);
    session->window_from = times_now(session);
    session_keep_samples(session, UINT64_MAX);
}

/*
 * Where processes started others, which are watched too, or have ended, the system tells of all of them
 * together no more: a clock that is sampled counts in all.
 */
static void note_watched_time(struct session *session)
{
    struct profile *profile = &session->collection->profile;

    if (session->request->pids.count > 0 &&
        (recorder_process_count(session->recorder) > session->request->pids.count ||
         !watched_time_end(&session->watched, &profile->cpu_ns, &profile->run_delay_ns)))
        run_times_add_part(profile, &session->window_from, &session->window_to,
                           recorder_process_count(session->recorder));
}

static void close_window(struct session *session)
{
    uint64_t now = clock_now_ns();

    if (!session->is_window_open)
        return;
    session->is_window_open = false;
    heap_channel_end(&session->heap);
    if (!is_whole(session))
        session->window_to = times_now(session);
    note_watched_time(session);
    add_counts(session, 1);
    if (now >= session->until_ns || !session_records_program(session))
        session_keep_samples(session, now);
    session->to_ns = now;
}

/*
 * A program's time ends with the last that the kernel tells of it, however late that is read; of one that it
 * lets nobody watch with the program's end.
 */
static void note_wall_time(struct session *session)
{
    uint64_t last_ns = recorder_last_ns(session->recorder);
    uint64_t end_ns = session->program.start_ns + session->program.end.wall_ns;
    uint64_t to_ns = session->to_ns;

    if (session->collection->profile.unwatched != PROFILE_NO_STRING && last_ns < end_ns)
        last_ns = end_ns;
    if (session_records_program(session) && last_ns < to_ns)
        to_ns = last_ns;
    if (to_ns > session->from_ns)
        session->collection->profile.wall_ns += to_ns - session->from_ns;
}

/* Asks what we started to end: where /proc does not tell what came from the program, that alone. */
static void ask_to_end(struct session *session)
{
    session->was_ended = true;
    if (descendants_signal(&session->descendants, SIGTERM) == 0)
        target_signal(&session->program, SIGTERM);
    target_signal(&session->program, SIGCONT);
    session->kill_ns = clock_now_ns() + grace_ns;
}

/* All that is left of time when the window is closed: it is not opened again. */
static void take_end_of_grace(struct session *session)
{
    if (clock_now_ns() >= session->kill_ns)
        session->state = SESSION_STOPPED;
}

static void take_time(struct session *session)
{
    uint64_t now = clock_now_ns();

    if (!session->is_window_open && session->state == SESSION_RUNNING && now >= session->from_ns)
        open_window(session);
    if (now >= session->anew_ns) {
        sampler_begin_periods(session->sampler);
        session->anew_ns = UINT64_MAX;
    }
    if (session->state == SESSION_RUNNING && now >= session->until_ns) {
        session->state = SESSION_ENDING;
        close_window(session);
        if (session_has_program(session))
            ask_to_end(session);
    }
    take_end_of_grace(session);
}

/* Whether the program has ended long enough ago for a user to wonder what is waited for. */
static bool has_ended_long_ago(const struct session *session)
{
    const uint64_t patience_ns = UINT64_C(1000) * NS_PER_MS;
    const struct target *program = &session->program;

    return program->has_ended && clock_now_ns() >= program->start_ns + program->end.wall_ns + patience_ns;
}

/* To the program, or to what is left of it: one that has just ended may have done so of the same signal. */
static void pass_on(const struct session *session, int signal)
{
    if (session->program.has_ended) {
        descendants_signal(&session->descendants, signal);
        return;
    }
    target_signal(&session->program, signal);
    /* A program that is stopped takes no other. */
    target_signal(&session->program, SIGCONT);
}

static void take_signal(struct session *session, struct interrupt interrupt)
{
    /* The program has those of its terminal's keys. */
    bool is_theirs = session_has_program(session) && interrupt.is_from_terminal &&
                     (interrupt.signal == SIGINT || interrupt.signal == SIGQUIT);
    bool is_first = false;

    if (interrupt.signal == SIGCHLD || (is_theirs && interrupt.signal == SIGQUIT))
        return;
    if (interrupt.signal == SIGUSR1 || interrupt.signal == SIGUSR2) {
        if (session_records_program(session))
            target_signal(&session->program, interrupt.signal);
        return;
    }
    is_first = ++session->interrupt_count == 1;
    if (is_first)
        session->interrupt = interrupt.signal;
    if (!session_has_program(session))
        session->state = is_first ? SESSION_ENDING : SESSION_STOPPED;
    else if (!is_first || has_ended_long_ago(session))
        session->state = SESSION_STOPPED;
    else if (!is_theirs)
        pass_on(session, interrupt.signal);
}

static void take_signals(struct session *session)
{
    struct interrupt interrupt;

    while (interrupts_next(&session->interrupts, &interrupt))
        take_signal(session, interrupt);
}

static int64_t until_next_time_us(const struct session *session)
{
    const int64_t at_least_us = WAKE_AT_LEAST_MS * (NS_PER_MS / NS_PER_US);
    int64_t patience_us = recorder_patience_us(session->recorder);
    uint64_t most_us = (uint64_t)(patience_us < at_least_us ? patience_us : at_least_us);
    uint64_t now = clock_now_ns();
    uint64_t next = session->kill_ns;

    if (!session->is_window_open && session->from_ns > now && session->from_ns < next)
        next = session->from_ns;
    if (session->state == SESSION_RUNNING && session->until_ns < next)
        next = session->until_ns;
    if (session->anew_ns < next)
        next = session->anew_ns;
    if (next <= now)
        return 0;
    next = (next - now + NS_PER_US - 1) / NS_PER_US;
    return (int64_t)(next < most_us ? next : most_us);
}

static bool is_over(const struct session *session, bool is_anything_left)
{
    if (session->state == SESSION_STOPPED)
        return true;
    if (session_records_program(session))
        return !is_anything_left && session->program.has_ended;
    return !is_anything_left || session->state == SESSION_ENDING || session->program.has_ended;
}

/* Nobody sees what is waited for when a program has ended and its children go on. */
static void tell_of_left(struct session *session)
{
    const struct session_request *request = session->request;
    struct descendant left;

    if (session->has_told_left || !request->tell_of_left || !session_records_program(session) ||
        session->state != SESSION_RUNNING || !has_ended_long_ago(session))
        return;
    session->has_told_left = true;
    if (descendants_find(&session->descendants, &left))
        request->tell_of_left(request->tell_context, &left);
}

/*
 * The shell that we were started from sees when we stop, and not when the program does. What is stopped only
 * for a moment, as by those who slow a program down, goes on by itself.
 */
static void stop_with_program(struct session *session)
{
    const uint64_t patience_ns = UINT64_C(200) * NS_PER_MS;
    uint64_t now = clock_now_ns();

    if (!target_is_stopped(&session->program)) {
        session->stopped_ns = 0;
    } else if (session->stopped_ns == 0) {
        session->stopped_ns = now;
    } else if (now - session->stopped_ns >= patience_ns) {
        terminal_stop_us();
        session->stopped_ns = 0;
    }
}

static void watch(struct session *session)
{
    bool is_anything_left = true;

    take_time(session);
    while (!is_over(session, is_anything_left)) {
        is_anything_left =
            sampler_wait(session->sampler, session->interrupts.descriptor, until_next_time_us(session));
        target_update(&session->program);
        take_signals(session);
        take_time(session);
        tell_of_left(session);
        recorder_drain(session->recorder, session->sampler, false);
        if (recorder_has_lost(session->recorder) && !session->priority.is_highest)
            priority_raise_most(&session->priority);
        stop_with_program(session);
    }
}

/*
 * What lost its parent is ours to wait for, and only then the system tells its time. Its samples end a little
 * before that.
 */
static void wait_for_orphans(struct session *session)
{
    const uint64_t patience_ns = UINT64_C(100) * NS_PER_MS;
    struct pollfd signals = {.fd = session->interrupts.descriptor, .events = POLLIN};
    uint64_t end_ns = clock_now_ns() + patience_ns;

    while (session->state == SESSION_RUNNING && target_has_orphans() && clock_now_ns() < end_ns) {
        poll(&signals, 1, (int)(patience_ns / NS_PER_MS));
        target_update(&session->program);
        take_signals(session);
    }
}

/* What has taken other rights than ours, as sudo does, is not ended by us, and goes on. */
static void tell_of_unended(const struct session *session)
{
    const struct session_request *request = session->request;
    struct descendant left;

    if (request->tell_of_unended && descendants_find(&session->descendants, &left))
        request->tell_of_unended(request->tell_context, &left);
}

/* What we started does not stay: after a grace, unless everything is to stop at once. */
static void end_program(struct session *session)
{
    struct pollfd signals = {.fd = session->interrupts.descriptor, .events = POLLIN};

    if (!session_has_program(session))
        return;
    if (!session_records_program(session) && !session->program.has_ended && session->kill_ns == UINT64_MAX)
        ask_to_end(session);
    while (!session->program.has_ended && session->state != SESSION_STOPPED) {
        const struct timespec timeout = clock_time_of_us(until_next_time_us(session));

        ppoll(&signals, 1, &timeout, NULL);
        target_update(&session->program);
        take_signals(session);
        take_end_of_grace(session);
    }
    if (target_signal(&session->program, SIGKILL))
        target_wait(&session->program);
    /* Shells do the same where a signal ended a program, which they do not see here. */
    if (session->program.end.signal)
        terminal_restore(&session->terminal);
    if (session_records_program(session))
        wait_for_orphans(session);
    if (!session_records_program(session) || session->state != SESSION_RUNNING) {
        descendants_end(&session->descendants);
        tell_of_unended(session);
    }
    if (!session->was_ended)
        session->collection->exit_code = session->program.has_ended
                                             ? session->program.end.exit_code
                                             : EXIT_CODE_OF_SIGNAL + session->interrupt;
}

/* How often each event happened in this run: what it is more often than in those before. */
static void note_run_counts(struct profile *profile)
{
    for (size_t i = 0; i < profile->series.count; i++) {
        struct profile_series *series = &profile->series.items[i];
        uint64_t count = series->happened_count;

        for (size_t run = 0; run < series->run_counts.count; run++)
            count -= series->run_counts.items[run];
        *vec_add(&series->run_counts) = count;
    }
}

/* The system tells what ended how much it read from its start on, and nothing of less than that. */
static void note_disk(const struct session *session)
{
    struct profile *profile = &session->collection->profile;
    bool is_known = session_has_window_from_start(session) && session->program.has_ended;

    if (profile->run_count == 1)
        profile->disk_bytes = 0;
    if (!is_known)
        profile->disk_bytes = UINT64_MAX;
    else if (profile->disk_bytes != UINT64_MAX)
        profile->disk_bytes += session->program.end.disk_bytes;
}

/* What became of the program itself: not by us, nor by who ends it together with us. */
static void note_end(const struct session *session)
{
    int signal = session->program.end.signal;

    session->collection->was_cut_short = session->collection->was_cut_short || signal != 0;
    if (signal != 0 && session_records_program(session) && !session->was_ended && session->interrupt == 0)
        session->collection->ended_by = signal;
}

/* What programs have from others than malloc, and who they are that told nothing, is of the last run. */
static void note_heap(const struct session *session)
{
    struct profile *profile = &session->collection->profile;
    struct heap_lacks *lacks = &profile->heap_lacks;
    struct heap_silent silent = recorder_heap_silent(session->recorder, session->sampler);
    struct heap_elsewhere elsewhere = sampler_heap_elsewhere(session->sampler);

    lacks->is_known = true;
    lacks->own_malloc = profile_string(profile, slice_of(elsewhere.own_malloc));
    lacks->elsewhere = profile_string(profile, slice_of(elsewhere.program));
    lacks->elsewhere_bytes = elsewhere.bytes;
    lacks->is_followed = elsewhere.is_followed;
    lacks->told_count += sampler_heap_program_count(session->sampler);
    lacks->foreign_count += sampler_heap_foreign_count(session->sampler);
    lacks->silent_count = silent.count;
    lacks->silent_of_count = silent.of_count;
    for (size_t i = 0; i < HEAP_SILENT_NAMES; i++)
        lacks->silent_names[i] = profile_string(profile, slice_of(silent.names[i]));
    lacks->has_more_silent = silent.has_more_names;
    lacks->missed_count += sampler_heap_missed_count(session->sampler);
    lacks->damaged_count = session->collection->damaged_count;
    lacks->lacks_slots = lacks->lacks_slots || sampler_heap_slots(session->sampler).lacks_some;
}

static void note_run(struct session *session)
{
    struct collection *collection = session->collection;
    struct profile *profile = &collection->profile;
    size_t process_count = recorder_process_count(session->recorder);

    profile->run_count++;
    note_run_counts(profile);
    note_disk(session);
    note_end(session);
    collection->damaged_count += sampler_damaged_count(session->sampler);
    collection->throttled_count = recorder_throttled_count(session->recorder);
    if (series_of_heap_exist(profile))
        note_heap(session);
    collection->is_denied_kernel = sampler_source(session->sampler, 0).is_denied;
    if (is_whole(session))
        run_times_add(profile, &session->program.end, session->sampler, process_count);
    else if (session_records_program(session) && session->to_ns > 0)
        run_times_add_part(profile, &session->window_from, &session->window_to, process_count);
}

static void begin_run(struct session *session)
{
    session->program = TARGET_NONE;
    session->priority = priority_now();
    session->state = SESSION_RUNNING;
    session->stopped_ns = 0;
    session->to_ns = 0;
    session->anew_ns = UINT64_MAX;
    session->kill_ns = UINT64_MAX;
    session->is_window_open = false;
    session->has_told_left = false;
    session->was_ended = false;
}

int one_run_record(struct session *session, struct error *err)
{
    int result = 0;

    begin_run(session);
    result = session_start(session, err);
    /* All that a command does to what is watched belongs to it. */
    if (result == 0 && !session_records_program(session))
        take_time(session);
    if (result == 0)
        result = session_release(session, err);
    if (result == 0) {
        watch(session);
        close_window(session);
        end_program(session);
        recorder_drain(session->recorder, session->sampler, true);
        note_wall_time(session);
        note_run(session);
    }
    priority_restore(&session->priority);
    sampler_close(session->sampler);
    session->sampler = NULL;
    heap_channel_close(&session->heap);
    target_done(&session->program);
    recorder_forget_processes(session->recorder);
    return result;
}
