#include "import/pprof.h"

#include "base/ascii.h"
#include "base/memory.h"
#include "base/scan.h"
#include "import/pprof_message.h"
#include "import/pprof_modules.h"
#include "import/pprof_names.h"
#include "import/pprof_prune.h"
#include "import/pprof_types.h"

/* A message while it becomes a profile. */
struct importing {
    struct pprof_message message;
    struct profile *profile; /* borrowed */
    struct pprof_plan plan;
    struct pprof_modules modules;
    struct pprof_prune prune;
    uint32_t *locations;   /* owned; as pprof_names_set takes them */
    struct intern threads; /* what labels tell of them; their numbers are the profile's */
    struct text scratch;
};

static void importing_done(struct importing *work)
{
    pprof_message_done(&work->message);
    pprof_modules_done(&work->modules);
    pprof_prune_done(&work->prune);
    free(work->locations);
    intern_done(&work->threads);
    text_done(&work->scratch);
}

bool pprof_begins(struct slice start)
{
    return pprof_message_begins(start);
}

/* --- Threads ------------------------------------------------------------------------------------- */

struct thread_labels {
    struct slice name;
    struct slice process;
    uint32_t pid;
    uint32_t tid;
};

static bool is_one_of(struct slice key, const char *const *keys)
{
    for (; *keys; keys++)
        if (slice_is(key, *keys))
            return true;
    return false;
}

/* Some write the number as text. */
static uint32_t number_of(const struct pprof_label *label, struct slice text)
{
    struct scan scan = scan_of(text);
    uint64_t number = label->number;

    if (text.length > 0 && (!scan_decimal(&scan, &number) || !scan_at_end(&scan)))
        return 0;
    return number <= UINT32_MAX ? (uint32_t)number : 0;
}

static struct thread_labels labels_of(const struct pprof_message *message, const struct pprof_sample *sample)
{
    static const char *const names[] = {"thread", "thread_name", "thread name", NULL};
    static const char *const tids[] = {"tid", "thread_id", "thread id", NULL};
    static const char *const processes[] = {"process", "process_name", "process name", NULL};
    static const char *const pids[] = {"pid", "process_id", "process id", NULL};
    struct thread_labels found = {0};

    for (size_t i = 0; i < sample->labels.count; i++) {
        const struct pprof_label *label = &sample->labels.items[i];
        struct slice key = pprof_text(message, label->key);
        struct slice text = pprof_text(message, label->text);

        if (is_one_of(key, names) && text.length > 0)
            found.name = text;
        else if (is_one_of(key, processes))
            found.process = text;
        else if (is_one_of(key, tids) || is_one_of(key, names))
            found.tid = number_of(label, text);
        else if (is_one_of(key, pids))
            found.pid = number_of(label, text);
    }
    return found;
}

/* The first mapping is the program's, where no label tells. */
static struct slice program_of(const struct pprof_message *message)
{
    return message->mappings.count > 0 ? slice_file_name(pprof_text(message, message->mappings.items[0].file))
                                       : (struct slice){0};
}

static uint32_t thread_of(struct importing *work, const struct pprof_sample *sample)
{
    struct thread_labels labels = labels_of(&work->message, sample);
    struct slice program = labels.process.length > 0 ? labels.process : program_of(&work->message);
    uint32_t id = 0;

    text_clear(&work->scratch);
    text_format(&work->scratch, "%u %u ", labels.pid, labels.tid);
    text_add(&work->scratch, labels.name);
    text_add_byte(&work->scratch, '\0');
    text_add(&work->scratch, labels.process);
    id = intern_add(&work->threads, text_slice(&work->scratch));
    if (id < work->profile->threads.count)
        return id;
    profile_add_thread(work->profile, labels.pid, labels.tid, labels.name);
    if (program.length > 0)
        work->profile->threads.items[id].process_name = profile_string(work->profile, program);
    return id;
}

/* --- Stacks -------------------------------------------------------------------------------------- */

/* As emit/pprof writes samples that have none. */
static bool has_no_stack(const struct pprof_message *message, const struct pprof_sample *sample)
{
    const struct pprof_location *location = NULL;
    const struct pprof_function *function = NULL;

    if (sample->locations.count != 1)
        return sample->locations.count == 0;
    location = &message->locations.items[sample->locations.items[0]];
    if (location->line_count != 1 || location->avma != 0 || location->mapping != 0)
        return false;
    function = pprof_function_of(message, message->lines.items[location->first_line].function);
    return function && slice_is(pprof_text(message, function->name), "[no stack]");
}

static uint32_t location_of(struct importing *work, uint64_t place)
{
    uint32_t *known = &work->locations[place];

    if (*known == PROFILE_NONE)
        *known = pprof_modules_add_location(&work->modules, &work->message.locations.items[place]);
    return *known;
}

