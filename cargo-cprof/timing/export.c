#include "timing/export.h"

#include <math.h>

#include "json/json_out.h"

/* --- JSON ------------------------------------------------------------------------------ */

static void put_double(struct json_out *out, const char *key, double value)
{
    json_put_key(out, key);
    json_put_double(out, value);
}

static void put_runs(struct json_out *out, const struct timings *timings, enum timing_side side)
{
    json_put_key(out, "times");
    json_begin_array(out);
    for (size_t i = 0; i < timings->runs[side].count; i++)
        json_put_double(out, figure_of_run(&timings->runs[side].items[i], FIGURE_ELAPSED));
    json_end_array(out);
    json_put_key(out, "memory_usage_byte");
    json_begin_array(out);
    for (size_t i = 0; i < timings->runs[side].count; i++)
        json_put_u64(out, timings->runs[side].items[i].peak_bytes);
    json_end_array(out);
    json_put_key(out, "exit_codes");
    json_begin_array(out);
    for (size_t i = 0; i < timings->runs[side].count; i++) {
        const struct timed_run *run = &timings->runs[side].items[i];

        /* hyperfine knows none for what a signal ended. */
        if (run->signal)
            json_put_null(out);
        else
            json_put_u64(out, (uint64_t)run->exit_code);
    }
    json_end_array(out);
}

static void put_result(struct json_out *out, const struct export_request *request, enum timing_side side)
{
    const struct figure *figures = request->figures->items;
    const struct sample_summary *elapsed = &figures[FIGURE_ELAPSED].sides[side];

    json_begin_object(out);
    json_put_key(out, "command");
    json_put_string(out, slice_of(request->names[side]));
    put_double(out, "mean", elapsed->mean);
    put_double(out, "stddev", elapsed->count > 1 ? elapsed->deviation : NAN);
    put_double(out, "median", elapsed->median);
    put_double(out, "user", figures[FIGURE_USER].sides[side].mean);
    put_double(out, "system", figures[FIGURE_SYSTEM].sides[side].mean);
    put_double(out, "min", elapsed->least);
    put_double(out, "max", elapsed->most);
    put_runs(out, request->timings, side);
    json_end_object(out);
}

void export_json(struct text *text, const struct export_request *request)
{
    struct json_out out = json_out_of(text);

    out.broken_depth = JSON_BROKEN_ALL;
    json_begin_object(&out);
    json_put_key(&out, "results");
    json_begin_array(&out);
    for (size_t side = 0; side < TIMING_SIDES; side++)
        put_result(&out, request, (enum timing_side)side);
    json_end_array(&out);
    json_end_object(&out);
    text_add_byte(text, '\n');
}

/* --- CSV ------------------------------------------------------------------------------- */

static void add_field(struct text *text, double value)
{
    struct json_out out = json_out_of(text);

    text_add_byte(text, ',');
    json_put_double(&out, value);
}

void export_csv(struct text *text, const struct export_request *request)
{
    const struct figure *figures = request->figures->items;

    text_add_string(text, "command,mean,stddev,median,user,system,min,max\n");
    for (size_t side = 0; side < TIMING_SIDES; side++) {
        const struct sample_summary *elapsed = &figures[FIGURE_ELAPSED].sides[side];

        text_add_csv(text, slice_of(request->names[side]));
        add_field(text, elapsed->mean);
        add_field(text, elapsed->deviation);
        add_field(text, elapsed->median);
        add_field(text, figures[FIGURE_USER].sides[side].mean);
        add_field(text, figures[FIGURE_SYSTEM].sides[side].mean);
        add_field(text, elapsed->least);
        add_field(text, elapsed->most);
        text_add_byte(text, '\n');
    }
}

/* --- Markdown -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double units; /* in a second */
    int decimals;
} units[] = {
    [EXPORT_UNIT_SECOND] = {"s", 1, 3},
    [EXPORT_UNIT_MILLISECOND] = {"ms", 1e3, 1},
    [EXPORT_UNIT_MICROSECOND] = {"µs", 1e6, 1},
};

static enum export_unit fitting_unit(double seconds)
{
    return seconds < 0.001 ? EXPORT_UNIT_MICROSECOND
           : seconds < 1   ? EXPORT_UNIT_MILLISECOND
                           : EXPORT_UNIT_SECOND;
}

static void add_time(struct text *text, enum export_unit unit, double seconds)
{
    text_format(text, "%.*f", units[unit].decimals, seconds * units[unit].units);
}

/* The deviation of a quotient of two independent means' samples, by the propagation of uncertainty. */
static void add_relative(struct text *text, const struct sample_summary *own,
                         const struct sample_summary *reference)
{
    double ratio = own->mean / reference->mean;

    if (own == reference) {
        text_add_string(text, "1.00");
        return;
    }
    text_format(text, "%.2f", ratio);
    if (own->count > 1)
        text_format(text, " ± %.2f",
                    ratio * hypot(own->deviation / own->mean, reference->deviation / reference->mean));
}

static void add_command(struct text *text, const char *name)
{
    text_add_string(text, "| `");
    for (; *name; name++)
        text_format(text, "%s%c", *name == '|' ? "\\" : "", *name == '\n' ? ' ' : *name);
    text_add_string(text, "` | ");
}

void export_markdown(struct text *text, const struct export_request *request)
{
    const struct sample_summary *sides = request->figures->items[FIGURE_ELAPSED].sides;
    const struct sample_summary *reference =
        sides[TIMING_AFTER].mean < sides[TIMING_BEFORE].mean ? &sides[TIMING_AFTER] : &sides[TIMING_BEFORE];
    enum export_unit unit =
        request->unit == EXPORT_UNIT_FITTING ? fitting_unit(sides[TIMING_BEFORE].mean) : request->unit;
    const char *name = units[unit].name;

    text_format(text, "| Command | Mean [%s] | Min [%s] | Max [%s] | Relative |\n", name, name, name);
    text_add_string(text, "|:---|---:|---:|---:|---:|\n");
    for (size_t side = 0; side < TIMING_SIDES; side++) {
        add_command(text, request->names[side]);
        add_time(text, unit, sides[side].mean);
        if (sides[side].count > 1) {
            text_add_string(text, " ± ");
            add_time(text, unit, sides[side].deviation);
        }
        text_add_string(text, " | ");
        add_time(text, unit, sides[side].least);
        text_add_string(text, " | ");
        add_time(text, unit, sides[side].most);
        text_add_string(text, " | ");
        add_relative(text, &sides[side], reference);
        text_add_string(text, " |\n");
    }
}
