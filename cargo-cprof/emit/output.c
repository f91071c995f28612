#include "emit/output.h"

#include "base/memory.h"
#include "base/packing.h"
#include "base/units.h"
#include "emit/firefox.h"
#include "emit/flame.h"
#include "emit/folded.h"
#include "emit/pprof.h"
#include "emit/speedscope.h"
#include "emit/text_report.h"
#include "facts/series_unit.h"
#include "profile/profile_file.h"
#include "tree/heavy_tree.h"
#include "tree/path_tree.h"
#include "tree/time_tree.h"
#include "view/runtime_calls.h"
#include "view/summary.h"

struct ending {
    const char *text;
    enum output_format format;
};

/* The first that a name ends in counts. */
static const struct ending endings[] = {
    {".svg", OUTPUT_FLAME},
    {".folded", OUTPUT_FOLDED},
    {".txt", OUTPUT_TEXT},
    {".cprof", OUTPUT_PROFILE},
    {".speedscope.json", OUTPUT_SPEEDSCOPE},
    {".speedscope.json.gz", OUTPUT_SPEEDSCOPE_PACKED},
    {".pb", OUTPUT_PPROF},
    {".pb.gz", OUTPUT_PPROF_PACKED},
    {".json", OUTPUT_FIREFOX},
    {".json.gz", OUTPUT_FIREFOX_PACKED},
};

static const struct ending *ending_of(const char *path)
{
    for (size_t i = 0; i < ARRAY_COUNT(endings); i++)
        if (slice_ends_with(slice_of(path), slice_of(endings[i].text)))
            return &endings[i];
    return NULL;
}

bool output_format_of_name(const char *path, enum output_format *format)
{
    const struct ending *ending = ending_of(path);

    if (ending)
        *format = ending->format;
    return ending != NULL;
}

struct slice output_ending_of_name(const char *path)
{
    const struct ending *ending = ending_of(path);

    return slice_of(ending ? ending->text : "");
}

bool output_holds_all_series(enum output_format format)
{
    return format == OUTPUT_PROFILE || format == OUTPUT_PPROF || format == OUTPUT_PPROF_PACKED;
}

int output_check_packing(enum output_format format, struct error *err)
{
    switch (format) {
    case OUTPUT_PROFILE:
        return packing_load_zstd(err);
    case OUTPUT_FIREFOX_PACKED:
    case OUTPUT_SPEEDSCOPE_PACKED:
    case OUTPUT_PPROF_PACKED:
        return packing_load_gzip(err);
    default:
        return 0;
    }
}

/* What was run, and what was counted when it is not time. */
static void add_title(struct text *title, const struct profile *profile, uint32_t series)
{
    if (series_counts_things(profile, series)) {
        text_add(title, series_is_of_waits(profile, series) || series_is_of_heap(profile, series)
                            ? profile_text(profile, profile->series.items[series].event)
                            : series_units(profile, series));
        text_add_string(title, ": ");
    }
    text_add(title, profile->command ? profile_text(profile, profile->command) : SLICE("Flame graph"));
}

/* Whether a function is called so, as people write it: without the path before it, if they like. */
static bool is_called(struct slice name, struct slice wanted)
{
    if (!slice_ends_with(name, wanted))
        return false;
    name = slice_range(name, 0, name.length - wanted.length);
    return name.length == 0 || slice_ends_with(name, SLICE("::"));
}

bool output_has_function(const struct profile *profile, const char *name)
{
    for (size_t i = 0; i < profile->functions.count; i++)
        if (is_called(profile_text(profile, profile->functions.items[i].name), slice_of(name)))
            return true;
    return false;
}

/* By function, whether it is one of those named; to be freed. */
static bool *functions_called(const struct profile *profile, const char *const *names)
{
    bool *chosen = memory_new(profile->functions.count + 1, sizeof(bool));

    for (size_t i = 0; i < profile->functions.count; i++)
        for (size_t at = 0; names[at] && !chosen[i]; at++)
            chosen[i] =
                is_called(profile_text(profile, profile->functions.items[i].name), slice_of(names[at]));
    return chosen;
}

/* Whether the tree is that of the stacks as they are. */
static bool is_plain(const struct output_look *look)
{
    return !look->is_chart && !look->is_reversed && !look->per_thread && !look->skip_after &&
           !look->folds_runtime;
}

/* Of what is reversed, and of very many stacks, `most_nodes` may be enough, as of struct path_choice. */
static int make_tree(struct profile *profile, uint32_t series, const struct output_look *look,
                     size_t most_nodes, struct call_tree *out, struct error *err)
{
    SCOPED(memory_free_at) bool *skip_after = NULL;
    SCOPED(memory_free_at) bool *left_out = NULL;
    struct path_choice choice = {
        .shape = look->is_reversed ? PATHS_REVERSED : PATHS_DOWN,
        .per_thread = look->per_thread,
        .most_nodes = most_nodes,
    };

    if (look->is_chart)
        return time_tree_make(profile, series, false, out, err);
    if (look->skip_after) {
        skip_after = functions_called(profile, look->skip_after);
        choice.skip_after = skip_after;
    }
    if (look->folds_runtime)
        left_out = runtime_calls_of(profile);
    choice.left_out = left_out;
    if (!is_plain(look))
        path_tree_make(profile, series, CALLS_BY_NAME, &choice, out);
    else if (most_nodes > 0 && heavy_tree_is_for(profile, series))
        heavy_tree_make(profile, series, most_nodes, out);
    else
        call_tree_make(profile, series, weight_of_series(profile, series), CALLS_BY_NAME, out);
    return 0;
}

