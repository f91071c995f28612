#include "process/modules.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/scan.h"
#include "base/text.h"
#include "elf/image.h"
#include "elf/program.h"
#include "proc/file_limit.h"
#include "process/maps.h"
#include "process/own_root.h"
#include "process/vdso.h"
#include "sampler/registers.h"

/* NULL as well. */
static void free_image(struct image *image)
{
    if (image)
        image_close(image);
    free(image);
}

void modules_done(struct modules *modules)
{
    for (size_t i = 0; i < modules->items.count; i++) {
        struct module *module = &modules->items.items[i];

        vec_done(&module->code);
        cfi_lookup_close(module->frames);
        code_frames_close(module->code_frames);
        free_image(module->image);
    }
    vec_done(&modules->items);
    intern_done(&modules->strings);
    intern_done(&modules->keys);
}

static struct slice keep(struct modules *modules, struct slice bytes)
{
    return intern_text(&modules->strings, intern_add(&modules->strings, bytes));
}

/* Whether the file that is open was written to since it was opened, which a build id tells later. */
static bool was_written_to(const struct module *module)
{
    struct stat now;

    return module->image && module->build_id.length == 0 && fstat(module->image->descriptor, &now) == 0 &&
           file_differs(&module->file, &now);
}

/*
 * Whether the file that was opened has been written to by now, when it is mapped again: what stands there
 * now is another program, as where a plugin is built anew while it is not loaded.
 */
static bool was_rewritten(const struct module *module, const struct file_seen *seen)
{
    struct stat now;

    if (!module->was_opened || module->is_vdso || module->is_elsewhere || seen->time_ns == 0 ||
        stat(module->path.data, &now) < 0)
        return false;
    return module->is_readable ? was_written_to(module)
                               : file_is_later(&module->seen, &now) && !file_is_later(seen, &now);
}

