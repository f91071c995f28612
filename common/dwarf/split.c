#include "dwarf/split.h"

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
    size_t program_slash = slice_find_last_byte(program, '/');
    size_t name_slash = slice_find_last_byte(name, '/');

    if (program_slash < program.length)
        text_add(path, slice_range(program, 0, program_slash + 1));
    text_add(path, name_slash < name.length ? slice_range(name, name_slash + 1, name.length) : name);
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

/* A package that does not have the unit is none of this program where there is no file, either. */
static int open_image(const struct unit *skeleton, const char *program, const struct package *package,
                      struct image *out, struct error *err)
{
    SCOPED(text_done) struct text path = {0};
    SCOPED(text_done) struct text beside = {0};

    add_joined(&path, skeleton->directory, skeleton->split_name);
    if (access(text_string(&path), F_OK) == 0)
        return image_open(text_string(&path), out, err);
    add_beside(&beside, slice_of(program), skeleton->split_name);
    if (access(text_string(&beside), F_OK) == 0)
        return image_open(text_string(&beside), out, err);
    return package ? refuse_foreign(package->image.name, err)
                   : refuse_missing(program, text_string(&path), err);
}

static int read_file(const struct unit *skeleton, const char *program, const struct package *package,
                     struct split_unit *out, struct error *err)
{
    if (open_image(skeleton, program, package, &out->image, err) < 0)
        return -1;
    return debug_sections_read(&out->image, DEBUG_WHOLE, &out->sections, err);
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

int split_unit_open(const struct units *units, const struct unit *skeleton, const char *program,
                    const struct package *package, struct split_unit *out, struct error *err)
{
    const struct package *used = NULL;

    *out = (struct split_unit){.image.descriptor = -1};
    if (package && package_find(package, skeleton->split_id, &out->sections))
        used = package;
    out->is_packed = used != NULL;
    if (!used && read_file(skeleton, program, package, out, err) < 0) {
        split_unit_close(out);
        return -1;
    }
    borrow_sections(&out->sections, units->sections);
    units_read(&out->sections, &out->units);
    if (choose_unit(out, skeleton))
        return 0;
    (void)refuse_foreign(used ? used->image.name : out->image.name, err);
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
