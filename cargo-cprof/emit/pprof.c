#include "emit/pprof.h"

#include "base/memory.h"
#include "emit/function_files.h"
#include "import/pprof_fields.h"

/* --- Protocol Buffers ---------------------------------------------------------------------------- */

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

static void put_key(struct text *message, unsigned field, enum wire_type type)
{
    text_add_uleb128(message, (uint64_t)field << 3 | type);
}

/* 0 is what is taken where a field is not there. */
static void put_number(struct text *message, unsigned field, uint64_t value)
{
    if (value == 0)
        return;
    put_key(message, field, WIRE_VARINT);
    text_add_uleb128(message, value);
}

static void put_bytes(struct text *message, unsigned field, struct slice bytes)
{
    put_key(message, field, WIRE_BYTES);
    text_add_uleb128(message, bytes.length);
    text_add(message, bytes);
}

/* --- The message --------------------------------------------------------------------------------- */

struct message {
    struct text *out;
    const struct profile *profile;
    struct intern strings; /* the first is the empty one */
    struct function_files files;
    struct pair_index functions; /* function and file: numbers from 1 on, as of all that follow */
    size_t value_count;          /* that each sample has: */
    size_t *first_values;        /* owned, by series: which are its own */
    struct text scratch;         /* of a message in the message, */
    struct text inner;           /* and of one in that */
};

static void message_done(struct message *message)
{
    intern_done(&message->strings);
    function_files_done(&message->files);
    pair_index_done(&message->functions);
    free(message->first_values);
    text_done(&message->scratch);
    text_done(&message->inner);
}

static uint32_t string_of(struct message *message, struct slice text)
{
    return intern_add(&message->strings, text);
}

static uint32_t string_at(struct message *message, uint32_t string)
{
    return string_of(message, profile_text(message->profile, string));
}

/* Puts what is in `scratch`, which is empty then. */
static void put_scratch(struct message *message, unsigned field)
{
    put_bytes(message->out, field, text_slice(&message->scratch));
    text_clear(&message->scratch);
}

static void put_value_type(struct message *message, unsigned field, struct slice type, struct slice unit)
{
    put_number(&message->scratch, VALUE_TYPE, string_of(message, type));
    put_number(&message->scratch, VALUE_UNIT, string_of(message, unit));
    put_scratch(message, field);
}

/* Whether a series tells for how much its samples stand. */
static bool has_amounts(const struct profile *profile, uint32_t series)
{
    return !slice_is(profile_text(profile, profile->series.items[series].unit), "samples");
}

static bool is_cpu_time(const struct profile *profile, uint32_t series)
{
    struct slice event = profile_text(profile, profile->series.items[series].event);

    return slice_is(event, "cpu-clock") || slice_is(event, "task-clock");
}

/* Whether it tells how many samples that are. */
static bool has_samples(const struct profile *profile, uint32_t series)
{
    return !profile->series.items[series].is_summed;
}

/* The time of a program's threads is what pprof's other writers call "cpu": the first that tells it. */
static struct slice type_of(const struct profile *profile, uint32_t series)
{
    bool is_first = is_cpu_time(profile, series);

    for (uint32_t i = 0; i < series && is_first; i++)
        is_first = !is_cpu_time(profile, i);
    return is_first ? SLICE("cpu") : profile_text(profile, profile->series.items[series].event);
}

static struct slice unit_of(const struct profile *profile, uint32_t series)
{
    struct slice unit = profile_text(profile, profile->series.items[series].unit);

    if (slice_is(unit, "ns") || slice_is(unit, "nanoseconds"))
        return SLICE("nanoseconds");
    if (slice_is(unit, "us"))
        return SLICE("microseconds");
    return slice_is(unit, "bytes") ? unit : SLICE("count");
}

/* Each has a name of its own, by which people ask for it (-sample_index). */
static void put_types(struct message *message)
{
    const struct profile *profile = message->profile;
    SCOPED(text_done) struct text samples = {0};

    for (uint32_t i = 0; i < profile->series.count; i++) {
        text_clear(&samples);
        if (i > 0) {
            text_add(&samples, profile_text(profile, profile->series.items[i].event));
            text_add_byte(&samples, '-');
        }
        text_add_string(&samples, "samples");
        message->first_values[i] = message->value_count;
        if (has_samples(profile, i))
            put_value_type(message, PROFILE_SAMPLE_TYPE, text_slice(&samples), SLICE("count"));
        if (has_amounts(profile, i))
            put_value_type(message, PROFILE_SAMPLE_TYPE, type_of(profile, i), unit_of(profile, i));
        message->value_count += (size_t)has_samples(profile, i) + (size_t)has_amounts(profile, i);
    }
}