uint32_t modules_add(struct modules *modules, struct slice path, struct slice build_id, struct file_seen seen,
                     uint32_t pid)
{
    SCOPED(text_done) struct text key = {0};
    bool is_vdso = slice_is(path, "[vdso]");
    bool has_build_id = build_id.length > 0;

    if (!is_vdso && (!slice_starts_with(path, SLICE("/")) || slice_starts_with(path, SLICE("//"))))
        return MODULES_NONE;
    for (unsigned version = 0;; version++) {
        uint32_t id = 0;

        text_clear(&key);
        text_format(&key, "%u:%zu:%" PRIx64 ":%" PRIu64 ":", version, build_id.length,
                    has_build_id ? 0 : seen.device, has_build_id ? 0 : seen.inode);
        text_add(&key, build_id);
        text_add(&key, path);
        id = intern_add(&modules->keys, text_slice(&key));
        if (id == modules->items.count)
            *vec_add(&modules->items) = (struct module){.path = keep(modules, path),
                                                        .build_id = keep(modules, build_id),
                                                        .seen = seen,
                                                        .pid = pid,
                                                        .is_vdso = is_vdso};
        else if (!has_build_id && was_rewritten(&modules->items.items[id], &seen))
            continue;
        return id;
    }
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

bool module_is_unlinked(const struct module *module)
{
    struct stat now;

    if (!module->image || module->is_vdso || module->is_elsewhere)
        return false;
    return stat(module->path.data, &now) < 0 || file_is_another(&module->file, &now);
}

bool module_was_replaced(const struct module *module)
{
    struct stat now;

    if (module->is_vdso || !module->was_opened)
        return false;
    if (was_written_to(module))
        return true;
    if (module->is_elsewhere || module_is_unlinked(module))
        return false;
    if (module->is_beyond_limit)
        return stat(module->path.data, &now) == 0 && file_is_later(&module->seen, &now);
    return !module->is_readable && access(module->path.data, R_OK) == 0;
}

static void take_image(struct modules *modules, struct module *module, struct image *image)
{
    struct error unread = {0};

    module->is_readable = true;
    module->is_program = image_is_program(image);
    module->entry_svma = image->entry_svma;
    module->build_id = keep(modules, image->build_id);
    module->image = image;
    read_code(module, image);
    if (cfi_lookup_open(image, &module->frames, &unread) < 0)
        module->frames = NULL;
    module->code_frames = code_frames_open(image);
}

/* Whether we may not read it, or not ask the process that would tell it. */
static bool is_denied(const struct module *module)
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
    free_image(image);
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

static void take_vdso(struct modules *modules, struct module *module)
{
    struct image *image = memory_new(1, sizeof(*image));
    struct error unread = {0};

    if (image_open_bytes(vdso_bytes(), "[vdso]", image, &unread) == 0)
        (void)take_or_free(modules, module, image);
    else
        free(image);
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
    free_image(module->is_elsewhere ? ours : theirs);
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

/* A copy that perf made when it recorded the file: "~/.debug/.build-id/48/dc540c...9444/elf"
 * (perf-buildid-cache(1)). */
static bool take_copy(struct modules *modules, struct module *module)
{
    SCOPED(text_done) struct text path = {0};

    if (!modules->copies || module->build_id.length < 2)
        return false;
    text_format(&path, "%s/.build-id/", modules->copies);
    text_add_hex_bytes(&path, slice_range(module->build_id, 0, 1));
    text_add_byte(&path, '/');
    text_add_hex_bytes(&path, slice_range(module->build_id, 1, module->build_id.length));
    text_add_string(&path, "/elf");
    module->is_elsewhere = take_file(modules, module, text_string(&path));
    return module->is_elsewhere;
}

/* Returns whether what ran was found. */
static bool take_anywhere(struct modules *modules, struct module *module)
{
    bool is_known = module->pid != 0 && (module->seen.inode > 0 || module->build_id.length > 0);

    return take_at_path(modules, module) || take_copy(modules, module) ||
           (is_known && (take_running(modules, module) || take_mapped(modules, module)));
}

static void open_module(struct modules *modules, struct module *module)
{
    module->was_opened = true;
    if (module->is_vdso) {
        take_vdso(modules, module);
        return;
    }
    if (take_anywhere(modules, module))
        return;
    if (file_limit_is_reached() && file_limit_raise() && take_anywhere(modules, module))
        return;
    module->is_beyond_limit = file_limit_is_reached();
    module->is_denied = is_denied(module);
}

const struct module *modules_open(struct modules *modules, uint32_t id)
{
    struct module *module = &modules->items.items[id];

    if (!module->was_opened)
        open_module(modules, module);
    return module;
}

bool module_is_file(const struct module *module)
{
    static const char *const others[] = {"/memfd:", "/SYSV", "/dev/zero", "/anon_hugepage", "/[aio]"};

    for (size_t i = 0; i < ARRAY_COUNT(others); i++)
        if (slice_starts_with(module->path, slice_of(others[i])))
            return false;
    return true;
}

bool module_svma(const struct module *module, uint64_t file_offset, uint64_t *svma)
{
    for (size_t i = 0; i < module->code.count; i++) {
        const struct module_code *code = &module->code.items[i];

        if (file_offset >= code->file_offset && file_offset - code->file_offset < code->size_bytes) {
            *svma = code->svma + (file_offset - code->file_offset);
            return true;
        }
    }
    return false;
}

#if defined(__x86_64__)
/* mov $15, %rax; syscall: rt_sigreturn, which a handler returns to. */
#define SIGNAL_RETURN "\x48\xc7\xc0\x0f\0\0\0\x0f\x05"

/* The kernel's frame: ucontext_t at the stack pointer, in it rip, rsp, rbp and rbx (sys/ucontext.h). */
static const struct cfi_row signal_return = {.cfa_rule = CFI_CFA_MEMORY,
                                             .cfa_register = REGISTERS_SP,
                                             .cfa_offset = 160,
                                             .return_rule = CFI_AT_BASE,
                                             .return_offset = 168,
                                             .frame_rule = CFI_AT_BASE,
                                             .frame_offset = 120,
                                             .base_rule = CFI_AT_BASE,
                                             .base_offset = 128,
                                             .is_signal_frame = 1};

/* mov %eax, %edi; xor %eax, %eax; mov $60, %al; syscall: exit, behind the call that runs a thread in musl. */
#define THREAD_EXIT "\x89\xc7\x31\xc0\xb0\x3c\x0f\x05"
#else
/* svc #0 behind mov x8, #93 (exit), behind the call that runs a thread in musl. */
#define THREAD_EXIT "\xa8\x0b\x80\xd2\x01\0\0\xd4"

/* mov x8, #139; svc #0. The frame is the vdso's own, which has call frame information. */
#define SIGNAL_RETURN "\x68\x11\x80\xd2\x01\0\0\xd4"

static const struct cfi_row signal_return = {.cfa_rule = CFI_CFA_OTHER};
#endif

bool module_read_code(const struct module *module, uint64_t svma, size_t length, char *out)
{
    struct error unread = {0};

    for (size_t i = 0; module->image && i < module->code.count; i++) {
        const struct module_code *code = &module->code.items[i];
        uint64_t offset = svma - code->svma;

        if (offset < code->size_bytes && length <= code->size_bytes - offset)
            return image_read_at(module->image, code->file_offset + offset, out, length, &unread) == 0;
    }
    return false;
}

/* Whether this code stands behind the address: in a C library's assembly. */
static bool is_before(const struct module *module, uint64_t svma, struct slice expected)
{
    char found[16];

    return expected.length <= sizeof(found) && module_read_code(module, svma + 1, expected.length, found) &&
           memcmp(found, expected.data, expected.length) == 0;
}

/*
 * Whether the return address is off the stack where this row holds, so that another one may be there: as in
 * musl's assembly, whose rows are made from its pushes and pops alone.
 */
static bool has_popped_return_address(const struct cfi_row *row)
{
    return row->cfa_rule == CFI_CFA_REGISTER && row->cfa_register == REGISTERS_SP &&
           row->return_rule == CFI_AT_CFA && row->cfa_offset + row->return_offset < 0;
}

const struct cfi_row *module_rule(const struct module *module, uint64_t svma, uint32_t *return_register)
{
    /* The few instructions that call the first function and never come back. */
    enum { MOST_START_BYTES = 128 };
    static const struct cfi_row outermost = {
        .cfa_rule = CFI_CFA_REGISTER, .cfa_register = REGISTERS_SP, .return_rule = CFI_UNDEFINED};
    const struct cfi_row *row = cfi_lookup_find(module->frames, svma, return_register);

    if (!row && is_before(module, svma, SLICE(SIGNAL_RETURN)))
        return &signal_return;
    if ((!row || has_popped_return_address(row)) && is_before(module, svma, SLICE(THREAD_EXIT)))
        return &outermost;
    if (row || module->entry_svma == 0 || svma < module->entry_svma ||
        svma - module->entry_svma >= MOST_START_BYTES)
        return row;
    return &outermost;
}

const struct cfi_row *module_code_rule(const struct module *module, uint64_t svma)
{
    return module->code_frames ? code_frames_find(module->code_frames, svma) : NULL;
}

struct code_frame_hints module_code_hints(const struct module *module, uint64_t svma)
{
    return module->code_frames ? code_frames_hints(module->code_frames, svma) : (struct code_frame_hints){0};
}

struct slice module_rule_section(const struct module *module, const struct cfi_row *row)
{
    return module->frames ? cfi_lookup_section(module->frames, row) : (struct slice){0};
}
