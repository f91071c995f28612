#include "criterion/saved.h"

#include <math.h>

static int read_one(const struct json_value *iterations, const struct json_value *time, double *out,
                    struct error *err)
{
    double count = 0;
    double whole = 0;

    if (json_as_double(iterations, &count, err) < 0 || json_as_double(time, &whole, err) < 0)
        return -1;
    *out = whole / count;
    return isfinite(*out) && *out > 0
               ? 0
               : error_set(err, ERROR_FORMAT, "%g iterations in %g ns: not a sample", count, whole);
}

/* Of two arrays of the same length, walked side by side. */
static int read_times(const struct json_value *iterations, const struct json_value *times, double *out,
                      struct error *err)
{
    struct json_value iteration, time;
    bool more = json_first(iterations, &iteration) && json_first(times, &time);

    for (size_t i = 0; more; i++) {
        if (read_one(&iteration, &time, &out[i], err) < 0)
            return -1;
        more = json_next(&iteration) && json_next(&time);
    }
    return 0;
}

int criterion_read_sample(struct arena *arena, const struct json_document *document,
                          struct criterion_sample *out, struct error *err)
{
    struct json_value root = json_root(document);
    struct json_value iterations, times;
    struct criterion_sample sample = {0};

    if (json_get_array(&root, "iters", &iterations, err) < 0 ||
        json_get_array(&root, "times", &times, err) < 0)
        return -1;
    sample.count = json_count(&iterations);
    if (sample.count == 0 || json_count(&times) != sample.count)
        return error_set(err, ERROR_FORMAT, "%zu iters and %zu times: not a sample", sample.count,
                         json_count(&times));
    sample.times = ARENA_ARRAY(arena, sample.count, double);
    if (read_times(&iterations, &times, sample.times, err) < 0)
        return -1;
    *out = sample;
    return 0;
}

static int get_estimate(const struct json_value *root, const char *name, struct criterion_estimate *out,
                        struct error *err)
{
    struct json_value estimate, interval;
    struct criterion_estimate read;

    if (json_get_object(root, name, &estimate, err) < 0 ||
        json_get_double(&estimate, "point_estimate", &read.value, err) < 0 ||
        json_get_object(&estimate, "confidence_interval", &interval, err) < 0 ||
        json_get_double(&interval, "lower_bound", &read.low, err) < 0 ||
        json_get_double(&interval, "upper_bound", &read.high, err) < 0)
        return -1;
    if (!isfinite(read.value) || !isfinite(read.low) || !isfinite(read.high))
        return error_set(err, ERROR_FORMAT, "%s: not a finite number", name);
    *out = read;
    return 0;
}

int criterion_read_time(const struct json_document *document, struct criterion_estimate *out,
                        struct error *err)
{
    struct json_value root = json_root(document);

    return get_estimate(&root, "mean", out, err);
}

int criterion_read_id(struct arena *arena, const struct json_document *document, const char **out,
                      struct error *err)
{
    struct json_value root = json_root(document);
    struct slice id;

    if (json_get_string(&root, "full_id", &id, err) < 0)
        return -1;
    *out = arena_copy(arena, id);
    return 0;
}
