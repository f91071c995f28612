#include "sampler/perf_data/perf_data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "sampler/perf/event_name.h"
#include "sampler/perf/raw_wait.h"
#include "sampler/perf_data/record.h"
#include "sampler/perf_data/records.h"

enum { USUAL_MOST_CALLS = 127, NO_SOURCE = -1 };

/* An event with samples. */
struct source {
    uint32_t event; /* of `about` */
    struct sampler_source told;
    uint64_t lost_records; /* also of other events' that share its ring, as told where it happened, */
    uint64_t lost_samples; /* and of its own alone, as counted in the end, where perf asks for that */
};

struct perf_data {
    struct perf_data_file file;
    struct perf_data_about about;
    struct perf_data_records records;
    bool is_unfinished;
    bool has_lost_samples; /* they were counted for each event */
    VEC(struct source) sources;
    VEC(int) source_of_event;
    VEC(struct perf_data_kernel_part) kernel;
};

void perf_data_close(struct perf_data *data)
{
    if (!data)
        return;
    records_done(&data->records);
    about_done(&data->about);
    vec_done(&data->sources);
    vec_done(&data->source_of_event);
    vec_done(&data->kernel);
    free(data);
}

/* --- Sources -------------------------------------------------------------------------------------- */

static bool is_software(const struct perf_event_attr *attributes, uint64_t config)
{
    return attributes->type == PERF_TYPE_SOFTWARE && attributes->config == config;
}

/* "cpu-clock" of "cpu-clock/freq=99/": what it was to be like stands behind it. Empty for any other event's.
 */
static struct slice name_before_terms(struct perf_data_about *about, const struct perf_data_event *event)
{
    struct slice name = slice_range(event->name, 0, slice_find_byte(event->name, '/'));
    struct sampler_event_kind kind = {0};
    struct error unknown = {0};

    return name.length < event->name.length &&
                   event_name_read(&about->arena, name, "", &kind, &unknown) == 0 &&
                   kind.type == event->attributes.type && kind.config == event->attributes.config
               ? name
               : (struct slice){0};
}

/* Without its modifiers; all of it where it ends in none. */
static struct slice name_before_modifiers(struct slice name)
{
    static const char modifiers[] = "ukhpPGHIDSWeb";
    size_t colon = slice_find_last_byte(name, ':');

    for (size_t i = colon + 1; i < name.length; i++)
        if (!memchr(modifiers, name.data[i], sizeof(modifiers) - 1))
            return name;
    return slice_range(name, 0, colon);
}

/* "cpu-clock" of "cpu-clock:ppp": how precise it was to be tells nothing; whose part it is stays. */
static const char *plain_name(struct perf_data_about *about, const struct perf_data_event *event)
{
    struct slice name = name_before_terms(about, event);
    const struct perf_event_attr *attributes = &event->attributes;
    const char *modifier = attributes->exclude_kernel == attributes->exclude_user ? ""
                           : attributes->exclude_kernel                           ? ":u"
                                                                                  : ":k";
    /* Of what perf did not name before it was ended, or somebody has called otherwise. */
    const char *own = event_name_of_number(attributes->type, attributes->config);

    if (event->name.length == 0 && own)
        return arena_format(&about->arena, "%s%s", own, modifier);
    if (event->name.length == 0)
        return arena_format(&about->arena, "event %u:%llu", attributes->type,
                            (unsigned long long)attributes->config);
    if (attributes->type == PERF_TYPE_TRACEPOINT)
        return arena_copy(&about->arena, event->name);
    if (name.length == 0)
        name = name_before_modifiers(event->name);
    if (name.length == event->name.length && !own)
        return arena_copy(&about->arena, name);
    return arena_format(&about->arena, "%.*s%s", SLICE_ARGUMENTS(name), modifier);
}

/* perf record --off-cpu. */
static bool is_off_cpu(const struct perf_data_event *event)
{
    return is_software(&event->attributes, PERF_COUNT_SW_BPF_OUTPUT) && slice_is(event->name, "offcpu-time");
}

/*
 * What perf writes of times is in nanoseconds; of what else has a name here, that tells the unit. What it
 * measures of waits (perf record --off-cpu) is no time of a processor.
 */
