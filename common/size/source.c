#include "size/source.h"

#include <elf.h>
#include <stdlib.h>

#include "elf/find_debug.h"
#include "elf/link_alone.h"

void source_done(struct source *source)
{
    if (source->has_debug)
        debug_info_close(&source->debug);
    code_map_done(&source->map);
    symbols_done(&source->symbols);
    if (source->has_debug_image)
        image_close(&source->debug_image);
    if (source->has_image)
        image_close(&source->image);
}

/* Whether the code lies where it lies in the other: what there is to go by where a file has no build-id. */
static bool has_same_code(const struct image *one, const struct image *other)
{
    struct code_bounds a = sections_code_bounds(&one->sections);
    struct code_bounds b = sections_code_bounds(&other->sections);

    return one->machine == other->machine && a.start == b.start && a.end == b.end && a.end > 0;
}

static int check_build(const struct image *image, const struct image *debug, struct error *err)
{
    SCOPED(text_done) struct text wanted = {0};
    SCOPED(text_done) struct text found = {0};

    if (image->build_id.length == 0 || debug->build_id.length == 0)
        return has_same_code(image, debug)
                   ? 0
                   : error_set(err, ERROR_FORMAT,
                               "%s is not of the build of %s: its code lies at other addresses", debug->name,
                               image->name);
    if (slice_equal(image->build_id, debug->build_id))
        return 0;
    text_add_hex_bytes(&wanted, image->build_id);
    text_add_hex_bytes(&found, debug->build_id);
    return error_set(err, ERROR_FORMAT, "%s is of another build: its build-id is %s, that of %s is %s",
                     debug->name, text_string(&found), image->name, text_string(&wanted));
}

static int open_debug_image(struct source *source, const struct source_files *files, struct error *err)
{
    struct error not_found = {0};

    const char *path = files->relinked ? files->relinked : files->debug;

    if (path) {
        if (image_open(path, &source->debug_image, err) < 0)
            return -1;
        source->has_debug_image = true;
        return files->relinked ? 0 : check_build(&source->image, &source->debug_image, err);
    }
    if (source->image.type == ET_REL || find_debug_is_inside(&source->image))
        return 0;
    source->has_debug_image = find_debug_open(&source->image, &source->debug_image, &not_found) == 0;
    /* None at all is usual; one that cannot be used is worth a word. */
    if (!source->has_debug_image && not_found.kind != ERROR_MISSING)
        source->problem = not_found;
    return 0;
}

static int read_symbols(struct source *source, struct error *err)
{
    struct symbols others = {0};
    struct error ignored = {0};

    if (symbols_read(&source->image, &source->symbols, err) < 0)
        return -1;
    if (source->symbols.source == SYMBOLS_FULL || !source->has_debug_image ||
        symbols_read(&source->debug_image, &others, &ignored) < 0)
        return 0;
    if (others.source != SYMBOLS_FULL) {
        symbols_done(&others);
        return 0;
    }
    symbols_move(&others, &source->debug_image, &source->image);
    symbols_done(&source->symbols);
    source->symbols = others;
    return 0;
}

/* Whether relocations in an object's debug information are all of kinds that are known. */
static bool is_debug_settled(const struct image *image)
{
    for (size_t i = 0; i < image->sections.count; i++)
        if (slice_starts_with(image->sections.items[i].name, SLICE(".debug_")) &&
            !image_is_settled(image, &image->sections.items[i]))
            return false;
    return true;
}

/* Damaged debug information costs what it would have told, no more. That of objects has no addresses yet. */
static void read_debug(struct source *source)
{
    struct image *image = source->has_debug_image ? &source->debug_image : &source->image;

    if (image->type == ET_REL && !image->is_linked_alone)
        return;
    if (!is_debug_settled(image)) {
        error_record(&source->problem, ERROR_FORMAT, "%s: an object whose relocations are not known",
                     image->name);
        return;
    }
    source->has_debug = debug_info_open(image, DEBUG_WHOLE, &source->debug, &source->problem) == 0;
}

bool source_problem(const struct source *source, struct error *what)
{
    if (source->problem.kind == ERROR_NONE)
        return source->has_debug && debug_info_is_damaged(&source->debug, what);
    *what = source->problem;
    return true;
}

int source_open(struct image *image, const struct source_files *files, struct source *out, struct error *err)
{
    out->image = *image;
    out->has_image = true;
    if (files->links_objects && link_alone(&out->image, err) < 0)
        return -1;
    if (open_debug_image(out, files, err) < 0 || read_symbols(out, err) < 0)
        return -1;
    if (out->problem.kind == ERROR_NONE && !symbols_name_all_functions(&out->symbols))
        out->problem = out->symbols.mini_problem;
    read_debug(out);
    return 0;
}
