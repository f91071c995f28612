#include "dwarf/split.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"

static void add_joined(struct text *path, struct slice folder, struct slice name)
{
    if (!slice_starts_with(name, SLICE("/")) && folder.length > 0) {
        text_add(path, folder);
        text_add_byte(path, '/');
    }
    text_add(path, name);
}

/* The file's name alone, in the program's folder. */
static void add_beside(struct text *path, struct slice program, struct slice name)
{
    text_add(path, slice_range(program, 0, program.length - slice_file_name(program).length));
    text_add(path, slice_file_name(name));
}

static int refuse_foreign(const char *name, struct error *err)
{
    error_hint(err, "build again: the program and the file beside it come from different builds");
    return error_set(err, ERROR_FORMAT, "%s: does not belong to the program", name);
}

static int refuse_missing(const char *program, const char *path, struct error *err)
{
    error_hint(err,
               "put the .dwp that its build left beside it, as NAME.dwp, or build with all debug "
               "information in the program: split-debuginfo=\"off\" in the profile that it is built with, "
               "and no -C split-debuginfo in RUSTFLAGS");
    return error_set(err, ERROR_MISSING, "%s: the debug information that %s refers to is not there", path,
                     program);
}

/* What split debug information leaves to the program: addresses and, up to DWARF 4, range lists. */
static void borrow_sections(struct debug_sections *sections, const struct debug_sections *program)
{
    sections->data[DEBUG_ADDR] = program->data[DEBUG_ADDR];
    sections->data[DEBUG_RANGES] = program->data[DEBUG_RANGES];
    sections->parts[DEBUG_RANGES] = program->parts[DEBUG_RANGES];
    sections->code = program->code;
}

static void borrow_bases(struct unit *unit, const struct unit *skeleton)
{
    unit->encoding.address_base = skeleton->encoding.address_base;
    unit->encoding.base_svma = skeleton->encoding.base_svma;
    if (unit->encoding.version < 5)
        unit->encoding.ranges_base = skeleton->encoding.ranges_base;
}

static bool choose_unit(struct split_unit *split, const struct unit *skeleton)
{
    for (uint32_t i = 0; i < split->units.items.count; i++) {
        struct unit *unit = &split->units.items.items[i];

        if (unit->split_id != skeleton->split_id || unit->encoding.version != skeleton->encoding.version)
            continue;
        borrow_bases(unit, skeleton);
        split->unit = i;
        return true;
    }
    return false;
}

/* Where the file may be, in turn. */
enum candidate { BELOW_ROOT, WHERE_BUILT, BESIDE_PROGRAM, BESIDE_DEBUG_FILE, CANDIDATE_COUNT };

/* Makes `path` that of a candidate; false where there is none. */
static bool choose_path(enum candidate candidate, const struct unit *skeleton,
                        const struct file_place *program, struct text *path)
{
    SCOPED(text_done) struct text built = {0};

    text_clear(path);
    add_joined(&built, skeleton->directory, skeleton->split_name);
    switch (candidate) {
    case BELOW_ROOT:
        text_add(path, file_place_root(program));
        text_add(path, text_slice(&built));
        return program->root_length > 0 && slice_starts_with(text_slice(&built), SLICE("/"));
    case WHERE_BUILT:
        text_add(path, text_slice(&built));
        return true;
    case BESIDE_PROGRAM:
        add_beside(path, slice_of(program->place), skeleton->split_name);
        return true;
    default:
        add_beside(path, slice_of(program->name), skeleton->split_name);
        return strcmp(program->name, program->place) != 0;
    }
}

/* Reads the unit in the sections that there are. */
static int read_unit(const struct units *units, const struct unit *skeleton, const char *name,
                     struct split_unit *out, struct error *err)
{
    borrow_sections(&out->sections, units->sections);
    units_read(&out->sections, &out->units);
    return choose_unit(out, skeleton) ? 0 : refuse_foreign(name, err);
}

static int open_file(const struct units *units, const struct unit *skeleton, const char *path,
                     struct split_unit *out, struct error *err)
{
    *out = (struct split_unit){.image.descriptor = -1};
    if (image_open(path, &out->image, err) == 0 &&
        debug_sections_read(&out->image, DEBUG_WHOLE, &out->sections, err) == 0 &&
        read_unit(units, skeleton, path, out, err) == 0)
        return 0;
    split_unit_close(out);
    return -1;
}

/* A file of another build may be at one path and the program's at the next. */
static int open_any_file(const struct units *units, const struct unit *skeleton,
                         const struct file_place *program, struct split_unit *out, struct error *err)
{
    SCOPED(text_done) struct text path = {0};
    struct error problem = {0};

    for (enum candidate candidate = 0; candidate < CANDIDATE_COUNT; candidate++) {
        struct error unused = {0};

        if (!choose_path(candidate, skeleton, program, &path) || access(text_string(&path), F_OK) != 0)
            continue;
        if (open_file(units, skeleton, text_string(&path), out, &unused) == 0)
            return 0;
        if (problem.kind == ERROR_NONE)
            problem = unused;
    }
    if (problem.kind != ERROR_NONE) {
        *err = problem;
        return -1;
    }
    choose_path(WHERE_BUILT, skeleton, program, &path);
    return refuse_missing(program->name, text_string(&path), err);
}

int split_unit_open(const struct units *units, const struct unit *skeleton, const struct file_place *program,
                    const struct package *package, struct split_unit *out, struct error *err)
{
    *out = (struct split_unit){.image.descriptor = -1};
    out->is_packed = package && package_find(package, skeleton->split_id, &out->sections);
    if (!out->is_packed) {
        if (open_any_file(units, skeleton, program, out, err) == 0)
            return 0;
        /* A package that does not have the unit is none of this program where there is no file, either. */
        return package && err->kind == ERROR_MISSING ? refuse_foreign(package->image.name, err) : -1;
    }
    if (read_unit(units, skeleton, package->image.name, out, err) == 0)
        return 0;
    split_unit_close(out);
    return -1;
}

void split_unit_close(struct split_unit *split)
{
    units_close(&split->units);
    if (!split->is_packed)
        debug_sections_done(&split->sections);
    image_close(&split->image);
}
