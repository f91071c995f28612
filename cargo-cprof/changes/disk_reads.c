#include "changes/disk_reads.h"

#include "base/units.h"
#include "facts/series_unit.h"
#include "sampler/perf/event_name.h"

/* A program's own file and its libraries may be as much, and are read in a moment. */
#define LEAST_BYTES (UINT64_C(1) << 20)

enum {
    MUCH_MORE = 2, /* times what the other side read */
    PAGE_BYTES = 4096,
    PAGE_NS = 30000,    /* that a read of a page alone may take of a processor; of many in turn far less */
    MUCH_OF_WHOLE = 20, /* more than this part of all CPU time */
    TELLING_PART = 10   /* what such reads may cost is at least this part of what the kernel took more */
};

/* Whether it is known what one run read. */
static bool is_known(const struct joined_part *part)
{
    return part->profile->disk_bytes != UINT64_MAX && part->profile->run_count > 0;
}

static uint64_t bytes_of_run(const struct joined_part *part)
{
    return part->profile->disk_bytes / part->profile->run_count;
}

static enum joined_side other_side(enum joined_side side)
{
    return side == JOINED_BEFORE ? JOINED_AFTER : JOINED_BEFORE;
}

/* The side that read much more than the other, and how much more that is; JOINED_SIDES for none. */
static enum joined_side side_with_more(const struct joined_part parts[JOINED_SIDES], uint64_t *more)
{
    enum joined_side side = JOINED_BEFORE;
    uint64_t most = 0;
    uint64_t least = 0;

    if (!is_known(&parts[JOINED_BEFORE]) || !is_known(&parts[JOINED_AFTER]))
        return JOINED_SIDES;
    if (bytes_of_run(&parts[JOINED_AFTER]) > bytes_of_run(&parts[JOINED_BEFORE]))
        side = JOINED_AFTER;
    most = bytes_of_run(&parts[side]);
    least = bytes_of_run(&parts[other_side(side)]);
    *more = most - least;
    return *more >= LEAST_BYTES && most / MUCH_MORE >= least ? side : JOINED_SIDES;
}

/* How much more it is on that side; 0 where it is less. */
static uint64_t more_of(const uint64_t amounts[JOINED_SIDES], enum joined_side side)
{
    uint64_t other = amounts[other_side(side)];

    return amounts[side] > other ? amounts[side] - other : 0;
}

/* The same of a figure; 0 where it may be noise. */
static uint64_t told_of(const struct change_figure *figure, enum joined_side side)
{
    return figure->is_noise ? 0 : more_of(figure->amounts, side);
}

/* What the kernel took more, in all or in functions of its own: others may have become faster. */
static uint64_t told_of_kernel(const struct changes *changes, enum joined_side side)
{
    uint64_t in_all = told_of(&changes->kernel, side);
    uint64_t in_functions = 0;

    for (size_t i = 0; i < changes->itself_count; i++)
        if (change_is_kernels(changes, &changes->items.items[i]))
            in_functions += told_of(&changes->items.items[i].self, side);
    return in_all > in_functions ? in_all : in_functions;
}

/* CPU time is measured, and so held to limits, even if sampling does not tell whose a change of it is. */
static uint64_t told_of_whole(const struct changes *changes, enum joined_side side)
{
    const struct measure_side *sides = changes->measure.sides;
    uint64_t wholes[JOINED_SIDES] = {measure_all(&sides[JOINED_BEFORE]), measure_all(&sides[JOINED_AFTER])};
    uint64_t more = more_of(wholes, side);
    bool is_much = more >= wholes[other_side(side)] / MUCH_OF_WHOLE;
    bool is_kernels = more_of(changes->kernel.amounts, side) >= more / 2;

    return is_much && is_kernels ? more : 0;
}

static bool has_moved_kernel(const struct changes *changes, enum joined_side side, uint64_t more_bytes)
{
    uint64_t more = told_of_kernel(changes, side);
    double most_ns = (double)more_bytes / PAGE_BYTES * PAGE_NS;

    if (changes->measure.kind != MEASURE_CPU)
        return more > 0;
    if (more == 0)
        more = told_of_whole(changes, side);
    return more > 0 && most_ns * TELLING_PART >= (double)more;
}