static void put_label(struct message *message, const char *key, uint32_t text, uint64_t number)
{
    text_clear(&message->inner);
    put_number(&message->inner, LABEL_KEY, string_of(message, slice_of(key)));
    put_number(&message->inner, LABEL_TEXT, text);
    put_number(&message->inner, LABEL_NUMBER, number);
    put_bytes(&message->scratch, SAMPLE_LABEL, text_slice(&message->inner));
}

/* A location's number is its own and 1; behind all is the one of samples without a stack. */
static void put_calls(struct message *message, uint32_t stack)
{
    const struct profile *profile = message->profile;

    text_clear(&message->inner);
    if (stack == PROFILE_NONE)
        text_add_uleb128(&message->inner, profile->locations.count + 1);
    for (; stack != PROFILE_NONE; stack = profile->stacks.items[stack].parent)
        text_add_uleb128(&message->inner, (uint64_t)profile->stacks.items[stack].location + 1);
    put_bytes(&message->scratch, SAMPLE_LOCATION, text_slice(&message->inner));
}

/* Numbers are signed there. */
static uint64_t signed_value(uint64_t value)
{
    return value < INT64_MAX ? value : INT64_MAX;
}

static void put_values(struct message *message, uint32_t series, const struct sample_sum *sum)
{
    size_t first = message->first_values[series];
    bool has_amount = has_amounts(message->profile, series) && has_samples(message->profile, series);

    text_clear(&message->inner);
    for (size_t i = 0; i < message->value_count; i++) {
        uint64_t value = i == first + 1 && has_amount ? sum->value : 0;

        if (i == first)
            value = has_amount ? sum->count : sum->value;
        text_add_uleb128(&message->inner, signed_value(value));
    }
    put_bytes(&message->scratch, SAMPLE_VALUE, text_slice(&message->inner));
}

static void put_samples(struct message *message, uint32_t series)
{
    const struct profile *profile = message->profile;
    struct sums_cursor cursor = sums_cursor_of(&profile->series.items[series].samples.sums);
    struct sample_sum sum;

    while (sums_cursor_next(&cursor, &sum)) {
        const struct profile_thread *thread = &profile->threads.items[sum.thread];

        put_calls(message, sum.stack);
        put_values(message, series, &sum);
        if (thread->name != PROFILE_NO_STRING)
            put_label(message, "thread", string_at(message, thread->name), 0);
        if (thread->process_name != PROFILE_NO_STRING)
            put_label(message, "process", string_at(message, thread->process_name), 0);
        if (thread->pid > 0)
            put_label(message, "pid", 0, thread->pid);
        if (thread->tid > 0)
            put_label(message, "tid", 0, thread->tid);
        put_scratch(message, PROFILE_SAMPLE);
    }
}

/* 0 where what stands for it, where other profilers tell none, is in no file (import/pprof_modules). */
static uint64_t address_of(const struct profile *profile, size_t location)
{
    uint64_t svma = profile->locations.items[location].svma;

    return svma <= INT64_MAX || profile_is_kernels(profile, (uint32_t)location) ? svma : 0;
}

/* How far each module's code reaches, as far as it was met; to be freed. */
static uint64_t *limits_of_modules(const struct profile *profile)
{
    uint64_t *limits = memory_new(profile->modules.count + 1, sizeof(uint64_t));

    for (size_t i = 0; i < profile->locations.count; i++) {
        const struct profile_location *location = &profile->locations.items[i];

        uint64_t address = address_of(profile, i);

        if (location->module != PROFILE_NONE && address >= limits[location->module])
            limits[location->module] = address < UINT64_MAX ? address + 1 : UINT64_MAX;
    }
    return limits;
}

/* Addresses are those in the files: each file as if it were mapped from 0 on. */
static void put_mapping(struct message *message, uint32_t number, uint64_t limit)
{
    const struct profile *profile = message->profile;
    const struct profile_module *module = &profile->modules.items[number];
    SCOPED(text_done) struct text build_id = {0};

    text_add_hex_bytes(&build_id, profile_text(profile, module->build_id));
    put_number(&message->scratch, MAPPING_ID, (uint64_t)number + 1);
    put_number(&message->scratch, MAPPING_LIMIT, limit);
    put_number(&message->scratch, MAPPING_FILE, string_at(message, module->path));
    put_number(&message->scratch, MAPPING_BUILD_ID, string_of(message, text_slice(&build_id)));
    for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINED; field++)
        put_number(&message->scratch, field, 1);
    put_scratch(message, PROFILE_MAPPING);
}