static const char *unit_of(struct perf_data_about *about, const struct perf_data_event *event,
                           const char *name)
{
    struct sampler_event_kind kind = {0};
    struct error unknown = {0};
    const char *own = event_name_of_number(event->attributes.type, event->attributes.config);

    if (is_off_cpu(event))
        return "nanoseconds";
    if (event->attributes.type == PERF_TYPE_TRACEPOINT ||
        event_name_read(&about->arena, slice_of(own ? own : name), "", &kind, &unknown) < 0)
        return "events";
    return kind.unit;
}

static bool has_source_of(const struct perf_data *data, const char *name)
{
    for (size_t i = 0; i < data->sources.count; i++)
        if (strcmp(data->sources.items[i].told.event, name) == 0)
            return true;
    return false;
}

/* No two are called the same: what perf calls it, or which of them it is, tells them apart. */
static const char *own_name(struct perf_data *data, const struct perf_data_event *event)
{
    const char *name = plain_name(&data->about, event);
    const char *told = name;

    if (has_source_of(data, name) && event->name.length > 0)
        told = arena_copy(&data->about.arena, event->name);
    if (has_source_of(data, told))
        told = arena_format(&data->about.arena, "%s#%zu", name, data->sources.count + 1);
    return told;
}

static void add_source(struct perf_data *data, uint32_t event)
{
    const struct perf_data_event *told = &data->about.events.items[event];
    const char *name = own_name(data, told);

    *vec_add(&data->source_of_event) = (int)data->sources.count;
    *vec_add(&data->sources) = (struct source){
        .event = event,
        .told = {.event = name,
                 .unit = unit_of(&data->about, told, name),
                 .frequency_hz = told->attributes.freq ? (uint32_t)told->attributes.sample_freq : 0,
                 .is_user_only = told->attributes.exclude_kernel},
    };
}

/* Of an event, those that are left out. */
static uint64_t idle_count(const struct perf_data *data, size_t event)
{
    return data->about.has_outside ? 0 : data->about.events.items[event].idle_count;
}

static int refuse_without_samples(const struct perf_data *data, struct error *err)
{
    if (data->records.has_lost) {
        error_hint(err, "perf record -m 8M has more room for them, and a lower frequency (-F) needs less");
        return error_set(err, ERROR_FORMAT, "%s has no samples: perf has lost all of them", data->file.name);
    }
    if (perf_data_idle_count(data) > 0)
        return error_set(err, ERROR_FORMAT, "%s has no samples but those of idle processors",
                         data->file.name);
    error_hint(err, "there are some where the program has run for long enough, and its events happened");
    return error_set(err, ERROR_FORMAT, "%s has no samples", data->file.name);
}

static int add_sources(struct perf_data *data, struct error *err)
{
    for (uint32_t i = 0; i < data->about.events.count; i++) {
        struct perf_data_event *event = &data->about.events.items[i];

        event->form.has_raw_waits = is_off_cpu(event) && event->form.sample_type & PERF_SAMPLE_RAW;
        if (data->about.events.items[i].sample_count > idle_count(data, i))
            add_source(data, i);
        else
            *vec_add(&data->source_of_event) = NO_SOURCE;
    }
    return data->sources.count > 0 ? 0 : refuse_without_samples(data, err);
}

/* --- Opening -------------------------------------------------------------------------------------- */

/* Registers and code are those of the machine that it was made on. */
static int check_machine(const struct perf_data *data, struct error *err)
{
#if defined(__aarch64__)
    static const char own[] = "aarch64";
#else
    static const char own[] = "x86_64";
#endif
    struct slice machine = data->about.machine;

    if (machine.length == 0 || slice_is(machine, own))
        return 0;
    return error_set(
        err, ERROR_FORMAT,
        "%s was recorded on %.*s, and stacks are walked by this program on %s alone: read it there",
        data->file.name, SLICE_ARGUMENTS(machine), own);
}

static int open_all(struct perf_data *data, struct error *err)
{
    struct perf_data_range range = {0};
    struct stat file;

    if (fstat(data->file.descriptor, &file) < 0)
        return error_set(err, ERROR_IO, "read %s: %s", data->file.name, strerror(errno));
    data->file.size_bytes = (uint64_t)file.st_size;
    if (perf_data_read_header(&data->file, &data->about, &range, err) < 0)
        return -1;
    data->is_unfinished = range.is_unfinished;
    if (data->about.has_folders) {
        error_hint(err, "perf inject -i FOLDER -o - > one.data puts all of them into one, which is read; or "
                        "record without --threads");
        return error_set(err, ERROR_FORMAT,
                         "%s is of several files (perf record --threads), which are not read here",
                         data->file.name);
    }
    if (check_machine(data, err) < 0 ||
        records_find(&data->file, range, &data->about, &data->records, err) < 0 ||
        check_machine(data, err) < 0)
        return -1;
    return add_sources(data, err);
}

