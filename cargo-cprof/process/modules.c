#include "process/modules.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "elf/image.h"
#include "proc/file_limit.h"
#include "process/machine_code/known.h"
#include "process/module_file.h"
#include "sampler/registers.h"

void modules_done(struct modules *modules)
{
    for (size_t i = 0; i < modules->items.count; i++) {
        struct module *module = &modules->items.items[i];

        vec_done(&module->code);
        code_frames_close(module->code_frames);
        cfi_lookup_close(module->frames);
        module_file_free_image(module->image);
        code_blocks_free(module->blocks);
        free(module->frame_areas);
    }
    for (size_t i = 0; i < modules->roots.count; i++)
        own_root_close(&modules->roots.items[i]);
    vec_done(&modules->roots);
    vec_done(&modules->items);
    intern_done(&modules->strings);
    intern_done(&modules->keys);
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
            *vec_add(&modules->items) = (struct module){.path = module_file_keep(modules, path),
                                                        .build_id = module_file_keep(modules, build_id),
                                                        .seen = seen,
                                                        .pid = pid,
                                                        .is_vdso = is_vdso};
        else if (!has_build_id && was_rewritten(&modules->items.items[id], &seen))
            continue;
        return id;
    }
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

static void open_module(struct modules *modules, struct module *module)
{
    module->was_opened = true;
    if (module_file_take(modules, module))
        return;
    if (file_limit_is_reached() && file_limit_raise() && module_file_take(modules, module))
        return;
    module->is_beyond_limit = !module->is_vdso && file_limit_is_reached();
    module->is_denied = !module->is_vdso && module_file_is_denied(module);
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

    return !slice_starts_with_any(module->path, others, ARRAY_COUNT(others));
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

bool module_may_have_code(const struct module *module, const struct mapping *mapping, uint64_t avma)
{
    const uint64_t end = mapping->file_offset + (mapping->end_avma - mapping->start_avma);
    uint64_t svma = 0;
    bool has_code = false;

    for (size_t i = 0; i < module->code.count; i++) {
        const struct module_code *code = &module->code.items[i];

        has_code |= code->file_offset < end && mapping->file_offset < code->file_offset + code->size_bytes;
    }
    return !has_code || module_svma(module, avma - mapping->start_avma + mapping->file_offset, &svma);
}

bool module_read_code(const struct module *module, uint64_t svma, size_t length, char *out)
{
    for (size_t i = 0; module->image && i < module->code.count; i++) {
        const struct module_code *code = &module->code.items[i];
        uint64_t offset = svma - code->svma;

        if (offset < code->size_bytes && length <= code->size_bytes - offset)
            return code_blocks_read(module->blocks, module->image, code->file_offset + offset, length, out);
    }
    return false;
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
    const struct cfi_row *of_signal = known_code_signal_return(module, svma, row, return_register);

    if (of_signal)
        return of_signal;
    if ((!row || has_popped_return_address(row)) && known_code_is_thread_exit(module, svma))
        return &outermost;
    if (row || module->entry_svma == 0 || svma < module->entry_svma ||
        svma - module->entry_svma >= MOST_START_BYTES)
        return row;
    return &outermost;
}

const struct cfi_row *module_code_rule(const struct module *module, uint64_t svma, uint32_t *return_register)
{
    const struct cfi_row *row = module->code_frames ? code_frames_find(module->code_frames, svma) : NULL;

    if (row)
        *return_register = code_frames_return_register(module->code_frames);
    return row;
}

struct code_frame_hints module_code_hints(const struct module *module, uint64_t svma)
{
    return module->code_frames ? code_frames_hints(module->code_frames, svma) : (struct code_frame_hints){0};
}

struct slice module_rule_section(const struct module *module, const struct cfi_row *row)
{
    return module->frames ? cfi_lookup_section(module->frames, row) : (struct slice){0};
}
