#include "process/module_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/scan.h"
#include "base/text.h"
#include "elf/build_id.h"
#include "elf/program.h"
#include "process/maps.h"
#include "process/own_root.h"
#include "process/vdso.h"

struct slice module_file_keep(struct modules *modules, struct slice bytes)
{
    return intern_text(&modules->strings, intern_add(&modules->strings, bytes));
}

void module_file_free_image(struct image *image)
{
    if (image)
        image_close(image);
    free(image);
}

static void read_code(struct module *module, const struct image *image)
{
    for (size_t i = 0; i < image->sections.count; i++) {
        const struct section *section = &image->sections.items[i];

        if (section_is_code(section))
            *vec_add(&module->code) =
                (struct module_code){section->svma, section->file_offset, section->file_bytes};
    }
}

/* Whether the program was built anew since it was started. */
static bool is_another_file(const struct module *module, const struct image *image)
{
    if (module->build_id.length > 0 && image->build_id.length > 0)
        return !slice_equal(module->build_id, image->build_id);
    return !module->is_vdso && (file_has_another_inode(&module->seen, image->descriptor, &module->file) ||
                                file_is_later(&module->seen, &module->file));
}

/*
 * Where the file is started, 0: it is not. As the entry of libraries, which have none, linkers took where
 * their code begins (30 of 552 in Debian 12), and so does perf inject --jit for each function that
 * it writes.
 */
static uint64_t start_of(const struct image *image, bool is_program)
{
    const struct section *code = sections_find(&image->sections, SLICE(".text"));

    return !is_program && code && code->svma == image->entry_svma ? 0 : image->entry_svma;
}

static void take_image(struct modules *modules, struct module *module, struct image *image)
{
    struct error unread = {0};

    module->is_readable = true;
    module->is_program = image_is_program(image);
    module->entry_svma = start_of(image, module->is_program);
    module->build_id = module_file_keep(modules, image->build_id);
    module->image = image;
    module->blocks = code_blocks_new();
    module->frame_areas = memory_new(image->size_bytes / MODULE_AREA_BYTES + 1, 1);
    image_set_place(image, module->root, module->path);
    read_code(module, image);
    if (cfi_lookup_open(image, &module->frames, &unread) < 0)
        module->frames = NULL;
    module->code_frames = code_frames_open(image, module->frames);
}

bool module_file_is_denied(const struct module *module)
{
    SCOPED(text_done) struct text running = {0};
    struct stat file;

    if (access(module->path.data, R_OK) < 0 && errno == EACCES)
        return true;
    text_format(&running, "/proc/%u/exe", module->pid);
    return module->pid != 0 && stat(text_string(&running), &file) < 0 && errno == EACCES;
}

/* Takes an image that was opened, or frees it; NULL as well. Returns whether it is what ran. */
static bool take_or_free(struct modules *modules, struct module *module, struct image *image)
{
    bool is_whole = image && (module->is_vdso || fstat(image->descriptor, &module->file) == 0);

    if (is_whole && !is_another_file(module, image)) {
        take_image(modules, module, image);
        return true;
    }
    module_file_free_image(image);
    return false;
}

/* NULL when it cannot be opened. */
static struct image *open_image(const char *path)
{
    struct image *image = memory_new(1, sizeof(*image));
    struct error unread = {0};

    if (image_open(path, image, &unread) == 0)
        return image;
    free(image);
    return NULL;
}

/* Returns whether what ran is at this path. */
static bool take_file(struct modules *modules, struct module *module, const char *path)
{
    return take_or_free(modules, module, open_image(path));
}

static bool take_vdso(struct modules *modules, struct module *module)
{
    struct image *image = memory_new(1, sizeof(*image));
    struct error unread = {0};

    if (image_open_bytes(vdso_bytes(), "[vdso]", image, &unread) == 0)
        return take_or_free(modules, module, image);
    free(image);
    return false;
}

/* Whether the file at this path is told to be the module's, not only by its name; `image` is of it, or NULL.
 */
static bool is_proven(const struct module *module, const char *path, const struct image *image)
{
    struct stat file;

    if (module->build_id.length > 0)
        return image && slice_equal(module->build_id, image->build_id);
    return module->seen.inode > 0 && stat(path, &file) == 0 && file.st_ino == module->seen.inode;
}

/* The root folder of a process that is elsewhere, which leads there when it has ended, too. */
static struct slice root_of(struct modules *modules, uint32_t pid)
{
    char path[sizeof("/proc/self/fd/2147483647")];
    struct own_root *root = NULL;