int perf_data_open(int file, const char *name, struct perf_data **out, struct error *err)
{
    struct perf_data *data = memory_new(1, sizeof(*data));

    data->file = (struct perf_data_file){file, name, 0};
    data->records.unpacked = -1;
    if (open_all(data, err) < 0) {
        perf_data_close(data);
        return -1;
    }
    *out = data;
    return 0;
}

/* --- Events --------------------------------------------------------------------------------------- */

static bool is_of_kernel(const struct perf_event_header *header, const struct sampler_event *event)
{
    return event->kind == SAMPLER_MAPPING && event->pid == UINT32_MAX &&
           (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
}

static void add_kernel_part(struct perf_data *data, const struct sample_mapping *mapping)
{
    *vec_add(&data->kernel) = (struct perf_data_kernel_part){
        .name = arena_slice(&data->about.arena, mapping->path),
        .start_avma = mapping->start_avma,
        .size_bytes = mapping->size_bytes,
        .symbol_avma = mapping->file_offset,
    };
}

/*
 * Of a process that was there before, whose memory perf tells of itself: it has nothing from its parent
 * (perf_event__synthesize_fork of tools/perf/util/synthetic-events.c).
 */
static bool is_fork_of_earlier(const struct perf_event_header *header, const struct sampler_event *event)
{
    return event->kind == SAMPLER_FORK && header->misc & PERF_RECORD_MISC_FORK_EXEC &&
           event->pid != event->fork.parent_pid;
}

/* `source` is NO_SOURCE where the event has no samples: of its ring others may have. */
static void note_lost(struct perf_data *data, int source, uint32_t type, uint64_t count)
{
    if (type != PERF_RECORD_LOST_SAMPLES) {
        data->sources.items[source < 0 ? 0 : source].lost_records += count;
        return;
    }
    data->has_lost_samples = true;
    if (source >= 0)
        data->sources.items[source].lost_samples += count;
}

/* Whether it is one of those that are told. */
static bool take(struct perf_data *data, const struct perf_event_header *header, struct sampler_event *event)
{
    uint32_t index = about_event_of(&data->about, event->event_id);
    int source = data->source_of_event.items[index];

    if (is_of_kernel(header, event)) {
        add_kernel_part(data, &event->mapping);
        return false;
    }
    if (event->kind == SAMPLER_MAPPING && event->mapping.build_id.length == 0) {
        event->mapping.build_id = about_build_id_of_mapped(&data->about, event->mapping.path);
        event->mapping.is_of_path = true;
    }
    event->kind_index = source < 0 ? 0 : (uint32_t)source;
    if (event->kind == SAMPLER_LOST && !about_is_of_lost(header))
        return false;
    if (event->kind == SAMPLER_LOST)
        note_lost(data, source, header->type, event->lost_count);
    if (event->kind == SAMPLER_SAMPLE)
        return source >= 0 &&
               (data->about.has_outside ||
                !about_is_idle(header, &data->about.events.items[index], event->pid, event->tid));
    return !is_fork_of_earlier(header, event);
}

static const struct decode_form *form_of(const struct perf_data *data, struct slice record)
{
    const struct perf_data_event *events = data->about.events.items;
    uint64_t id = 0;

    return decode_event_id(record, &events[0].form, &id) ? &events[about_event_of(&data->about, id)].form
                                                         : &events[0].form;
}

/* The calls of the program that a record after the sample tells. */
static void find_calls(struct perf_data *data, struct sampler_event *sampled)
{
    struct sampler_event told = {0};
    struct slice record = {0};

    if (sampled->sample.later_calls == 0 ||
        !records_calls(&data->records, sampled->tid, sampled->sample.later_calls, &record))
        return;
    if (decode_record(record, form_of(data, record), &told))
        sampled->sample.user_calls = told.calls.user_calls;
    else
        data->records.damaged_count++;
}

/*
 * Reads the next record. One whose event was told of behind it alone was put in order by the form of another,
 * and is at another time than it says: it is damaged, as is one that somebody has written over meanwhile.
 */
static bool read_event(struct perf_data *data, struct slice record, uint64_t time_ns,
                       struct sampler_event *out)
{
    *out = (struct sampler_event){0};
    if (decode_record(record, form_of(data, record), out) && out->time_ns == time_ns)
        return true;
    data->records.damaged_count++;
    return false;
}

bool perf_data_next(struct perf_data *data, struct sampler_event *out)
{
    struct slice record = {0};
    uint64_t time_ns = 0;

    while (records_next(&data->records, &record, &time_ns)) {
        struct perf_event_header header = record_header(record);

        if (!read_event(data, record, time_ns, out) || !take(data, &header, out))
            continue;
        if (out->kind == SAMPLER_SAMPLE)
            find_calls(data, out);
        return true;
    }
    return false;
}

/* --- What it tells -------------------------------------------------------------------------------- */

const struct perf_data_about *perf_data_about(const struct perf_data *data)
{
    return &data->about;
}

size_t perf_data_source_count(const struct perf_data *data)
{
    return data->sources.count;
}

struct sampler_source perf_data_source(const struct perf_data *data, size_t index)
{
    return data->sources.items[index].told;
}

static const struct perf_data_event *event_of_source(const struct perf_data *data, size_t index)
{
    return &data->about.events.items[data->sources.items[index].event];
}

enum sampler_stacks perf_data_stacks(const struct perf_data *data, size_t index)
{
    const struct perf_data_event *event = event_of_source(data, index);
    const struct perf_event_attr *attributes = &event->attributes;
    uint64_t copied = PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

    if (event->form.has_raw_waits)
        return SAMPLER_STACKS_FRAME_POINTERS;
    if ((attributes->sample_type & copied) == copied)
        return SAMPLER_STACKS_COPIED;
    return attributes->sample_type & PERF_SAMPLE_CALLCHAIN && !attributes->exclude_callchain_user
               ? SAMPLER_STACKS_FRAME_POINTERS
               : SAMPLER_STACKS_NONE;
}

uint16_t perf_data_most_calls(const struct perf_data *data, size_t index)
{
    const struct perf_data_event *event = event_of_source(data, index);
    uint16_t asked = event->attributes.sample_max_stack;

    if (is_off_cpu(event))
        return RAW_WAIT_MOST_CALLS;
    return asked ? asked : USUAL_MOST_CALLS;
}

size_t perf_data_kernel_count(const struct perf_data *data)
{
    return data->kernel.count;
}

const struct perf_data_kernel_part *perf_data_kernel_part(const struct perf_data *data, size_t index)
{
    return &data->kernel.items[index];
}

uint64_t perf_data_first_ns(const struct perf_data *data)
{
    return data->records.first_ns;
}

uint64_t perf_data_last_ns(const struct perf_data *data)
{
    return data->records.last_ns;
}

uint64_t perf_data_lost_count(const struct perf_data *data, size_t index)
{
    const struct source *source = &data->sources.items[index];

    /* The same ones are told both ways. */
    return data->has_lost_samples ? source->lost_samples : source->lost_records;
}

uint64_t perf_data_idle_count(const struct perf_data *data)
{
    uint64_t count = 0;

    for (size_t i = 0; i < data->about.events.count; i++)
        count += idle_count(data, i);
    return count;
}

uint64_t perf_data_damaged_count(const struct perf_data *data)
{
    return data->records.damaged_count;
}

bool perf_data_has_branch_calls(const struct perf_data *data)
{
    for (size_t i = 0; i < data->sources.count; i++) {
        const struct perf_event_attr *attributes = &event_of_source(data, i)->attributes;

        if (attributes->sample_type & PERF_SAMPLE_BRANCH_STACK &&
            attributes->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK &&
            perf_data_stacks(data, i) != SAMPLER_STACKS_COPIED)
            return true;
    }
    return false;
}

bool perf_data_has_counts_of_others(const struct perf_data *data)
{
    for (size_t i = 0; i < data->about.events.count; i++) {
        const struct perf_event_attr *attributes = &data->about.events.items[i].attributes;

        if (attributes->sample_type & PERF_SAMPLE_READ && attributes->read_format & PERF_FORMAT_GROUP &&
            attributes->sample_period == 0)
            return true;
    }
    return false;
}

bool perf_data_is_cut(const struct perf_data *data)
{
    return data->is_unfinished || data->records.is_cut;
}
