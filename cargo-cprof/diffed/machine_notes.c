#include "diffed/machine_notes.h"

/* One run of each does not tell a slower program from a slower machine. What is counted is no slower on one.
 */
static void note_alike(const struct changes *changes, struct rows *rows)
{
    if (changes->measure.kind != MEASURE_CPU)
        return;
    if (changes->moved_alone) {
        *vec_add(&rows->notes) =
            "what changed has nearly all of the time, and too little is beside it to tell whether the "
            "machine was slower or faster meanwhile; cargo cprof compare measures many runs, in turn";
        rows->headline = arena_format(&rows->arena,
                                      "%s What changed has nearly all of the time: whether the machine was "
                                      "slower or faster meanwhile is not told.",
                                      rows->headline);
        rows_add_label(rows, "moved", SLICE("alone"));
    }
    if (!changes->moved_alike)
        return;
    *vec_add(&rows->notes) =
        "all that changed is as large a part of its side as it was, within noise: a machine that was slower "
        "or faster meanwhile makes the same of two runs; cargo cprof compare measures many, in turn";
    rows->headline =
        arena_format(&rows->arena, "%s All moved alike, as on a slower or faster machine.", rows->headline);
    rows_add_label(rows, "moved", SLICE("alike"));
}

/* What a program waits for is not its own alone. */
static void note_one_run(const struct changes *changes, struct rows *rows)
{
    if (changes->measure.is_of_waits && !measure_tells_runs(&changes->measure))
        *vec_add(&rows->notes) =
            "what else the machine does, its disks and other programs, makes waits longer and "
            "shorter, too: --runs 10 with --diff REV tells how much runs differ (which files do not keep)";
}

void machine_notes_add(const struct changes *changes, struct rows *rows)
{
    note_alike(changes, rows);
    note_one_run(changes, rows);
}
