#include "record/session.h"

#include <assert.h>

#include "base/clock.h"
#include "record/around_run.h"
#include "record/heap_runs.h"
#include "record/one_run.h"
#include "target/describe.h"

/* One of the programs that are run in turn, or what runs already. */
struct member {
    const struct session_request *request;
    struct collection collection;
    struct recorder *recorder;
    bool has_failed; /* it is run no more */
};

struct members {
    struct session session;
    struct member members[SESSION_MEMBERS_MAX];
    size_t count;
};

static void describe(struct profile *profile, const struct session_request *request)
{
    SCOPED(text_done) struct text what = {0};
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    profile->started_unix_ns = clock_ns_of(now);
    profile->started_ns = clock_now_ns();
    if (request->is_machine)
        describe_machine(&what, request->sampling.cpus, request->sampling.cpu_count);
    else if (request->pids.count > 0)
        describe_processes(&what, &request->pids);
    else
        describe_command(&what, &request->launch);
    profile->command = profile_string(profile, text_slice(&what));
}

static void begin(struct member *member, const struct session_request *request)
{
    struct profile *profile = &member->collection.profile;
    struct error ignored = {0};

    member->request = request;
    profile_init(profile);
    /* There is memory for most recordings. */
    if (request->sample_folders)
        (void)(block_file_open(request->sample_folders, &profile->block_file, &ignored) == 0);
    describe(profile, request);
    member->recorder = recorder_new(profile);
    recorder_set_stacks(member->recorder, request->sampling.stacks, sampler_calls_of(&request->sampling));
}

static int run_member(struct session *session, struct member *member, struct error *err)
{
    session->request = member->request;
    session->collection = &member->collection;
    session->recorder = member->recorder;
    if (around_run(session, member->request->prepare, "--prepare", err) < 0)
        return -1;
    if (session->interrupt_count > 0)
        return 0;
    standard_input_rewind(&session->input);
    if (one_run_record(session, err) < 0)
        return -1;
    member->has_failed = member->collection.exit_code != 0 && !member->request->runs_on;
    return around_run(session, member->request->conclude, "--conclude", err);
}

/* Each once, the last one first in every other round, so that what changes meanwhile does so for all. */
static int run_round(struct members *all, unsigned round, struct error *err)
{
    for (size_t i = 0; i < all->count; i++) {
        struct member *member = &all->members[round % 2 ? all->count - 1 - i : i];

        if (!member->has_failed && all->session.interrupt_count == 0 &&
            run_member(&all->session, member, err) < 0)
            return -1;
    }
    return 0;
}

static bool goes_on(const struct members *all)
{
    bool is_any_left = false;

    for (size_t i = 0; i < all->count; i++)
        is_any_left = is_any_left || !all->members[i].has_failed;
    return is_any_left && all->session.interrupt_count == 0;
}

static int run_all(struct members *all, struct error *err)
{
    unsigned rounds = all->members[0].request->run_count;

    for (unsigned i = 0; i == 0 || (i < rounds && goes_on(all)); i++)
        if (run_round(all, i, err) < 0)
            return -1;
    return 0;
}

static int finish(const struct session *session, struct member *member, struct error *err)
{
    struct collection *collection = &member->collection;

    collection->interrupt = session->interrupt;
    collection->was_cut_short = collection->was_cut_short || collection->interrupt ||
                                collection->profile.run_count < member->request->run_count;
    if (profile_finish(&collection->profile, err) < 0)
        return -1;
    return heap_runs_take_mean(&collection->profile, err);
}

static void members_done(struct members *all)
{
    struct session *session = &all->session;

    for (size_t i = 0; i < all->count; i++)
        recorder_free(all->members[i].recorder);
    found_threads_done(&session->threads);
    watched_time_done(&session->watched);
    descendants_done(&session->descendants);
    interrupts_done(&session->interrupts);
    (void)setrlimit(RLIMIT_NOFILE, &session->file_limit); /* also for what others start */
}

static void hand_over(struct members *all, int result, struct collection *out)
{
    for (size_t i = 0; i < all->count; i++) {
        struct member *member = &all->members[i];

        recorder_note_replaced(member->recorder);
        recorder_keep_files(member->recorder, &member->collection.files);
        if (result < 0)
            collection_done(&member->collection);
        else
            out[i] = member->collection;
    }
}

int session_run_in_turn(const struct session_request *requests, size_t count, struct collection *out,
                        struct error *err)
{
    SCOPED(members_done)
    struct members all = {.session = {.interrupts.descriptor = -1, .input = standard_input_now()},
                          .count = count};
    struct session *session = &all.session;
    int result = 0;

    assert(count <= SESSION_MEMBERS_MAX);
    (void)getrlimit(RLIMIT_NOFILE, &session->file_limit); /* there is always one */
    for (size_t i = 0; i < count; i++)
        begin(&all.members[i], &requests[i]);
    descendants_adopt(&session->descendants);
    result = interrupts_take(&session->interrupts, err);
    if (result == 0)
        result = run_all(&all, err);
    for (size_t i = 0; i < count && result == 0; i++)
        result = finish(session, &all.members[i], err);
    /* Who asks twice stops the program, and is to have what was recorded of it. */
    if (session->interrupt_count <= 1)
        interrupts_spare_one();
    hand_over(&all, result, out);
    return result;
}

int session_run(const struct session_request *request, struct collection *out, struct error *err)
{
    return session_run_in_turn(request, 1, out, err);
}

void collection_done(struct collection *collection)
{
    open_files_close(&collection->files);
    profile_done(&collection->profile);
}