/* The first one is taken for the program. */
static void put_mappings(struct message *message)
{
    const struct profile *profile = message->profile;
    SCOPED(memory_free_at) uint64_t *limits = limits_of_modules(profile);

    for (uint32_t i = 0; i < profile->modules.count; i++)
        if (profile->modules.items[i].kind == MODULE_EXECUTABLE)
            put_mapping(message, i, limits[i]);
    for (uint32_t i = 0; i < profile->modules.count; i++)
        if (profile->modules.items[i].kind != MODULE_EXECUTABLE)
            put_mapping(message, i, limits[i]);
}

static void put_line(struct message *message, uint32_t function, uint32_t file, uint32_t line)
{
    text_clear(&message->inner);
    put_number(&message->inner, LINE_FUNCTION,
               (uint64_t)pair_index_add(&message->functions, function, file) + 1);
    put_number(&message->inner, LINE_NUMBER, line);
    put_bytes(&message->scratch, LOCATION_LINE, text_slice(&message->inner));
}

static void put_locations(struct message *message)
{
    const struct profile *profile = message->profile;

    for (size_t i = 0; i < profile->locations.count; i++) {
        const struct profile_location *location = &profile->locations.items[i];

        put_number(&message->scratch, LOCATION_ID, i + 1);
        if (location->module != PROFILE_NONE)
            put_number(&message->scratch, LOCATION_MAPPING, (uint64_t)location->module + 1);
        put_number(&message->scratch, LOCATION_ADDRESS, address_of(profile, i));
        for (uint32_t at = 0; at < location->frame_count; at++) {
            const struct profile_frame *frame = &profile->frames.items[location->first_frame + at];

            put_line(message, frame->function, function_file(&message->files, frame, location->module),
                     frame->line);
        }
        put_scratch(message, PROFILE_LOCATION);
    }
    put_number(&message->scratch, LOCATION_ID, profile->locations.count + 1);
    put_line(message, PROFILE_NONE, PROFILE_NO_STRING, 0);
    put_scratch(message, PROFILE_LOCATION);
}

static void put_functions(struct message *message)
{
    const struct profile *profile = message->profile;

    for (size_t i = 0; i < message->functions.pairs.count; i++) {
        struct pair pair = message->functions.pairs.items[i];
        uint32_t name = pair.first == PROFILE_NONE
                            ? string_of(message, SLICE("[no stack]"))
                            : string_at(message, profile->functions.items[pair.first].name);

        put_number(&message->scratch, FUNCTION_ID, i + 1);
        /* Without a name as linkers have it: readers would shorten one that is the same, as of C++. */
        put_number(&message->scratch, FUNCTION_NAME, name);
        put_number(&message->scratch, FUNCTION_FILE, string_at(message, (uint32_t)pair.second));
        put_scratch(message, PROFILE_FUNCTION);
    }
}

/* `shown` is the series that readers show unless asked for another. */
static void put_facts(struct message *message, uint32_t shown)
{
    enum { NS_PER_S = 1000000000 };
    const struct profile *profile = message->profile;
    uint32_t frequency_hz = 0;

    put_number(message->out, PROFILE_TIME_NANOS, signed_value(profile->started_unix_ns));
    put_number(message->out, PROFILE_DURATION_NANOS, signed_value(profile->wall_ns));
    if (profile->command != PROFILE_NO_STRING)
        put_number(message->out, PROFILE_COMMENT, string_at(message, profile->command));
    if (shown >= profile->series.count || !has_amounts(profile, shown))
        return;
    frequency_hz = profile->series.items[shown].frequency_hz;
    put_number(message->out, PROFILE_DEFAULT_TYPE, string_of(message, type_of(profile, shown)));
    if (frequency_hz == 0 || !slice_is(unit_of(profile, shown), "nanoseconds"))
        return;
    put_value_type(message, PROFILE_PERIOD_TYPE, type_of(profile, shown), unit_of(profile, shown));
    put_number(message->out, PROFILE_PERIOD, NS_PER_S / frequency_hz);
}

/* All in the order in which they were asked for, the empty one first; they have to be UTF-8. */
static void put_strings(struct message *message)
{
    for (uint32_t i = 0; i < message->strings.entries.count; i++) {
        text_clear(&message->scratch);
        text_add_utf8(&message->scratch, intern_text(&message->strings, i));
        put_scratch(message, PROFILE_STRING);
    }
}

void pprof_add(struct text *text, const struct profile *profile, uint32_t shown)
{
    SCOPED(message_done)
    struct message message = {
        .out = text,
        .profile = profile,
        .first_values = memory_new(profile->series.count + 1, sizeof(size_t)),
    };

    function_files_init(&message.files, profile);
    string_of(&message, SLICE(""));
    put_types(&message);
    for (uint32_t i = 0; i < profile->series.count; i++)
        put_samples(&message, i);
    put_mappings(&message);
    put_locations(&message);
    put_functions(&message);
    put_facts(&message, shown);
    put_strings(&message);
}
