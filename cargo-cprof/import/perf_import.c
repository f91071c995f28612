#include "import/perf_import.h"

#include "collect/collect.h"
#include "elf/perf_copies.h"
#include "import/recorded_kernel.h"
#include "import/recorded_times.h"
#include "sampler/perf_data/perf_data.h"
#include "symbolize/symbolize.h"
#include "symbolize/thread_names.h"

/* One file on its way into a profile. */
struct import {
    struct perf_data *data;
    struct recorder *recorder;
    struct profile *profile;
    struct recorded_kernel kernel;
    struct open_files files;
    struct text copies;           /* where perf keeps copies of files */
    VEC(uint64_t) sums;           /* of a source's samples */
    struct jit_doubts jit_doubts; /* of names of code made at run time */
    uint64_t beyond_count;        /* samples with which that would be 2^63 or more */
};

static void import_done(struct import *import)
{
    recorder_free(import->recorder);
    recorded_kernel_done(&import->kernel);
    open_files_close(&import->files);
    perf_data_close(import->data);
    text_done(&import->copies);
    vec_done(&import->sums);
}

/* --- Its samples ---------------------------------------------------------------------------------- */

/* Whether what the sample stands for can be added to what those before it do. */
static bool adds_up(struct import *import, const struct sampler_event *event)
{
    uint64_t *sum = &import->sums.items[event->kind_index];

    if (event->sample.period > INT64_MAX - *sum) {
        import->beyond_count++;
        return false;
    }
    *sum += event->sample.period;
    return true;
}

static void take_all(struct import *import)
{
    struct sampler_event event;
    struct recorder *recorder = import->recorder;

    while (perf_data_next(import->data, &event)) {
        if (event.kind == SAMPLER_SAMPLE) {
            if (!adds_up(import, &event))
                continue;
            recorder_set_stacks(recorder, perf_data_stacks(import->data, event.kind_index),
                                perf_data_most_calls(import->data, event.kind_index));
            recorded_kernel_move(&import->kernel, import->data, &event.sample);
        }
        recorder_take(recorder, &event);
    }
    recorder_end(recorder);
}

static void describe(const struct import *import)
{
    const struct perf_data_about *about = perf_data_about(import->data);
    struct profile *profile = import->profile;
    uint64_t first_ns = perf_data_first_ns(import->data);

    profile->command = profile_string(profile, about->command);
    profile->started_ns = first_ns;
    profile->wall_ns = perf_data_last_ns(import->data) - first_ns;
    if (about->clock_ns > 0)
        profile->started_unix_ns = about->clock_unix_ns - about->clock_ns + first_ns;
    for (size_t i = 0; i < perf_data_source_count(import->data); i++)
        profile->series.items[i].lost_count = perf_data_lost_count(import->data, i);
}

static int name_all(struct import *import, struct error *err)
{
    struct symbolize_request request = {
        .kernel_symbols = recorded_kernel_list(&import->kernel),
        .may_ask_kernel = import->kernel.is_ours,
        .is_of_other_kernel = !import->kernel.is_ours,
    };

    recorder_note_replaced(import->recorder);
    recorder_keep_files(import->recorder, &import->files);
    request.why_no_kernel = request.kernel_symbols ? NULL : import->kernel.why;
    if (symbolize_recorded(import->profile, &import->files.jit_dumps, &request, &import->jit_doubts, err) < 0)
        return -1;
    thread_names_complete(import->profile);
    return 0;
}

static int make(struct import *import, int file, const char *name, const char *root, struct error *err)
{
    if (perf_data_open(file, name, &import->data, err) < 0)
        return -1;
    import->recorder = recorder_new(import->profile);
    perf_copies_add_folder(&import->copies);
    recorder_set_past(import->recorder, recorded_times(file, import->data),
                      (struct modules_places){root, text_string(&import->copies)});
    recorded_kernel_init(&import->kernel, perf_data_about(import->data), text_slice(&import->copies));
    for (size_t i = 0; i < perf_data_source_count(import->data); i++) {
        recorder_add_source(import->recorder, perf_data_source(import->data, i));
        *vec_add(&import->sums) = 0;
    }
    take_all(import);
    describe(import);
    if (profile_finish(import->profile, err) < 0)
        return -1;
    return name_all(import, err);
}

int perf_import(int file, const char *name, const char *root, struct profile *profile,
                struct perf_losses *losses, struct error *err)
{
    SCOPED(import_done) struct import import = {.profile = profile};

    profile_init(profile);
    if (make(&import, file, name, root, err) < 0) {
        profile_done(profile);
        return -1;
    }
    *losses = (struct perf_losses){
        .is_of_perf = true,
        .damaged_count = perf_data_damaged_count(import.data) + import.beyond_count,
        .idle_count = perf_data_idle_count(import.data),
        .has_branch_calls = perf_data_has_branch_calls(import.data),
        .has_other_counts = perf_data_has_counts_of_others(import.data),
        .is_cut = perf_data_is_cut(import.data),
        .jit_doubts = import.jit_doubts,
    };
    return 0;
}
