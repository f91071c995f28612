/*
 * Prints a profile that is written as text (profile_builder.h) in one of the shapes that the outputs have.
 *
 * usage: show_profile
 * svg|svg-inverted|svg-reversed|svg-threads|svg-chart|svg-hot-800|svg-wide|folded|txt|cprof|json|summary FILE
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "emit/output.h"
#include "profile_builder.h"
#include "view/summary.h"

static int show(struct profile *profile, const char *shape, struct text *out, struct error *err)
{
    struct output_look look = {.title = SLICE("crunch --size 5000"),
                               .is_inverted = strcmp(shape, "svg-inverted") == 0,
                               .is_reversed = strcmp(shape, "svg-reversed") == 0,
                               .per_thread = strcmp(shape, "svg-threads") == 0,
                               .is_chart = strcmp(shape, "svg-chart") == 0,
                               .width_px = strcmp(shape, "svg-hot-800") == 0 ? 800 : 0,
                               .min_width_px = strcmp(shape, "svg-wide") == 0 ? 300 : 0,
                               .notes = SLICE("<b>a note</b>"),
                               .palette = strcmp(shape, "svg-hot-800") == 0 ? PALETTE_HOT : PALETTE_CODE};

    if (strcmp(shape, "summary") != 0)
        return output_add(out, profile, 0,
                          strcmp(shape, "folded") == 0       ? OUTPUT_FOLDED
                          : strcmp(shape, "txt") == 0        ? OUTPUT_TEXT
                          : strcmp(shape, "cprof") == 0      ? OUTPUT_PROFILE
                          : strcmp(shape, "json") == 0       ? OUTPUT_FIREFOX
                          : strcmp(shape, "speedscope") == 0 ? OUTPUT_SPEEDSCOPE
                                                             : OUTPUT_FLAME,
                          &look, err);
    summary_add(out, profile, 0, 10, (struct render_look){.columns = 100});
    return 0;
}

int main(int argc, char **argv)
{
    SCOPED(text_done) struct text input = {0};
    SCOPED(text_done) struct text output = {0};
    struct profile profile;
    struct error err = {0};

    if (argc != 3 || file_read(argv[2], 1U << 30, &input, &err) < 0) {
        fprintf(stderr, "show_profile: %s\n", argc == 3 ? err.message : "usage: show_profile SHAPE FILE");
        return 2;
    }
    profile_builder_init(&profile);
    if (!profile_builder_add_lines(&profile, text_slice(&input))) {
        fprintf(stderr, "show_profile: %s: a line is not of the form COUNT|THREAD|PATH\n", argv[2]);
        return 2;
    }
    if (show(&profile, argv[1], &output, &err) < 0 || file_write_stdout(text_slice(&output), &err) < 0)
        fprintf(stderr, "show_profile: %s\n", err.message);
    profile_done(&profile);
    return err.kind != ERROR_NONE;
}
