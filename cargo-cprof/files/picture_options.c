#include "files/picture_options.h"

#include <string.h>

#include "cli/real_options.h"
#include "files/input_options.h"
#include "page/flame_graph.h"

enum { LEAST_WIDTH_PX = 200, MOST_WIDTH_PX = 100000 };

/* Whether -i turns the picture over depends on what else the command takes it for. */
#define PICTURE_SPECS(inverted_letter)                                                                       \
    {"title", 0, OPTION_VALUE, "TEXT", "Heading of the picture; what was run unless given", NULL, NULL},     \
        {"subtitle", 0,   OPTION_VALUE, "TEXT", "Line below the heading; what was sampled unless given",     \
         NULL,       NULL},                                                                                  \
        {"notes",                                                                                            \
         0,                                                                                                  \
         OPTION_VALUE,                                                                                       \
         "TEXT",                                                                                             \
         "Notes to keep in the picture, shown where its heading is pointed at",                              \
         NULL,                                                                                               \
         NULL},                                                                                              \
        {"inverted", inverted_letter, OPTION_FLAG, NULL, "Draw callers at the top (an icicle graph)", NULL,  \
         NULL},                                                                                              \
        {"reverse",                                                                                          \
         0,                                                                                                  \
         OPTION_FLAG,                                                                                        \
         NULL,                                                                                               \
         "Begin stacks where samples were taken: who called what took the time",                             \
         NULL,                                                                                               \
         NULL},                                                                                              \
        {"fold-runtime",                                                                                     \
         0,                                                                                                  \
         OPTION_FLAG,                                                                                        \
         NULL,                                                                                               \
         "Leave out calls that start programs and threads or drive tasks: of std, tokio, smol, async-std, "  \
         "futures, rayon",                                                                                   \
         NULL,                                                                                               \
         NULL},                                                                                              \
        {"skip-after", 0, OPTION_MANY, "FUNCTION", "Leave out the callers of FUNCTION", NULL, NULL},         \
        {"min-width",                                                                                        \
         0,                                                                                                  \
         OPTION_VALUE,                                                                                       \
         "PIXELS",                                                                                           \
         "Leave out boxes narrower than this; unless given some that nobody sees, of pictures over 1 MB",    \
         NULL,                                                                                               \
         NULL},                                                                                              \
        {"minwidth", 0, OPTION_VALUE, "PERCENT", NULL, NULL, NULL},                                          \
        {"image-width",                                                                                      \
         0,                                                                                                  \
         OPTION_VALUE,                                                                                       \
         "PIXELS",                                                                                           \
         "Width of the picture; as wide as the window unless given",                                         \
         NULL,                                                                                               \
         NULL},                                                                                              \
        {"width", 0, OPTION_VALUE, "PIXELS", NULL, NULL, "image-width"},                                     \
    {                                                                                                        \
        "countname", 0, OPTION_VALUE, "TEXT", NULL, NULL, NULL                                               \
    }

static const struct option_spec specs[] = {PICTURE_SPECS(0)};
static const struct option_spec specs_with_letter[] = {PICTURE_SPECS('i')};

#define AS_THE_READER "text and background follow the reader's light or dark setting, matches are framed"
#define FIXED_TEXT "text is 12 px and monospace: zoom the picture in the browser"

const struct option_answer picture_answers[] = {
    {"base", 0,
     "--skip-after FUNCTION cuts stacks there; `report --callees FUNCTION` shows nothing but them"},
    {"bgcolor", 0, AS_THE_READER},
    {"bgcolors", 0, AS_THE_READER},
    {"color=", 0, "palettes are --palette NAME; --color is of what is written to the terminal"},
    {"colordiffusion", 0, "boxes are as wide as they are heavy; for other colours: --palette"},
    {"consistent-palette", 0, "a function has the same colour in every picture: leave it out"},
    {"cp", 0, "a function has the same colour in every picture: leave it out"},
    {"encoding", 0, "pictures are UTF-8"},
    {"factor", 0,
     "counts are shown as they were taken; scale them in the folded file, name them with --countname"},
    {"fontsize", 0, FIXED_TEXT},
    {"fonttype", 0, FIXED_TEXT},
    {"fontwidth", 0, FIXED_TEXT},
    {"height", 0, "a box is 18 px high; the picture is as high as stacks are deep"},
    {"nameattr", 0, "attributes of boxes cannot be set"},
    {"nametype", 0, "a box is called by its name alone"},
    {"no-javascript", 0, "pictures are searched and zoomed by their script: leave it out"},
    {"no-sort", 0, "stacks may come in any order: leave it out; in the order of time: --flamechart"},
    {"pretty-xml", 0, "the picture is written in the shape that its script needs: leave it out"},
    {"random", 0, "a function has the same colour in every picture"},
    {"search-color", 0, AS_THE_READER},
    {"stroke-color", 0, AS_THE_READER},
    {"total", 0, "a picture is as wide as all its samples"},
    {"truncate-text-right", 0, "names that do not fit lose the end already: leave it out"},
    {"uicolor", 0, AS_THE_READER},
    {NULL, 0, NULL},
};

