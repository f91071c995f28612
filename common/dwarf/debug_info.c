#include "dwarf/debug_info.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/workers.h"
#include "dwarf/find_package.h"

/* Opens the package, if some unit may be in one. */
static void open_package(struct debug_info *info)
{
    for (size_t i = 0; i < info->units.items.count; i++)
        if (info->units.items.items[i].split_name.length > 0) {
            info->package =
                find_package(&info->file, &info->units, info->sections.extent, &info->package_problem);
            return;
        }
}

int debug_info_open(struct image *image, enum debug_extent extent, struct debug_info *out, struct error *err)
{
    struct debug_sections sections;

    if (debug_sections_read(image, extent, &sections, err) < 0)
        return -1;
    *out = (struct debug_info){.file = image_file_place(image), .sections = sections};
    units_read(&out->sections, &out->units);
    debug_sections_release(&out->sections, DEBUG_ABBREV); /* the tables hold all of it */
    out->details = memory_new(out->units.items.count, sizeof(*out->details));
    open_package(out);
    return 0;
}

void debug_info_close(struct debug_info *info)
{
    for (size_t i = 0; i < info->units.items.count; i++) {
        if (!info->details[i].has_functions)
            continue;
        functions_done(&info->details[i].functions);
        line_table_done(&info->details[i].lines);
        if (info->details[i].split)
            split_unit_close(info->details[i].split);
        free(info->details[i].split);
    }
    free(info->details);
    info->details = NULL;
    if (info->package)
        package_close(info->package);
    free(info->package);
    arena_done(&info->arena);
    units_close(&info->units);
    debug_sections_done(&info->sections);
}

/* The other file that the unit's entries stand in; false when it is not there. */
static bool open_split(struct debug_info *info, uint32_t unit, struct unit_details *details)
{
    struct split_unit *split = details->split;

    if (split)
        return true;
    split = memory_new(1, sizeof(*split));
    if (split_unit_open(&info->units, &info->units.items.items[unit], &info->file, info->package, split,
                        &details->split_problem) < 0) {
        if (info->package_problem.kind != ERROR_NONE)
            details->split_problem = info->package_problem;
        free(split);
        return false;
    }
    details->split = split;
    return true;
}

/* Once for each unit, before threads look at it. */
static void name_unit(struct debug_info *info, uint32_t unit)
{
    if (info->sections.extent == DEBUG_PARTS && !info->details[unit].has_functions)
        units_read_names(&info->units, unit);
}

/* Reads the unit's functions at the addresses, or all of them for NULL. The lines are to follow. */
static void read_functions(struct debug_info *info, uint32_t unit, const struct places *wanted)
{
    struct unit_details *details = &info->details[unit];

    functions_done(&details->functions);
    if (info->units.items.items[unit].split_name.length == 0)
        functions_read(&info->units, unit, wanted, &details->functions);
    else if (open_split(info, unit, details))
        functions_read(&details->split->units, details->split->unit, wanted, &details->functions);
    details->has_functions = true;
    details->has_lines = false;
    details->wanted = wanted ? *wanted : (struct places){0};
}

static bool has_all_functions(const struct unit_details *details)
{
    return details->has_functions && details->wanted.count == 0;
}

static bool has_functions_at(const struct unit_details *details, uint64_t svma)
{
    return details->has_functions && (details->wanted.count == 0 || places_hold(&details->wanted, svma));
}

/* Makes the section of line tables be there; when it cannot be read, all units' tables are damaged. */
static void open_lines(struct debug_info *info)
{
    if (debug_sections_read_lines(&info->sections, &info->lines_problem) == 0)
        return;
    for (size_t i = 0; i < info->units.items.count; i++) {
        info->details[i].lines.is_damaged = true;
        info->details[i].has_lines = true;
    }
}

static void read_lines(struct debug_info *info, uint32_t unit)
{
    struct unit_details *details = &info->details[unit];

    if (details->has_lines)
        return;
    line_table_done(&details->lines);
    line_table_read(&info->sections, &info->units.items.items[unit],
                    details->wanted.count > 0 ? &details->wanted : NULL, &details->lines);
    details->has_lines = true;
}

/* Units to read, each once. */
struct batch {
    struct debug_info *info;
    VEC(uint32_t) units;
    struct places wanted; /* in all of them; none: everything */
};

static void read_functions_of_batch(void *context, size_t index)
{
    const struct batch *batch = context;
    uint32_t unit = batch->units.items[index];
    const struct unit_details *details = &batch->info->details[unit];

    if (batch->wanted.count == 0) {
        if (!has_all_functions(details))
            read_functions(batch->info, unit, NULL);
    } else {
        /* What was asked for before must still be found. */
        read_functions(batch->info, unit, details->has_functions ? NULL : &batch->wanted);
    }
}

static void read_lines_of_batch(void *context, size_t index)
{
    struct batch *batch = context;

    read_lines(batch->info, batch->units.items[index]);
}

static int compare_ids(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left;
    uint32_t b = *(const uint32_t *)right;

    return a < b ? -1 : a > b;
}

/* Two threads must never be given the same unit. */
static void keep_each_once(struct batch *batch)
{
    size_t kept = 0;

    vec_sort(&batch->units, compare_ids);
    for (size_t i = 0; i < batch->units.count; i++) {
        uint32_t unit = batch->units.items[i];
        bool is_repeated = kept > 0 && batch->units.items[kept - 1] == unit;

        if (unit < batch->info->units.items.count && !is_repeated)
            batch->units.items[kept++] = unit;
    }
    batch->units.count = kept;
}

