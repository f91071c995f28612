#include "picture_options.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_WIDTH_PX = 200, MOST_WIDTH_PX = 100000 };

static const struct option_spec specs[] = {
    {"title", 0, OPTION_VALUE, "TEXT", "Heading of the picture; what was run unless given", NULL, NULL},
    {"subtitle", 0, OPTION_VALUE, "TEXT", "Line below the heading; what was sampled unless given", NULL,
     NULL},
    {"notes", 0, OPTION_VALUE, "TEXT", "Notes to keep in the picture, shown where its heading is pointed at",
     NULL, NULL},
    {"inverted", 0, OPTION_FLAG, NULL, "Draw callers at the top (an icicle graph)", NULL, NULL},
    {"reverse", 0, OPTION_FLAG, NULL, "Begin stacks where samples were taken: who called what took the time",
     NULL, NULL},
    {"flamechart", 0, OPTION_FLAG, NULL, "Draw calls in the order of time, thread by thread", NULL, NULL},
    {"flame-chart", 0, OPTION_FLAG, NULL, NULL, NULL, "flamechart"},
    {"per-thread", 0, OPTION_FLAG, NULL, "Draw each thread as a graph of its own, to be picked from a list",
     NULL, NULL},
    {"fold-runtime", 0, OPTION_FLAG, NULL,
     "Leave out calls that start programs and threads or drive tasks: of std, tokio, futures, rayon", NULL,
     NULL},
    {"skip-after", 0, OPTION_MANY, "FUNCTION", "Leave out the callers of FUNCTION", NULL, NULL},
    {"palette", 0, OPTION_VALUE, "PALETTE", "Colours; by whose code it is unless given", flame_palette_names,
     NULL},
    {"colors", 0, OPTION_VALUE, "PALETTE", NULL, flame_palette_names, "palette"},
    {"deterministic", 0, OPTION_FLAG, NULL, "Colour a function the same in every picture (always so)", NULL,
     NULL},
    {"hash", 0, OPTION_FLAG, NULL, NULL, NULL, "deterministic"},
    {"min-width", 0, OPTION_VALUE, "PIXELS", "Leave out boxes narrower than this; 0.1 unless given", NULL,
     NULL},
    {"minwidth", 0, OPTION_VALUE, "PIXELS", NULL, NULL, "min-width"},
    {"image-width", 0, OPTION_VALUE, "PIXELS", "Width of the picture; as wide as the window unless given",
     NULL, NULL},
    {"width", 0, OPTION_VALUE, "PIXELS", NULL, NULL, "image-width"},
};

const struct option_table picture_options = {"Picture", specs, ARRAY_COUNT(specs)};

static int read_widths(const struct options *options, struct output_look *out, struct error *err)
{
    const char *least = options_value(options, "min-width");
    uint64_t width = 0;
    char *end = NULL;

    if (least) {
        out->min_width_px = strtod(least, &end);
        if (*least == '\0' || *end != '\0' || !(out->min_width_px >= 0 && out->min_width_px <= MOST_WIDTH_PX))
            return error_set(err, ERROR_USAGE, "--min-width %s: not a width in pixels", least);
        /* What is 0 in a look is as usual. */
        if (out->min_width_px == 0)
            out->min_width_px = -1;
    }
    if (options_number(options, "image-width", 0, &width, err) < 0)
        return -1;
    if (options_has(options, "image-width") && (width < LEAST_WIDTH_PX || width > MOST_WIDTH_PX))
        return error_set(err, ERROR_USAGE, "--image-width %s: widths are %d to %d pixels",
                         options_value(options, "image-width"), LEAST_WIDTH_PX, MOST_WIDTH_PX);
    out->width_px = (unsigned)width;
    return 0;
}

static const char *const *skip_after(const struct options *options, struct arena *arena)
{
    const char **names = ARENA_ARRAY(arena, options->uses.count + 1, const char *);
    size_t count = 0;

    for (size_t i = 0; i < options->uses.count; i++)
        if (strcmp(options->uses.items[i].spec->name, "skip-after") == 0)
            names[count++] = options->uses.items[i].value;
    return count > 0 ? names : NULL;
}

int picture_look(const struct options *options, struct arena *arena, struct output_look *out,
                 struct error *err)
{
    struct output_look look = {
        .title = slice_of(options_value(options, "title")),
        .subtitle = slice_of(options_value(options, "subtitle")),
        .notes = slice_of(options_value(options, "notes")),
        .palette = flame_palette_at(options_choice(options, "palette", 0)),
        .is_inverted = options_has(options, "inverted"),
        .is_reversed = options_has(options, "reverse"),
        .is_chart = options_has(options, "flamechart"),
        .per_thread = options_has(options, "per-thread"),
        .folds_runtime = options_has(options, "fold-runtime"),
        .skip_after = skip_after(options, arena),
    };

    if (look.is_reversed && look.per_thread)
        return error_set(err, ERROR_USAGE, "--reverse joins all threads: it does not go with --per-thread");
    if (look.is_chart && (look.is_reversed || look.skip_after || look.folds_runtime))
        return error_set(
            err, ERROR_USAGE,
            "--flamechart goes by time: it does not go with --reverse, --skip-after or --fold-runtime");
    if (read_widths(options, &look, err) < 0)
        return -1;
    *out = look;
    return 0;
}
