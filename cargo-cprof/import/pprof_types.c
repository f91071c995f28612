#include "import/pprof_types.h"

#include "base/compiler.h"
#include "base/text.h"
#include "profile/heap_events.h"

/* So many samples are made of those that are counted, at most: half a day of a busy processor at 100 Hz. */
enum { SAMPLES_MOST = 1 << 22 };

/* --- Units --------------------------------------------------------------------------------------- */

enum measure { MEASURE_OF_TIME, MEASURE_OF_MEMORY, MEASURE_OF_THINGS };

struct unit {
    const char *name; /* as pprof's own writers have it, of several */
    enum measure measure;
    uint64_t factor; /* to nanoseconds or bytes */
};

static const struct unit units[] = {
    {"nanoseconds", MEASURE_OF_TIME, 1},
    {"ns", MEASURE_OF_TIME, 1},
    {"microseconds", MEASURE_OF_TIME, 1000},
    {"us", MEASURE_OF_TIME, 1000},
    {"milliseconds", MEASURE_OF_TIME, 1000000},
    {"ms", MEASURE_OF_TIME, 1000000},
    {"seconds", MEASURE_OF_TIME, 1000000000},
    {"s", MEASURE_OF_TIME, 1000000000},
    {"bytes", MEASURE_OF_MEMORY, 1},
    {"b", MEASURE_OF_MEMORY, 1},
    {"kilobytes", MEASURE_OF_MEMORY, 1 << 10},
    {"kb", MEASURE_OF_MEMORY, 1 << 10},
    {"megabytes", MEASURE_OF_MEMORY, 1 << 20},
    {"mb", MEASURE_OF_MEMORY, 1 << 20},
    {"gigabytes", MEASURE_OF_MEMORY, 1 << 30},
    {"gb", MEASURE_OF_MEMORY, 1 << 30},
};

static const struct unit of_things = {"count", MEASURE_OF_THINGS, 1};

/* "Nanoseconds", and "nanosecond" of one, are the same unit. */
static bool is_unit(struct slice text, struct slice name)
{
    if (text.length + 1 != name.length && text.length != name.length)
        return false;
    if (text.length + 1 == name.length && (name.data[text.length] != 's' || text.length < 3))
        return false;
    for (size_t i = 0; i < text.length; i++)
        if ((text.data[i] >= 'A' && text.data[i] <= 'Z' ? text.data[i] - 'A' + 'a' : text.data[i]) !=
            name.data[i])
            return false;
    return true;
}

static const struct unit *unit_of(const struct pprof_message *message, const struct pprof_type *type)
{
    struct slice text = pprof_text(message, type->unit);

    for (size_t i = 0; i < ARRAY_COUNT(units); i++)
        if (is_unit(text, slice_of(units[i].name)))
            return &units[i];
    return &of_things;
}

static struct slice name_of(const struct pprof_message *message, size_t type)
{
    return pprof_text(message, message->types.items[type].type);
}

/* --- Which types are series ---------------------------------------------------------------------- */

/* "samples", or "page-faults-samples" where samples of several events are in one file. */
static bool is_of_samples(const struct pprof_message *message, size_t type)
{
    struct slice name = name_of(message, type);

    return unit_of(message, &message->types.items[type])->measure == MEASURE_OF_THINGS &&
           (slice_is(name, "samples") || slice_ends_with(name, SLICE("-samples")));
}

/* What tells how many samples the values of a type are of: the type before it. */
static size_t count_type_of(const struct pprof_message *message, size_t type)
{
    return type > 0 && is_of_samples(message, type - 1) && !is_of_samples(message, type) ? type - 1
                                                                                         : PPROF_NO_TYPE;
}

/* What all values are multiples of where they are of samples that stand for as much each. */
static uint64_t period_of(const struct pprof_message *message, size_t type)
{
    const struct pprof_type *of = &message->types.items[type];
    bool is_same = slice_equal(name_of(message, type), pprof_text(message, message->period_type.type)) &&
                   slice_equal(pprof_text(message, of->unit), pprof_text(message, message->period_type.unit));

    return is_same && message->period <= INT64_MAX ? message->period : 0;
}

static bool is_cpu_time(struct slice event)
{
    return slice_is(event, "cpu") || slice_is(event, "cpu-clock") || slice_is(event, "task-clock");
}

/* Names of units that make values mean something else. */
static bool is_units_own(struct slice name)
{
    static const char *const own[] = {"", "ns", "us", "cycles", "samples", "bytes", "nanoseconds"};

    return slice_is_any(name, own, ARRAY_COUNT(own));
}

static struct slice unit_of_things(struct slice event)
{
    if (heap_event_of(event) == HEAP_EVENT_COUNT)
        return SLICE("allocations");
    return is_units_own(event) ? SLICE("events") : event;
}

/* Of CPU time samples are told of, and of waits how long each was; of other times how long all were. */
static void set_time(struct pprof_series *series)
{
    enum { NS_PER_US = 1000 };

    if (is_cpu_time(series->event) && (series->count_type != PPROF_NO_TYPE || series->period > 0)) {
        series->unit = SLICE("ns");
    } else if (slice_is(series->event, "off-cpu") && series->factor >= NS_PER_US &&
               series->count_type != PPROF_NO_TYPE) {
        series->unit = SLICE("us");
        series->factor /= NS_PER_US;
    } else {
        series->unit = SLICE("nanoseconds");
    }
}

static bool is_of_heap(const struct pprof_series *series)
{
    return heap_event_of(series->event) != HEAP_EVENT_NONE;
}

/* How far what samples of the heap stand for may differ by chance is in no such file. */
static bool may_be_counted(const struct pprof_series *series)
{
    return !is_of_heap(series) && (series->count_type != PPROF_NO_TYPE || slice_is(series->unit, "ns"));
}

