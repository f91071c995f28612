#include "import/pprof_modules.h"

#include "base/scan.h"

/* Programs have some tens of libraries; what is beyond that is not looked at. */
enum { OPEN_MOST = 128 };

void pprof_modules_done(struct pprof_modules *modules)
{
    for (size_t i = 0; i < modules->opened.count; i++)
        if (modules->opened.items[i].is_open)
            image_close(&modules->opened.items[i].image);
    pair_index_done(&modules->files);
    vec_done(&modules->of_file);
    vec_done(&modules->opened);
}

/* --- Files --------------------------------------------------------------------------------------- */

/* "[kernel.kallsyms]_text" is perf's name for it. What else is in brackets is no file: "[heap]". */
static enum module_kind kind_of(struct slice path)
{
    struct slice name = slice_file_name(path);

    if (slice_starts_with(path, SLICE("[kernel")))
        return MODULE_KERNEL;
    if (slice_is(path, "[vdso]"))
        return MODULE_VDSO;
    if (path.length == 0 || slice_starts_with(path, SLICE("[")) || slice_starts_with(path, SLICE("//")))
        return MODULE_NONE;
    return slice_has(name, SLICE(".so")) ? MODULE_LIBRARY : MODULE_EXECUTABLE;
}

/* The bytes of a build id; none where it is written otherwise than ELF's are. */
static void add_build_id(struct text *out, struct slice digits)
{
    enum { SHORTEST_DIGITS = 8 };
    struct scan scan = scan_of(digits.length < SHORTEST_DIGITS ? (struct slice){0} : digits);
    char byte = 0;

    while (scan_hex_byte(&scan, &byte))
        text_add_byte(out, byte);
    if (!scan_at_end(&scan))
        text_clear(out);
}

static uint32_t module_of(struct pprof_modules *modules, const struct pprof_mapping *mapping)
{
    struct profile *profile = modules->profile;
    struct slice path = pprof_text(modules->message, mapping->file);
    enum module_kind kind = kind_of(path);
    SCOPED(text_done) struct text build_id = {0};
    uint32_t id = 0;

    if (kind == MODULE_NONE)
        return PROFILE_NONE;
    if (kind == MODULE_KERNEL)
        path = SLICE("[kernel]");
    else
        add_build_id(&build_id, pprof_text(modules->message, mapping->build_id));
    id = pair_index_add(&modules->files, profile_string(profile, path),
                        profile_string(profile, text_slice(&build_id)));
    if (id == modules->of_file.count) {
        *vec_add(&modules->of_file) = profile_add_module(profile, kind, path, text_slice(&build_id));
        *vec_add(&modules->opened) = (struct pprof_module){0};
    }
    return modules->of_file.items[id];
}

/* --- Addresses ----------------------------------------------------------------------------------- */

/* The module's file, where it is there and no other one. */
static const struct image *image_of(struct pprof_modules *modules, uint32_t module)
{
    const struct profile_module *of = &modules->profile->modules.items[module];
    struct pprof_module *opened = &modules->opened.items[module];
    struct slice path = profile_text(modules->profile, of->path);
    struct slice build_id = profile_text(modules->profile, of->build_id);
    struct error unread = {0};

    /* Where it lies from here says nothing of a file that nobody can tell from another. */
    bool is_findable = build_id.length > 0 || slice_starts_with(path, SLICE("/"));

    if (!opened->is_looked_at && is_findable && modules->open_count < OPEN_MOST &&
        image_open(path.data, &opened->image, &unread) == 0) {
        opened->is_open = build_id.length == 0 || slice_equal(build_id, opened->image.build_id);
        modules->open_count += opened->is_open;
        if (!opened->is_open)
            image_close(&opened->image);
    }
    opened->is_looked_at = true;
    return opened->is_open ? &opened->image : NULL;
}

/* Where the file has the byte in memory; where nothing tells, the byte's own place. */
static uint64_t svma_of_offset(const struct image *image, uint64_t offset)
{
    for (size_t i = 0; image && i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (section->memory_bytes > 0 && offset >= section->file_offset &&
            offset - section->file_offset < section->file_bytes)
            return section->svma + (offset - section->file_offset);
    }
    return offset;
}

/* Of a mapping that begins at 0, where no process has one, addresses are the file's already. */
static uint64_t svma_of(struct pprof_modules *modules, uint32_t module, const struct pprof_mapping *mapping,
                        uint64_t avma)
{
    enum module_kind kind = modules->profile->modules.items[module].kind;

    if (mapping->start_avma == 0 || kind == MODULE_KERNEL || avma < mapping->start_avma)
        return avma;
    return svma_of_offset(image_of(modules, module), avma - mapping->start_avma + mapping->file_offset);
}

/* An address that no file has code at, for each location its own. */
static uint64_t no_svma(const struct pprof_modules *modules, const struct pprof_location *location)
{
    return UINT64_MAX - (uint64_t)(location - modules->message->locations.items);
}

/*
 * Locations of a profile go by their addresses. Those of this form need not have one, and two of one address
 * may tell of different calls; of those that tell of none one is as good as the other.
 */
uint32_t pprof_modules_add_location(struct pprof_modules *modules, const struct pprof_location *location)
{
    struct profile *profile = modules->profile;
    const struct pprof_mapping *mapping = pprof_mapping_of(modules->message, location->mapping);
    uint32_t module = mapping ? module_of(modules, mapping) : PROFILE_NONE;
    bool has_names = location->line_count > 0;
    uint64_t svma = location->avma;

    if (module != PROFILE_NONE)
        svma = svma_of(modules, module, mapping, location->avma);
    if (has_names && (location->avma == 0 || pair_index_has(&profile->location_index, module, svma)))
        svma = no_svma(modules, location);
    return profile_location(profile, module, svma);
}

bool pprof_modules_has_file(struct pprof_modules *modules, uint32_t module)
{
    return module != PROFILE_NONE && modules->profile->modules.items[module].build_id != PROFILE_NO_STRING &&
           image_of(modules, module) != NULL;
}