/*
 * When all functions were read nothing needs the entries any more, only their strings. Split units borrow
 * some of the sections.
 */
static void release_entries(struct debug_info *info)
{
    static const enum debug_section entries[] = {
        DEBUG_ADDR, DEBUG_INFO, DEBUG_RANGES, DEBUG_RNGLISTS, DEBUG_STR_OFFSETS,
    };

    for (size_t i = 0; i < info->units.items.count; i++)
        if (!has_all_functions(&info->details[i]) || info->details[i].functions.needs_entries ||
            info->details[i].split)
            return;
    for (size_t i = 0; i < ARRAY_COUNT(entries); i++)
        debug_sections_release(&info->sections, entries[i]);
}

static void read_batch(struct batch *batch, unsigned thread_count)
{
    keep_each_once(batch);
    for (size_t i = 0; i < batch->units.count; i++)
        name_unit(batch->info, batch->units.items[i]);
    workers_run(batch->units.count, thread_count, read_functions_of_batch, batch);
    release_entries(batch->info);
    open_lines(batch->info);
    workers_run(batch->units.count, thread_count, read_lines_of_batch, batch);
    vec_done(&batch->units);
}

void debug_info_read_places(struct debug_info *info, const uint64_t *svmas, size_t count,
                            unsigned thread_count)
{
    struct batch batch = {.info = info, .wanted.count = count};
    uint64_t *rising = ARENA_ARRAY(&info->arena, count, uint64_t);

    for (size_t i = 0; i < count; i++) {
        uint32_t unit = units_find(&info->units, svmas[i]);

        rising[i] = svmas[i];
        if (unit != UNIT_NONE && !has_functions_at(&info->details[unit], svmas[i]))
            *vec_add(&batch.units) = unit;
    }
    if (batch.units.count == 0)
        return;
    places_sort(rising, count);
    batch.wanted.svmas = rising;
    read_batch(&batch, thread_count);
}

/* What stays in the program of a unit that is split has a folder, but no name. */
static void take_name(struct unit *unit, const struct split_unit *split)
{
    if (split && unit->name.length == 0)
        unit->name = split->units.items.items[split->unit].name;
}

void debug_info_read_all(struct debug_info *info, unsigned thread_count)
{
    struct batch batch = {.info = info};

    for (uint32_t i = 0; i < info->units.items.count; i++)
        *vec_add(&batch.units) = i;
    read_batch(&batch, thread_count);
    for (uint32_t i = 0; i < info->units.items.count; i++)
        take_name(&info->units.items.items[i], info->details[i].split);
}

size_t debug_info_find(struct debug_info *info, uint64_t svma, struct source_frame *frames)
{
    uint32_t unit = units_find(&info->units, svma);
    struct source_frame frame = {.unit = unit, .file = LINE_NO_FILE};
    const struct unit_details *details = NULL;
    const struct line_row *row = NULL;
    uint32_t at = FRAME_NONE;
    size_t count = 0;

    if (unit == UNIT_NONE)
        return 0;
    if (!has_functions_at(&info->details[unit], svma)) {
        name_unit(info, unit);
        read_functions(info, unit, NULL);
    }
    if (!info->details[unit].has_lines)
        open_lines(info);
    read_lines(info, unit);
    details = &info->details[unit];
    row = line_table_find(&details->lines, svma);
    if (row) {
        frame.file = row->file;
        frame.line = row->line;
    }
    at = functions_find(&details->functions, svma);
    if (at == FRAME_NONE) {
        frames[0] = frame;
        return row ? 1 : 0;
    }
    while (at != FRAME_NONE) {
        const struct function_frame *function = &details->functions.frames.items[at];

        frame.name = details->functions.names.items[function->name];
        frame.is_inlined = function->parent != FRAME_NONE;
        count += count < SOURCE_FRAMES_MOST;
        frames[count - 1] = frame;
        frame.file = function->call_file;
        frame.line = function->call_line;
        at = function->parent;
    }
    return count;
}

const struct unit *debug_info_unit(const struct debug_info *info, const struct source_frame *frame)
{
    const struct split_unit *split = info->details[frame->unit].split;

    return split ? &split->units.items.items[split->unit] : &info->units.items.items[frame->unit];
}

const struct error *debug_info_problem(const struct debug_info *info)
{
    for (size_t i = 0; i < info->units.items.count; i++)
        if (info->details[i].split_problem.kind != ERROR_NONE)
            return &info->details[i].split_problem;
    return NULL;
}

bool debug_info_is_damaged(const struct debug_info *info, struct error *what)
{
    size_t line_tables = 0;
    size_t functions = 0;

    for (size_t i = 0; i < info->units.items.count; i++) {
        line_tables += info->details[i].has_lines && info->details[i].lines.is_damaged;
        functions += info->details[i].has_functions && info->details[i].functions.is_damaged;
    }
    if (info->units.damaged_count > 0)
        error_record(what, ERROR_FORMAT, "%s: units that are damaged (%zu)", info->file.name,
                     info->units.damaged_count);
    else if (info->lines_problem.kind != ERROR_NONE)
        *what = info->lines_problem;
    else if (line_tables > 0)
        error_record(what, ERROR_FORMAT, "%s: line tables that are damaged (%zu)", info->file.name,
                     line_tables);
    else if (functions > 0)
        error_record(what, ERROR_FORMAT, "%s: units whose functions are damaged (%zu)", info->file.name,
                     functions);
    else
        return false;
    return true;
}

bool debug_info_add_path(const struct debug_info *info, const struct source_frame *frame, struct text *path)
{
    return line_table_add_path(&info->details[frame->unit].lines, frame->file, path);
}