static uint32_t stack_of(struct importing *work, const struct pprof_sample *sample)
{
    uint32_t stack = PROFILE_NONE;

    if (has_no_stack(&work->message, sample))
        return PROFILE_NONE;
    for (size_t i = sample->locations.count; i-- > 0;)
        stack = profile_stack(work->profile, stack, location_of(work, sample->locations.items[i]));
    return stack;
}

/* --- Samples ------------------------------------------------------------------------------------- */

/* So many samples are that value together. */
static void add_samples(struct profile *profile, uint32_t series, struct profile_sample sample,
                        uint64_t count)
{
    uint64_t value = sample.value / count;
    uint64_t rest = sample.value % count;

    for (uint64_t i = 0; i < count; i++) {
        sample.value = value + (i < rest);
        profile_add_sample(profile, series, sample);
    }
}

static void add_sample(struct importing *work, const struct pprof_sample *from)
{
    struct profile_sample sample = {.thread = thread_of(work, from), .stack = stack_of(work, from)};

    for (uint32_t i = 0; i < work->plan.count; i++) {
        uint64_t count = 0;

        sample.value = pprof_value_of(&work->plan.series[i], from, &count);
        if (count > 0)
            add_samples(work->profile, i, sample, count);
    }
}

/* Looks at all samples, and at the second time takes them. */
static int walk(struct importing *work, bool is_second, struct error *err)
{
    SCOPED(pprof_sample_done) struct pprof_sample sample = {0};

    for (size_t i = 0; i < work->message.samples.count; i++) {
        if (pprof_sample_read(&work->message, work->message.samples.items[i], &sample, err) < 0)
            return -1;
        if (!is_second) {
            pprof_plan_see(&work->plan, &sample);
            continue;
        }
        pprof_prune_sample(&work->prune, &sample);
        add_sample(work, &sample);
    }
    return 0;
}

/*
 * What is counted is called as its type, and units are those of several (series_unit): Go's "goroutine" is of
 * goroutines. Only of one word, as others are no such names: "sched:sched_switch".
 */
static void add_units(struct text *text, const struct pprof_series *series)
{
    struct slice unit = series->unit;
    bool is_of_type = slice_equal(unit, series->event);

    text_add(text, unit);
    for (size_t i = 0; i < unit.length; i++)
        is_of_type = is_of_type && ascii_is_letter(unit.data[i]);
    if (is_of_type && !slice_ends_with(unit, SLICE("s")))
        text_add_byte(text, 's');
}

static void add_series(struct importing *work)
{
    for (size_t i = 0; i < work->plan.count; i++) {
        const struct pprof_series *series = &work->plan.series[i];
        SCOPED(text_done) struct text units = {0};
        uint32_t id = 0;

        add_units(&units, series);
        id = profile_add_series(work->profile, series->event, text_slice(&units), pprof_frequency_hz(series));

        work->profile->series.items[id].is_summed = series->is_summed;
    }
}

/* The first comment where it is a command: others write there what they like. */
static struct slice command_of(const struct pprof_message *message)
{
    struct slice comment = {0};
    struct slice program = program_of(message);
    struct slice word = {0};
    struct scan scan;

    if (message->comments.count == 0)
        return comment;
    comment = pprof_text(message, message->comments.items[0]);
    scan = scan_of(comment);
    return scan_word(&scan, &word) && program.length > 0 && slice_equal(slice_file_name(word), program)
               ? comment
               : (struct slice){0};
}

/* Nothing tells whether it is of all that the program did. */
static void set_facts(const struct pprof_message *message, struct profile *profile)
{
    profile->started_unix_ns = message->time_ns > 0 ? (uint64_t)message->time_ns : 0;
    profile->wall_ns = message->duration_ns > 0 ? (uint64_t)message->duration_ns : 0;
    profile->is_part = true;
    profile->command = profile_string(profile, command_of(message));
}

int pprof_read(struct slice bytes, struct profile *profile, struct error *err)
{
    SCOPED(importing_done) struct importing work = {.profile = profile};

    if (pprof_message_read(bytes, &work.message, err) < 0)
        return -1;
    if (pprof_prune_init(&work.message, &work.prune, err) < 0)
        return -1;
    work.modules.message = &work.message;
    work.modules.profile = profile;
    work.locations = memory_new(work.message.locations.count + 1, sizeof(*work.locations));
    for (size_t i = 0; i < work.message.locations.count; i++)
        work.locations[i] = PROFILE_NONE;
    pprof_plan_begin(&work.message, &work.plan);
    if (walk(&work, false, err) < 0 || pprof_plan_end(&work.plan, err) < 0)
        return -1;
    add_series(&work);
    if (walk(&work, true, err) < 0)
        return -1;
    set_facts(&work.message, profile);
    pprof_names_set(&work.modules, work.locations);
    return profile_finish(profile, err);
}