static struct pprof_series series_of(const struct pprof_message *message, size_t type)
{
    const struct unit *unit = unit_of(message, &message->types.items[type]);
    struct slice name = name_of(message, type);
    struct pprof_series series = {
        .type = type,
        .count_type = count_type_of(message, type),
        .period = period_of(message, type),
        .factor = unit->factor,
        .event = name.length > 0 ? name : SLICE("events"),
    };

    if (is_of_samples(message, type)) {
        series.unit = SLICE("samples");
        return series;
    }
    if (unit->measure == MEASURE_OF_TIME)
        set_time(&series);
    else
        series.unit = unit->measure == MEASURE_OF_MEMORY ? SLICE("bytes") : unit_of_things(series.event);
    if (may_be_counted(&series))
        series.counting = series.count_type != PPROF_NO_TYPE ? PPROF_COUNTS_BY_TYPE : PPROF_COUNTS_BY_PERIOD;
    series.is_summed = series.counting == PPROF_COUNTS_NOTHING;
    return series;
}

/* What pprof shows unless told otherwise. */
static size_t usual_type(const struct pprof_message *message)
{
    struct slice wanted = pprof_text(message, message->default_type);

    for (size_t i = 0; wanted.length > 0 && i < message->types.count; i++)
        if (slice_equal(name_of(message, i), wanted))
            return i;
    return message->types.count - 1;
}

void pprof_plan_begin(const struct pprof_message *message, struct pprof_plan *out)
{
    size_t usual = usual_type(message);

    out->count = 0;
    out->series[out->count++] = series_of(message, usual);
    for (size_t i = 0; i < message->types.count; i++)
        if (i != usual)
            out->series[out->count++] = series_of(message, i);
}

/* --- What samples tell --------------------------------------------------------------------------- */

static uint64_t count_of(const struct pprof_series *series, const struct pprof_sample *sample)
{
    uint64_t value = sample->values.items[series->type];

    if (series->counting == PPROF_COUNTS_BY_TYPE)
        return sample->values.items[series->count_type];
    return series->counting == PPROF_COUNTS_BY_PERIOD ? value / series->period : value > 0;
}

static bool is_counted_rightly(const struct pprof_series *series, uint64_t value, uint64_t count)
{
    return (value > 0) == (count > 0) &&
           (series->counting != PPROF_COUNTS_BY_PERIOD || value % series->period == 0);
}

static void see(struct pprof_series *series, const struct pprof_sample *sample)
{
    uint64_t value = sample->values.items[series->type];
    uint64_t count = count_of(series, sample);

    if (!is_counted_rightly(series, value, count) || count > SAMPLES_MOST - series->count_sum)
        series->has_no_counting = true;
    else
        series->count_sum += count;
    if (__builtin_mul_overflow(value, series->factor, &value) ||
        __builtin_add_overflow(series->value_sum, value, &series->value_sum) || series->value_sum > INT64_MAX)
        series->is_beyond = true;
}

void pprof_plan_see(struct pprof_plan *plan, const struct pprof_sample *sample)
{
    for (size_t i = 0; i < plan->count; i++)
        if (!plan->series[i].is_beyond)
            see(&plan->series[i], sample);
}

/* Values are told of as such, where samples cannot be. */
static void leave_uncounted(struct pprof_series *series)
{
    if (slice_is(series->unit, "ns"))
        series->unit = SLICE("nanoseconds");
    if (slice_is(series->unit, "us"))
        series->unit = SLICE("microseconds");
    series->counting = PPROF_COUNTS_NOTHING;
    series->is_summed = !slice_is(series->unit, "samples");
}

/* Whether the type is how many samples another one is of, and nothing else. */
static bool is_told_by_another(const struct pprof_plan *plan, size_t type)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct pprof_series *other = &plan->series[i];

        if (other->count_type == type && (other->counting == PPROF_COUNTS_BY_TYPE || is_of_heap(other)))
            return true;
    }
    return false;
}

static int refuse_sum(const struct pprof_series *series, struct error *err)
{
    SCOPED(text_done) struct text event = {0};

    text_add_terminal(&event, series->event);
    return error_set(err, ERROR_FORMAT, "its values of %s add up to 2^63 or more", text_string(&event));
}

int pprof_plan_end(struct pprof_plan *plan, struct error *err)
{
    size_t count = 0;
    uint64_t sample_count = 0;

    for (size_t i = 0; i < plan->count; i++) {
        struct pprof_series *series = &plan->series[i];

        if (series->is_beyond)
            return refuse_sum(series, err);
        if (series->counting == PPROF_COUNTS_NOTHING)
            continue;
        sample_count += series->count_sum;
        if (series->has_no_counting || sample_count > SAMPLES_MOST)
            leave_uncounted(series);
    }
    for (size_t i = 0; i < plan->count; i++)
        if (!is_told_by_another(plan, plan->series[i].type))
            plan->series[count++] = plan->series[i];
    plan->count = count;
    return 0;
}

uint64_t pprof_value_of(const struct pprof_series *series, const struct pprof_sample *sample, uint64_t *count)
{
    *count = count_of(series, sample);
    return sample->values.items[series->type] * series->factor;
}

uint32_t pprof_frequency_hz(const struct pprof_series *series)
{
    const uint64_t second_ns = 1000000000;
    uint64_t period_ns = 0;

    if (!slice_is(series->unit, "ns") || series->period == 0 ||
        __builtin_mul_overflow(series->period, series->factor, &period_ns) || period_ns > second_ns)
        return 0;
    /* Writers divide a second by the frequency, and leave out what is left over. */
    return (uint32_t)((second_ns + period_ns / 2) / period_ns);
}