int output_make_tree(struct profile *profile, uint32_t series, const struct output_look *look,
                     struct call_tree *out, struct error *err)
{
    return make_tree(profile, series, look, 0, out, err);
}

struct flame_look output_flame_look(const struct output_look *look)
{
    return (struct flame_look){
        .title = look->title,
        .subtitle = look->subtitle,
        .notes = look->notes,
        .is_inverted = look->is_inverted,
        .min_width_px = look->min_width_px,
        .width_px = look->width_px,
        .palette = look->palette,
        .is_reversed = look->is_reversed,
        .has_threads = look->per_thread || look->is_chart,
    };
}

/* "7,000 allocations of folded stacks", of what counts are named otherwise. */
static void add_counted(struct text *text, const char *units, const struct profile *profile, uint32_t series,
                        const struct call_tree *tree)
{
    units_add_count(text, tree->nodes.items[0].weights.total);
    text_format(text, " %s of ", units);
    text_add_terminal(text, profile_text(profile, profile->series.items[series].event));
}

/* The tree of a picture, where time between waits has room; in other files it would count as waited. */
static int make_picture_tree(struct profile *profile, uint32_t series, const struct output_look *look,
                             struct call_tree *out, struct error *err)
{
    if (look->is_chart)
        return time_tree_make(profile, series, true, out, err);
    /* Reversed, only the calls of the root have something of their own; else flame_add tells it. */
    return make_tree(profile, series, look, FLAME_MOST_BOXES, out, err);
}

void output_add_chosen(struct text *text, const struct output_look *look)
{
    if (look->chosen.length > 0)
        text_format(text, "; of %.*s", SLICE_ARGUMENTS(look->chosen));
}

/* Behind the notes of one's own. */
static void add_warnings(struct text *notes, const struct output_look *look)
{
    text_add(notes, look->notes);
    for (size_t i = 0; i < look->warnings->items.count; i++)
        text_format(notes, "%s%s", notes->length > 0 ? "\n" : "", look->warnings->items.items[i]);
}

static bool has_warnings(const struct output_look *look, const struct profile *profile, uint32_t series)
{
    return look->warnings && look->warnings->items.count > 0 && series_is_of_heap(profile, series);
}

static int add_flame(struct text *text, struct profile *profile, uint32_t series,
                     const struct output_look *look, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(call_tree_done) struct call_tree tree = {0};
    SCOPED(text_done) struct text subtitle = {0};
    SCOPED(text_done) struct text title = {0};
    SCOPED(text_done) struct text notes = {0};
    struct flame_look flame = output_flame_look(look);

    flame.unit = look->units ? look->units : arena_copy(&arena, series_unit(profile, series));
    flame.units = look->units ? look->units : arena_copy(&arena, series_units(profile, series));
    flame.std_is_callers = series_is_of_heap(profile, series);
    if (make_picture_tree(profile, series, look, &tree, err) < 0)
        return -1;
    if (flame.title.length == 0) {
        add_title(&title, profile, series);
        flame.title = text_slice(&title);
    }
    if (has_warnings(look, profile, series)) {
        add_warnings(&notes, look);
        flame.notes = text_slice(&notes);
        text_add_string(&subtitle, "without some memory (point at the title): ");
    }
    if (look->units)
        add_counted(&subtitle, look->units, profile, series, &tree);
    else
        summary_add_sampled(&subtitle, profile, series);
    output_add_chosen(&subtitle, look);
    if (flame.subtitle.length == 0)
        flame.subtitle = text_slice(&subtitle);
    flame_add(text, profile, &tree, &flame);
    return 0;
}

/* The stacks that the picture would show. */
static int add_folded(struct text *text, struct profile *profile, uint32_t series,
                      const struct output_look *look, struct error *err)
{
    SCOPED(call_tree_done) struct call_tree tree = {0};

    if (is_plain(look) && heavy_tree_is_for(profile, series)) {
        folded_add_heavy(text, profile, series);
        return 0;
    }
    if (output_make_tree(profile, series, look, &tree, err) < 0)
        return -1;
    folded_add(text, profile, &tree);
    return 0;
}

static int add_packed(struct text *text, struct profile *profile, uint32_t series,
                      const struct output_look *look, enum output_format inside, struct error *err)
{
    SCOPED(text_done) struct text content = {0};

    if (output_add(&content, profile, series, inside, look, err) < 0)
        return -1;
    return packing_gzip(text, text_slice(&content), err);
}

int output_add(struct text *text, struct profile *profile, uint32_t series, enum output_format format,
               const struct output_look *look, struct error *err)
{
    switch (format) {
    case OUTPUT_PROFILE:
        return profile_file_write(profile, sink_of_text(text), err);
    case OUTPUT_FIREFOX:
        return firefox_add(text, profile, series, err);
    case OUTPUT_FIREFOX_PACKED:
        return add_packed(text, profile, series, look, OUTPUT_FIREFOX, err);
    case OUTPUT_SPEEDSCOPE:
        return speedscope_add(text, profile, series, err);
    case OUTPUT_SPEEDSCOPE_PACKED:
        return add_packed(text, profile, series, look, OUTPUT_SPEEDSCOPE, err);
    case OUTPUT_PPROF:
        pprof_add(text, profile, series);
        return 0;
    case OUTPUT_PPROF_PACKED:
        return add_packed(text, profile, series, look, OUTPUT_PPROF, err);
    case OUTPUT_TEXT:
        text_report_add(text, profile, series, has_warnings(look, profile, series) ? look->warnings : NULL);
        return 0;
    case OUTPUT_FOLDED:
        return add_folded(text, profile, series, look, err);
    default:
        return add_flame(text, profile, series, look, err);
    }
}
