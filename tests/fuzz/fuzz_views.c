/*
 * What is shown of two profiles with hostile tables, and what changed between them: groups, trees, charts,
 * hints, lines, parts of the time. The input is what is chosen of all that (a byte), where the second profile
 * begins (two bytes), and both as framed_profile_add takes them.
 */
#include <stdlib.h>

#include "annotate/instruction_rows.h"
#include "annotate/source_rows.h"
#include "base/memory.h"
#include "changes/change_rows.h"
#include "changes/change_tree.h"
#include "changes/unlike.h"
#include "emit/output.h"
#include "framed_profile.h"
#include "hints/hints.h"
#include "profile/profile_file.h"
#include "report/render.h"
#include "tree/path_tree.h"
#include "tree/tree_rows.h"
#include "view/group_rows.h"
#include "view/narrow.h"

/* The bits of the first byte. */
enum { CHOOSES_CHART = 1, CHOOSES_REVERSED = 2, CHOOSES_THREADS = 4, CHOOSES_FOLDED = 8, CHOOSES_TIME = 16 };

static void show(const struct rows *rows)
{
    SCOPED(text_done) struct text out = {0};

    for (int format = RENDER_TABLE; format <= RENDER_MARKDOWN; format++)
        render(&out, rows, (enum render_format)format, (struct render_look){80, true});
}

static void group(struct profile *profile, uint32_t series)
{
    for (unsigned key = 0; key < GROUP_KEY_COUNT; key++) {
        struct grouping grouping = {
            .keys = {(enum group_key)key, (enum group_key)((key + 1) % GROUP_KEY_COUNT)}, .key_count = 2};
        SCOPED(rows_done) struct rows rows = {0};
        struct error err = {0};

        if (group_rows_fill(profile, series, &grouping, &rows, &err) == 0)
            show(&rows);
    }
}

static void show_paths(struct profile *profile, uint32_t series, const struct path_choice *choice)
{
    SCOPED(rows_done) struct rows rows = {0};
    SCOPED(totals_done) struct totals totals = {0};
    const struct tree_look look = {.least_share = 0.005, .with_self = true};
    struct call_tree tree = {0};

    path_tree_make(profile, series, CALLS_BY_TOTAL, choice, &tree);
    totals_compute(profile, series, weight_of_series(profile, series), &totals);
    tree_rows_fill(profile, &tree, totals.whole, &look, &rows);
    show(&rows);
    call_tree_done(&tree);
}

static void show_trees(struct profile *profile, uint32_t series, unsigned chosen)
{
    SCOPED(memory_free_at) bool *functions = memory_new(profile->functions.count + 1, sizeof(*functions));

    for (size_t i = 0; i < profile->functions.count; i++)
        functions[i] = i % 3 == 0;
    for (int shape = PATHS_DOWN; shape <= PATHS_CALLERS; shape++)
        show_paths(profile, series,
                   &(struct path_choice){.shape = (enum path_shape)shape,
                                         .chosen = shape >= PATHS_CALLEES ? functions : NULL,
                                         .skip_after = chosen & CHOOSES_FOLDED ? functions : NULL,
                                         .left_out = chosen & CHOOSES_REVERSED ? functions : NULL,
                                         .per_thread = chosen & CHOOSES_THREADS,
                                         .least_share = chosen & CHOOSES_TIME ? 0.005 : 0});
}

static void write_outputs(struct profile *profile, uint32_t series, unsigned chosen)
{
    bool is_chart = chosen & CHOOSES_CHART;
    const struct output_look look = {.is_chart = is_chart,
                                     .is_reversed = !is_chart && (chosen & CHOOSES_REVERSED),
                                     .per_thread = !is_chart && (chosen & CHOOSES_THREADS),
                                     .folds_runtime = chosen & CHOOSES_FOLDED};

    for (int format = OUTPUT_FLAME; format <= OUTPUT_PPROF; format++) {
        SCOPED(text_done) struct text out = {0};
        struct error err = {0};

        (void)(output_add(&out, profile, series, (enum output_format)format, &look, &err) == 0);
    }
}

