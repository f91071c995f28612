#include "emit/output.h"

#include "base/packing.h"
#include "emit/firefox.h"
#include "emit/flame.h"
#include "emit/folded.h"
#include "emit/text_report.h"
#include "profile/profile_file.h"
#include "view/series_unit.h"
#include "view/summary.h"

bool output_format_of_name(const char *path, enum output_format *format)
{
    static const struct {
        const char *ending;
        enum output_format format;
    } endings[] = {{".svg", OUTPUT_FLAME},    {".folded", OUTPUT_FOLDED},
                   {".txt", OUTPUT_TEXT},     {".cprof", OUTPUT_PROFILE},
                   {".json", OUTPUT_FIREFOX}, {".json.gz", OUTPUT_FIREFOX_PACKED}};

    for (size_t i = 0; i < ARRAY_COUNT(endings); i++)
        if (slice_ends_with(slice_of(path), slice_of(endings[i].ending))) {
            *format = endings[i].format;
            return true;
        }
    return false;
}

/* What was run, and what was counted when it is not time. */
static void add_title(struct text *title, const struct profile *profile, uint32_t series)
{
    if (series_counts_things(profile, series)) {
        text_add(title, series_units(profile, series));
        text_add_string(title, ": ");
    }
    text_add(title, profile->command ? profile_text(profile, profile->command) : SLICE("Flame graph"));
}

static void add_flame(struct text *text, struct profile *profile, uint32_t series,
                      const struct call_tree *tree, const struct output_look *look)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text subtitle = {0};
    SCOPED(text_done) struct text title = {0};
    struct flame_look flame = {
        .title = look->title,
        .unit = arena_copy(&arena, series_unit(profile, series)),
        .units = arena_copy(&arena, series_units(profile, series)),
        .is_inverted = look->is_inverted,
        .min_width_px = FLAME_MIN_WIDTH_PX,
    };

    if (flame.title.length == 0) {
        add_title(&title, profile, series);
        flame.title = text_slice(&title);
    }
    summary_add_sampled(&subtitle, profile, series);
    flame.subtitle = text_slice(&subtitle);
    flame_add(text, profile, tree, &flame);
}

static void add_tree(struct text *text, struct profile *profile, uint32_t series, enum output_format format,
                     const struct output_look *look)
{
    SCOPED(call_tree_done) struct call_tree tree = {0};

    call_tree_make(profile, series, weight_of_series(profile, series), CALLS_BY_NAME, &tree);
    if (format == OUTPUT_FOLDED)
        folded_add(text, profile, &tree);
    else
        add_flame(text, profile, series, &tree, look);
}

static int add_packed(struct text *text, const struct profile *profile, uint32_t series, struct error *err)
{
    SCOPED(text_done) struct text json = {0};

    if (firefox_add(&json, profile, series, err) < 0)
        return -1;
    return packing_gzip(text, text_slice(&json), err);
}

int output_add(struct text *text, struct profile *profile, uint32_t series, enum output_format format,
               const struct output_look *look, struct error *err)
{
    if (format == OUTPUT_PROFILE)
        return profile_file_add(profile, text, err);
    if (format == OUTPUT_FIREFOX)
        return firefox_add(text, profile, series, err);
    if (format == OUTPUT_FIREFOX_PACKED)
        return add_packed(text, profile, series, err);
    if (format == OUTPUT_TEXT)
        text_report_add(text, profile, series);
    else
        add_tree(text, profile, series, format, look);
    return 0;
}