    for (size_t i = 0; i < modules->roots.count && !root; i++)
        if (own_root_is_of(&modules->roots.items[i], pid))
            root = &modules->roots.items[i];
    if (!root) {
        root = vec_add(&modules->roots);
        own_root_open(pid, root);
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", root->folder);
    return module_file_keep(modules, slice_of(path));
}

/*
 * The file where the process's own root has it, when that is another one than ours (proc(5)). What was mapped
 * before chroot(2) or pivot_root(2), and what /proc/PID/maps says after, is at its path from our root.
 */
static bool take_at_path(struct modules *modules, struct module *module)
{
    SCOPED(text_done) struct text elsewhere = {0};
    struct image *theirs = NULL;
    struct image *ours = NULL;

    if (module->pid == 0 || !process_is_elsewhere(module->pid))
        return take_file(modules, module, module->path.data);
    text_format(&elsewhere, "/proc/%u/root", module->pid);
    text_add(&elsewhere, module->path);
    theirs = open_image(text_string(&elsewhere));
    module->is_elsewhere = is_proven(module, text_string(&elsewhere), theirs);
    if (!module->is_elsewhere) {
        ours = open_image(module->path.data);
        module->is_elsewhere = !is_proven(module, module->path.data, ours);
    }
    if (module->is_elsewhere)
        module->root = root_of(modules, module->pid);
    module_file_free_image(module->is_elsewhere ? ours : theirs);
    return take_or_free(modules, module, module->is_elsewhere ? theirs : ours);
}

/* Whether the process runs what is at the module's path, as the link /proc/PID/exe tells it. */
static bool is_named(const char *link, const struct module *module)
{
    char path[PATH_MAX];
    ssize_t length = readlink(link, path, sizeof(path));

    return length > 0 && slice_equal((struct slice){path, (size_t)length}, module->path);
}

/*
 * Of a program whose file was removed, or never had a name (memfd_create(2)), the process still tells it.
 * That it is this module is told by the inode, or the name where the inode is another one, as on overlayfs,
 * or by the build id, which is compared with any file's.
 */
static bool take_running(struct modules *modules, struct module *module)
{
    SCOPED(text_done) struct text path = {0};
    struct stat file;

    text_format(&path, "/proc/%u/exe", module->pid);
    if (stat(text_string(&path), &file) < 0)
        return false;
    if (module->seen.inode > 0 && file.st_ino != module->seen.inode && !is_named(text_string(&path), module))
        return false;
    return take_file(modules, module, text_string(&path));
}

/* Whether this memory shows the module's file, which its path may not lead to. */
static bool shows(const struct maps_line *line, const struct module *module)
{
    struct slice removed = SLICE(" (deleted)");
    struct slice path = line->path;

    if (!line->is_executable)
        return false;
    if (slice_equal(path, module->path))
        return true;
    if (module->seen.inode > 0)
        return line->inode == module->seen.inode;
    return slice_ends_with(path, removed) &&
           slice_equal(slice_range(path, 0, path.length - removed.length), module->path);
}

/*
 * So are files that are mapped, its libraries, to who has CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE (proc(5),
 * "/proc/pid/map_files/").
 */
static bool take_mapped(struct modules *modules, struct module *module)
{
    SCOPED(text_done) struct text maps = {0};
    struct scan scan;
    struct slice line;

    (void)maps_read(module->pid, &maps);
    scan = scan_of(text_slice(&maps));
    while (scan_line(&scan, &line)) {
        char path[64];
        struct maps_line mapping;

        if (!maps_read_line(line, &mapping) || !shows(&mapping, module))
            continue;
        snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", module->pid,
                 (unsigned long long)mapping.start_avma, (unsigned long long)mapping.end_avma);
        if (take_file(modules, module, path))
            return true;
    }
    return false;
}

static bool take_elsewhere(struct modules *modules, struct module *module, struct text *path)
{
    if (!take_file(modules, module, text_string(path)))
        return false;
    module->is_elsewhere = true;
    module->found_at = module_file_keep(modules, text_slice(path));
    return true;
}

/* Below a folder that was named for it. Of a file without a build id that is taken at its word. */
static bool take_below_root(struct modules *modules, struct module *module)
{
    SCOPED(text_done) struct text path = {0};
    struct file_seen seen = module->seen;

    if (!modules->places.root)
        return false;
    text_add_string(&path, modules->places.root);
    text_add(&path, module->path);
    module->seen = (struct file_seen){0};
    if (take_elsewhere(modules, module, &path))
        return true;
    module->seen = seen;
    return false;
}

/*
 * "~/.debug/.build-id/48/dc540c...9444/elf": a copy that perf made when it recorded (perf-buildid-cache(1));
 * of the vdso "vdso".
 */
static bool take_copy(struct modules *modules, struct module *module)
{
    SCOPED(text_done) struct text path = {0};

    if (!modules->places.copies || module->build_id.length < 2)
        return false;
    text_add_string(&path, modules->places.copies);
    build_id_add_path(&path, module->build_id);
    text_add_string(&path, module->is_vdso ? "/vdso" : "/elf");
    return take_elsewhere(modules, module, &path);
}

bool module_file_take(struct modules *modules, struct module *module)
{
    bool is_known = module->pid != 0 && (module->seen.inode > 0 || module->build_id.length > 0);

    if (module->is_vdso)
        return take_vdso(modules, module) || take_copy(modules, module);
    module->root = slice_of(modules->places.root ? modules->places.root : "");
    return take_below_root(modules, module) || take_at_path(modules, module) || take_copy(modules, module) ||
           (is_known && (take_running(modules, module) || take_mapped(modules, module)));
}
