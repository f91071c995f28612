#include "import/folded.h"

#include <string.h>

#include "base/memory.h"
#include "base/scan.h"
#include "import/folded_names.h"

#define FORM "a line is a path and how many samples have it: main;parse;read 42"

static void folded_paths_done(struct folded_paths *paths)
{
    intern_done(&paths->paths);
    vec_done(&paths->counts);
    vec_done(&paths->lines);
}

static void note_line(struct folded_paths *paths, uint32_t path, uint64_t count)
{
    size_t last = paths->lines.count;

    if (paths->has_no_order)
        return;
    if (last > 0 && paths->lines.items[last - 1].path == path) {
        paths->lines.items[last - 1].count += count;
        return;
    }
    if (last == FOLDED_LINES_IN_ORDER) {
        vec_done(&paths->lines);
        paths->has_no_order = true;
        return;
    }
    *vec_add(&paths->lines) = (struct folded_line){path, count};
}

static void add_path(struct folded_paths *paths, struct slice path, uint64_t count)
{
    uint32_t id = intern_add(&paths->paths, path);

    if (id == paths->counts.count)
        *vec_add(&paths->counts) = 0;
    paths->counts.items[id] += count;
    note_line(paths, id, count);
}

static size_t line_count(const struct folded_paths *paths)
{
    return paths->has_no_order ? paths->counts.count : paths->lines.count;
}

static struct folded_line line_at(const struct folded_paths *paths, size_t at)
{
    return paths->has_no_order ? (struct folded_line){(uint32_t)at, paths->counts.items[at]}
                               : paths->lines.items[at];
}

void folded_import_done(struct folded_import *import)
{
    folded_paths_done(&import->file);
    folded_paths_done(&import->ended);
    text_done(&import->rest);
}

/* --- Lines --------------------------------------------------------------------------------------- */

/* Of all lines together: rows keep differences in 63 bits, and the largest number for what has no sum. */
static const uint64_t most_samples = INT64_MAX;

/* "42" or "42.5", whose fraction is taken too. */
static bool scan_count(struct scan *scan, uint64_t *count, bool *has_fraction)
{
    uint64_t fraction = 0;

    if (!scan_decimal(scan, count))
        return false;
    *has_fraction = scan_byte(scan, '.');
    if (*has_fraction && !scan_at_end(scan))
        return scan_decimal(scan, &fraction);
    return true;
}

/* The path and the count of a line that has both. */
static bool take_apart(struct slice line, struct slice *path, uint64_t *count, bool *has_fraction)
{
    size_t end = line.length;
    struct scan scan;

    while (end > 0 && line.data[end - 1] != ' ' && line.data[end - 1] != '\t')
        end--;
    scan = scan_of(slice_range(line, end, line.length));
    *path = slice_trim(slice_range(line, 0, end));
    return path->length > 0 && scan_count(&scan, count, has_fraction) && scan_at_end(&scan) &&
           *count <= most_samples;
}

static void begin_line(struct folded_import *import)
{
    if (import->line_number == 0)
        import->first_bad_number = import->first_long_number = 0;
    import->line_number++;
}

static void leave_out(uint64_t *count, uint64_t *first_number, uint64_t number)
{
    ++*count;
    if (*first_number == 0)
        *first_number = number;
}

static void add_line(struct folded_import *import, struct slice line)
{
    struct slice path = {0};
    uint64_t count = 0;
    bool has_fraction = false;

    begin_line(import);
    line = slice_trim(line);
    if (line.length == 0)
        return;
    import->line_count++;
    if (!take_apart(line, &path, &count, &has_fraction)) {
        leave_out(&import->bad_count, &import->first_bad_number, import->line_number);
        return;
    }
    if (count > most_samples - import->sum) {
        import->beyond_count++;
        return;
    }
    import->sum += count;
    import->fraction_count += has_fraction;
    add_path(&import->file, path, count);
}

/* Ends the line that has been kept; without it when it is too long. */
static void end_line(struct folded_import *import, struct slice last_part)
{
    bool is_long = import->rest.length + last_part.length > FOLDED_LINE_MOST_BYTES;

    if (import->is_skipping || is_long) {
        begin_line(import);
        import->line_count++;
        leave_out(&import->long_count, &import->first_long_number, import->line_number);
    } else if (import->rest.length == 0) {
        add_line(import, last_part);
    } else {
        text_add(&import->rest, last_part);
        add_line(import, text_slice(&import->rest));
    }
    text_clear(&import->rest);
    import->is_skipping = false;
}

void folded_import_add(struct folded_import *import, struct slice bytes)
{
    for (size_t end = 0; (end = slice_find_byte(bytes, '\n')) < bytes.length;
         bytes = slice_range(bytes, end + 1, bytes.length))
        end_line(import, slice_range(bytes, 0, end));
    if (import->rest.length + bytes.length > FOLDED_LINE_MOST_BYTES)
        import->is_skipping = true;
    if (!import->is_skipping)
        text_add(&import->rest, bytes);
}

/* --- Files --------------------------------------------------------------------------------------- */

/* Where the count of a first profile would begin in a path: behind its last space. */
static size_t first_count_at(struct slice path)
{
    size_t space = slice_find_last_byte(path, ' ');
    struct scan scan = scan_of(slice_range(path, space + 1, path.length));
    uint64_t count = 0;
    bool has_fraction = false;

    return space < path.length && scan_count(&scan, &count, &has_fraction) && scan_at_end(&scan)
               ? space
               : path.length;
}

static bool have_two_counts(const struct intern *paths)
{
    for (uint32_t i = 0; i < paths->entries.count; i++)
        if (first_count_at(intern_text(paths, i)) == intern_text(paths, i).length)
            return false;
    return true;
}