static bool has_moved_any(const struct changes *changes, enum joined_side side)
{
    for (size_t i = 0; i < changes->told_count; i++)
        if (told_of(&changes->items.items[i].total, side) > 0)
            return true;
    return false;
}

/* What happens more often where files are not in memory. */
static bool is_of_faults_or_waits(const struct joined_part *part)
{
    static const char *const names[] = {"page-faults", "major-faults", "context-switches", "off-cpu"};
    struct slice event = profile_text(part->profile, part->profile->series.items[part->series].event);
    struct slice name = slice_range(event, 0, slice_find_byte(event, ':'));

    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        if (event_name_is_same(name, slice_of(names[i])))
            return true;
    return false;
}

enum joined_side disk_reads_side(const struct joined_part parts[JOINED_SIDES], const struct changes *changes)
{
    uint64_t more_bytes = 0;
    enum joined_side side = side_with_more(parts, &more_bytes);
    const struct joined_part *part = &parts[JOINED_AFTER];
    bool has_moved = false;

    if (side == JOINED_SIDES)
        return side;
    if (is_of_faults_or_waits(part))
        has_moved = has_moved_any(changes, side);
    else
        has_moved = series_lags(part->profile, part->series) && has_moved_kernel(changes, side, more_bytes);
    return has_moved ? side : JOINED_SIDES;
}

/* "from disks" */
static const char *from_disks(const struct joined_part parts[JOINED_SIDES])
{
    bool is_several =
        parts[JOINED_BEFORE].profile->run_count > 1 || parts[JOINED_AFTER].profile->run_count > 1;

    return is_several ? "from disks in a run" : "from disks";
}

static void add_note(const struct joined_part parts[JOINED_SIDES], const struct change_words *words,
                     enum joined_side side, struct rows *rows)
{
    SCOPED(text_done) struct text note = {0};
    const char *labels[JOINED_SIDES] = {words->before, words->after};

    text_format(&note, "%s read ", labels[side]);
    units_add_bytes(&note, bytes_of_run(&parts[side]));
    text_format(&note, " %s, %s ", from_disks(parts), labels[other_side(side)]);
    units_add_bytes(&note, bytes_of_run(&parts[other_side(side)]));
    text_format(
        &note,
        ": reading what is not in memory yet %s, whatever changed in the program; record both once more, "
        "or have cargo cprof compare run them in turn",
        is_of_faults_or_waits(&parts[side]) ? "makes faults and waits" : "takes more of the kernel's time");
    *vec_add(&rows->notes) = arena_copy(&rows->arena, text_slice(&note));
}

/* It has the names of both sides already. */
static void add_to_headline(const struct joined_part parts[JOINED_SIDES], struct rows *rows)
{
    SCOPED(text_done) struct text headline = {0};

    text_format(&headline, "%s Read %s: ", rows->headline, from_disks(parts));
    units_add_bytes(&headline, bytes_of_run(&parts[JOINED_AFTER]));
    text_add_string(&headline, ", was ");
    units_add_bytes(&headline, bytes_of_run(&parts[JOINED_BEFORE]));
    text_add_string(&headline,
                    "; that counts here, whatever changed in the program. Recorded once more, both may "
                    "find it in memory.");
    rows->headline = arena_copy(&rows->arena, text_slice(&headline));
}

void disk_reads_tell(const struct joined_part parts[JOINED_SIDES], const struct changes *changes,
                     const struct change_words *words, struct rows *rows)
{
    static const char *const keys[] = {"disk-bytes-before", "disk-bytes-after"};
    enum joined_side side = disk_reads_side(parts, changes);

    for (size_t i = 0; i < JOINED_SIDES; i++)
        if (is_known(&parts[i]))
            rows_add_fact(rows, keys[i], bytes_of_run(&parts[i]));
    if (side == JOINED_SIDES)
        return;
    add_note(parts, words, side, rows);
    add_to_headline(parts, rows);
    rows_add_label(rows, "disks", side == JOINED_BEFORE ? SLICE("before") : SLICE("after"));
}