const struct option_table picture_options = {"Picture", specs, ARRAY_COUNT(specs)};
const struct option_table picture_options_with_letter = {"Picture", specs_with_letter,
                                                         ARRAY_COUNT(specs_with_letter)};

static const struct option_spec single_specs[] = {
    {"flamechart", 0, OPTION_FLAG, NULL, "Draw calls in the order of time, thread by thread", NULL, NULL},
    {"flame-chart", 0, OPTION_FLAG, NULL, NULL, NULL, "flamechart"},
    {"per-thread", 0, OPTION_FLAG, NULL, "Draw each thread as a graph of its own, to be picked from a list",
     NULL, NULL},
    {"palette", 0, OPTION_VALUE, "PALETTE", "Colours; by whose code it is unless given", flame_palette_names,
     NULL},
    {"colors", 0, OPTION_VALUE, "PALETTE", NULL, flame_palette_names, "palette"},
    {"deterministic", 0, OPTION_FLAG, NULL, "Colour a function the same in every picture (always so)", NULL,
     NULL},
    {"hash", 0, OPTION_FLAG, NULL, NULL, NULL, "deterministic"},
};

const struct option_table picture_single_options = {"Picture of one profile", single_specs,
                                                    ARRAY_COUNT(single_specs)};

/* cargo-flamegraph says it in pixels, inferno-flamegraph in percent of the picture. */
static int read_least_width(const struct options *options, struct output_look *out, struct error *err)
{
    double part = 0;

    if (options_has(options, "min-width") && options_has(options, "minwidth"))
        return error_set(err, ERROR_USAGE,
                         "--min-width in pixels and --minwidth in percent: give one of them");
    if (options_real(options, "min-width", MOST_WIDTH_PX, &out->min_width_px, err) < 0 ||
        options_percent(options, "minwidth", &part, err) < 0)
        return -1;
    if (options_has(options, "minwidth"))
        out->min_width_px = part * (out->width_px ? out->width_px : FLAME_USUAL_WIDTH_PX);
    /* What is 0 in a look is as usual. */
    if (out->min_width_px == 0 && (options_has(options, "min-width") || options_has(options, "minwidth")))
        out->min_width_px = -1;
    return 0;
}

static int read_widths(const struct options *options, struct output_look *out, struct error *err)
{
    uint64_t width = 0;

    if (options_number(options, "image-width", 0, &width, err) < 0)
        return -1;
    if (options_has(options, "image-width") && (width < LEAST_WIDTH_PX || width > MOST_WIDTH_PX))
        return error_set(err, ERROR_USAGE, "--image-width %s: widths are %d to %d pixels",
                         options_value(options, "image-width"), LEAST_WIDTH_PX, MOST_WIDTH_PX);
    out->width_px = (unsigned)width;
    return read_least_width(options, out, err);
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

/* The options of picture_single_options. */
static void read_single(const struct options *options, struct output_look *out)
{
    out->palette = flame_palette_at(options_choice(options, "palette", 0));
    out->is_chart = options_has(options, "flamechart");
    out->per_thread = options_has(options, "per-thread");
}

int picture_look(const struct options *options, struct arena *arena, struct output_look *out,
                 struct error *err)
{
    struct output_look look = {
        .title = slice_of(options_value(options, "title")),
        .subtitle = slice_of(options_value(options, "subtitle")),
        .chosen = input_chosen(options, arena),
        .notes = slice_of(options_value(options, "notes")),
        .units = options_value(options, "countname"),
        .palette = flame_palette_at(0),
        .is_inverted = options_has(options, "inverted"),
        .is_reversed = options_has(options, "reverse"),
        .folds_runtime = options_has(options, "fold-runtime"),
        .skip_after = skip_after(options, arena),
    };

    if (command_find_option(options->command, "palette"))
        read_single(options, &look);
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