static void annotate(struct profile *profile, uint32_t series, unsigned chosen)
{
    SCOPED(memory_free_at) bool *functions = memory_new(profile->functions.count + 1, sizeof(*functions));
    SCOPED(listing_rows_done) struct listing_rows lines = {0};
    SCOPED(listing_rows_done) struct listing_rows instructions = {0};
    SCOPED(hot_code_done) struct hot_code code = {0};
    const struct listing_look look = {.context = chosen & CHOOSES_CHART ? LISTING_ALL : 4,
                                      .least_share = chosen & CHOOSES_TIME ? 0.005 : 0,
                                      .for_programs = !(chosen & CHOOSES_TIME)};
    struct error err = {0};

    for (size_t i = 0; i < profile->functions.count; i++)
        functions[i] = i % 3 != 0;
    if (source_rows_fill(profile, series, functions, &look, &lines, &err) == 0) {
        show(&lines.people);
        show(&lines.programs);
    }
    if (hot_code_find(profile, series, functions, SYNTAX_INTEL, &code, &err) == 0) {
        instruction_rows_fill(profile, series, &code, &look, &instructions);
        show(&instructions.people);
    }
}

static void view(struct profile *profile, unsigned chosen)
{
    enum { MOST_SERIES = 3 };

    for (uint32_t series = 0; series < profile->series.count && series < MOST_SERIES; series++) {
        SCOPED(text_done) struct text hints = {0};

        group(profile, series);
        show_trees(profile, series, chosen);
        write_outputs(profile, series, chosen);
        hints_add(&hints, profile, series);
        annotate(profile, series, chosen);
    }
}

static int make_tree(void *context, struct profile *joined, uint32_t series, struct call_tree *out,
                     struct error *err)
{
    return output_make_tree(joined, series, context, out, err);
}

/* What changed in functions themselves adds up to what changed in all; those that did not change are no
 * items. */
static void check_sum(const struct changes *changes)
{
    const struct measure_side *sides = changes->measure.sides;
    uint64_t difference = 0;

    for (size_t i = 0; i < changes->items.count; i++)
        difference += (uint64_t)change_of(&changes->items.items[i].self);
    if (difference != measure_all(&sides[JOINED_AFTER]) - measure_all(&sides[JOINED_BEFORE]))
        abort();
}

static void compare(const struct joined_part parts[JOINED_SIDES], enum measure_kind kind, enum joined_by by,
                    unsigned chosen)
{
    SCOPED(rows_done) struct rows rows = {0};
    const struct change_words words = {.before = "before", .after = "after"};
    struct output_look look = {.is_reversed = chosen & CHOOSES_REVERSED};
    const char *unlike[UNLIKE_MOST];
    struct change_tree tree = {0};
    struct changes changes = {0};
    struct measure measure;
    struct error err = {0};

    if (measure_make(parts, kind, &measure, &err) < 0)
        return;
    changes_make(parts, by, &measure, &changes);
    check_sum(&changes);
    if (change_tree_make(&changes, make_tree, &look, &tree, &err) == 0)
        change_tree_done(&tree);
    change_rows_fill(&changes, by, &words, &rows);
    show(&rows);
    (void)unlike_find(parts, &words, &rows.arena, unlike);
    changes_done(&changes);
}

static void compare_all(struct profile *before, struct profile *after, unsigned chosen)
{
    const struct joined_part parts[JOINED_SIDES] = {{before, 0}, {after, (uint32_t)after->series.count - 1}};

    if (before->series.count == 0 || after->series.count == 0)
        return;
    for (int kind = MEASURE_CPU; kind <= MEASURE_COUNT; kind++)
        for (int by = JOINED_BY_FUNCTION; by <= JOINED_BY_CRATE; by++)
            compare(parts, (enum measure_kind)kind, (enum joined_by)by, chosen);
}

static bool read_profile(struct slice input, struct profile *out)
{
    SCOPED(text_done) struct text file = {0};
    struct error err = {0};

    framed_profile_add(&file, input);
    return profile_file_read(&file, out, &err) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD_BYTES = 3, PROFILES = 2 };
    struct slice input = {(const char *)data, size};
    struct profile profiles[PROFILES];
    bool is_read[PROFILES];
    size_t second = 0;

    if (size < HEAD_BYTES)
        return 0;
    second = HEAD_BYTES + (data[1] | (size_t)data[2] << 8);
    second = second < size ? second : size;
    is_read[0] = read_profile(slice_range(input, HEAD_BYTES, second), &profiles[0]);
    is_read[1] = read_profile(slice_range(input, second, size), &profiles[1]);
    if (is_read[0] && is_read[1])
        compare_all(&profiles[0], &profiles[1], data[0]);
    for (size_t i = 0; i < PROFILES; i++) {
        struct error err = {0};

        if (!is_read[i])
            continue;
        view(&profiles[i], data[0]);
        if (data[0] & CHOOSES_TIME &&
            narrow_to_time(&profiles[i], (struct time_range){1, 1000000}, &err) == 0)
            view(&profiles[i], data[0]);
        profile_done(&profiles[i]);
    }
    return 0;
}