/* The paths of the file that has ended join those of the others; the first one's are not copied. */
static void join_paths(struct folded_import *import)
{
    struct folded_paths *file = &import->file;
    bool two_counts = have_two_counts(&file->paths);

    if (import->ended.counts.count == 0 && !two_counts) {
        folded_paths_done(&import->ended);
        import->ended = *file;
        *file = (struct folded_paths){0};
        return;
    }
    for (size_t i = 0; i < line_count(file); i++) {
        struct folded_line line = line_at(file, i);
        struct slice path = intern_text(&file->paths, line.path);

        add_path(&import->ended, two_counts ? slice_range(path, 0, first_count_at(path)) : path, line.count);
    }
    folded_paths_done(file);
    *file = (struct folded_paths){0};
}

/* The file that has ended, of whose lines so many are no stacks. */
static int refuse_lines(const struct folded_import *import, uint64_t left_out, uint64_t line_count,
                        struct error *err)
{
    if (import->first_long_number > 0)
        return error_set(err, ERROR_FORMAT,
                         "no folded stacks: line %llu is longer than " FOLDED_LINE_MOST_TEXT "%s",
                         (unsigned long long)import->first_long_number,
                         left_out > 1 ? ", and most others are so, too, or have another form" : "");
    error_hint(err, FORM "; the text of a profile (.txt) is not read back: keep a .cprof beside it");
    return error_set(err, ERROR_FORMAT, "no folded stacks: %llu of %llu lines have another form",
                     (unsigned long long)left_out, (unsigned long long)line_count);
}

int folded_import_end_file(struct folded_import *import, struct error *err)
{
    uint64_t line_count = 0;
    uint64_t left_out = 0;

    if (import->rest.length > 0 || import->is_skipping)
        end_line(import, (struct slice){0});
    line_count = import->line_count - import->ended_line_count;
    left_out = import->bad_count - import->ended_bad_count + import->long_count - import->ended_long_count;
    import->ended_line_count = import->line_count;
    import->ended_bad_count = import->bad_count;
    import->ended_long_count = import->long_count;
    import->line_number = 0;
    join_paths(import);
    if (left_out <= line_count - left_out)
        return 0;
    return refuse_lines(import, left_out, line_count, err);
}

/* --- Paths --------------------------------------------------------------------------------------- */

/* The name up to the next ";", taken from the path; of nothing but spaces there is none. */
static struct slice next_name(struct slice *path)
{
    size_t end = slice_find_byte(*path, ';');
    struct slice name = slice_range(*path, 0, end);

    *path = slice_range(*path, end + 1, path->length);
    return slice_trim(name).length > 0 ? name : (struct slice){0};
}

/*
 * Whether most paths go on with what a thread begins with: then they begin with the thread's name, which may
 * be anything, as tests are called "tests::parse" and so is their thread.
 */
static bool go_on_with_starts(const struct intern *paths)
{
    size_t start_count = 0;

    for (uint32_t i = 0; i < paths->entries.count; i++) {
        struct slice path = intern_text(paths, i);
        struct slice first = next_name(&path);

        if (folded_name_is_start(first))
            return false;
        start_count += folded_name_is_start(next_name(&path));
    }
    return start_count * 2 > paths->entries.count;
}

/* "main" is as good a name for a thread as for a function; on its own it is the function. */
static bool begin_with_threads(const struct intern *paths)
{
    bool is_all_main = true;

    if (go_on_with_starts(paths))
        return true;
    for (uint32_t i = 0; i < paths->entries.count; i++) {
        struct slice path = intern_text(paths, i);
        struct slice first = slice_range(path, 0, slice_find_byte(path, ';'));

        if (folded_name_is_code(first))
            return false;
        is_all_main = is_all_main && slice_is(first, "main");
    }
    return !is_all_main;
}

static uint32_t thread_of(struct profile *profile, struct pair_index *threads, struct slice name)
{
    uint32_t id = pair_index_add(threads, profile_string(profile, name), 0);

    return id < profile->threads.count ? id : profile_add_thread(profile, 0, 0, name);
}

/* A location stands for a name as it is written, until all of them are known. */
static uint32_t stack_of(struct profile *profile, struct slice path)
{
    uint32_t stack = PROFILE_NONE;

    /* As emit/folded writes samples that have none. */
    if (slice_is(path, "[no stack]"))
        return PROFILE_NONE;
    while (path.length > 0)
        stack =
            profile_stack(profile, stack,
                          profile_location(profile, PROFILE_NONE, profile_string(profile, next_name(&path))));
    return stack;
}

int folded_import_finish(struct folded_import *import, struct profile *profile, struct error *err)
{
    const struct intern *paths = &import->ended.paths;
    bool with_threads = begin_with_threads(paths);
    SCOPED(memory_free_at)
    struct profile_sample *samples = memory_new(paths->entries.count + 1, sizeof(*samples));
    struct pair_index threads = {0};

    if (paths->entries.count == 0) {
        error_hint(err, FORM);
        return error_set(err, ERROR_FORMAT, "no stacks: there is nothing in it");
    }
    profile_add_series(profile, SLICE(SERIES_FOLDED), SLICE("samples"), 0);
    for (uint32_t i = 0; i < paths->entries.count; i++) {
        struct slice path = intern_text(paths, i);

        samples[i].thread = thread_of(profile, &threads, with_threads ? next_name(&path) : SLICE(""));
        samples[i].stack = stack_of(profile, path);
    }
    for (size_t i = 0; i < line_count(&import->ended); i++) {
        struct folded_line line = line_at(&import->ended, i);

        samples[line.path].value = line.count;
        profile_add_sample(profile, 0, samples[line.path]);
    }
    pair_index_done(&threads);
    folded_names_set(profile);
    return profile_finish(profile, err);
}
