#include "process/snapshot.h"

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/scan.h"
#include "proc/proc_walk.h"
#include "process/living_thread.h"
#include "process/maps.h"
#include "process/thread_stat.h"

enum { LINE_END_ESCAPE = 4 };

/* The name as it is: proc(5) tells of a line end in it as "\012". */
static void add_path(struct text *text, struct slice path)
{
    while (path.length > 0) {
        size_t end = slice_find(path, SLICE("\\012"));

        text_add(text, slice_range(path, 0, end));
        if (end < path.length)
            text_add_byte(text, '\n');
        path = slice_range(path, end + LINE_END_ESCAPE, path.length);
    }
}

static void add_mapping(struct processes *processes, struct modules *modules, uint32_t pid,
                        const struct maps_line *line)
{
    SCOPED(text_done) struct text path = {0};
    struct sampler_event event = {.kind = SAMPLER_MAPPING, .time_ns = clock_now_ns(), .pid = pid, .tid = pid};

    add_path(&path, line->path);
    event.mapping = (struct sample_mapping){
        .start_avma = line->start_avma,
        .size_bytes = line->end_avma - line->start_avma,
        .file_offset = line->file_offset,
        .device = line->device,
        .inode = line->inode,
        .path = text_slice(&path),
    };
    processes_apply(processes, modules, &event);
}

/* Whether it is known what stands there: a module is not told apart by how it was found out. */
static bool is_known(struct processes *processes, const struct modules *modules, uint32_t pid,
                     const struct maps_line *line)
{
    const struct mapping *known =
        address_space_find(&processes_space(processes, pid)->space, line->start_avma);
    SCOPED(text_done) struct text path = {0};

    if (!known || known->end_avma < line->end_avma)
        return false;
    if (known->module == MODULES_NONE)
        return line->inode == 0;
    add_path(&path, line->path);
    return line->start_avma - known->start_avma + known->file_offset == line->file_offset &&
           slice_equal(modules->items.items[known->module].path, text_slice(&path));
}

static enum maps_found read_living(uint32_t pid, struct text *content)
{
    enum maps_found found = maps_read(pid, content);
    uint32_t living = found == MAPS_NONE ? living_thread(pid) : pid;

    return living == pid ? found : maps_read(living, content);
}

static void read_memory(struct processes *processes, struct modules *modules, uint32_t pid, bool is_all_news)
{
    SCOPED(text_done) struct text content = {0};
    struct scan scan;
    struct slice line;
    enum maps_found found = read_living(pid, &content);

    if (found == MAPS_NONE)
        processes_set_gone(processes, pid);
    else if (found == MAPS_DENIED)
        processes_set_denied(processes, pid);
    scan = scan_of(text_slice(&content));
    while (scan_line(&scan, &line)) {
        struct maps_line mapping;

        if (maps_read_line(line, &mapping) && mapping.is_executable &&
            (is_all_news || !is_known(processes, modules, pid, &mapping)))
            add_mapping(processes, modules, pid, &mapping);
    }
}

void snapshot_add_memory(struct processes *processes, struct modules *modules, uint32_t pid)
{
    struct thread_stat stat;

    read_memory(processes, modules, pid, true);
    if (thread_stat_read(pid, pid, &stat))
        processes_set_begun(processes, pid, stat.start_unix_ns);
}

void snapshot_catch_up(struct processes *processes, struct modules *modules)
{
    if (processes->has_foreign_proc)
        return;
    for (size_t i = 0; i < processes->spaces.count; i++)
        if (!processes->spaces.items[i].is_gone)
            read_memory(processes, modules, processes->spaces.items[i].pid, false);
}

/* Whether code of the process stands where the other one has it, too: the same of the same file. */
static bool has_same(struct processes *processes, const struct modules *modules, uint32_t pid, uint32_t other,
                     uint64_t start_avma)
{
    SCOPED(text_done) struct text content = {0};
    struct scan scan;
    struct slice line;
    struct maps_line mapping;

    if (maps_read(other, &content) != MAPS_FOUND)
        return false;
    scan = scan_of(text_slice(&content));
    while (scan_line(&scan, &line))
        if (maps_read_line(line, &mapping) && mapping.start_avma == start_avma)
            return mapping.is_executable && is_known(processes, modules, pid, &mapping);
    return false;
}

/* As kcmp(2): 0 where two processes have one memory, below it where nobody tells. */
static long memory_order(uint32_t pid, uint32_t other)
{
    return syscall(SYS_kcmp, pid, other, KCMP_VM, 0, 0);
}

/* What has ended has none, but is there to be compared until its parent has waited for it. */
static bool has_memory(uint32_t pid)
{
    SCOPED(text_done) struct text content = {0};

    return maps_read(pid, &content) != MAPS_NONE;
}

static bool is_shared(struct processes *processes, const struct modules *modules, uint32_t pid,
                      uint32_t parent, uint64_t start_avma)
{
    long order = memory_order(pid, parent);

    if (order > 0 && !has_memory(pid))
        order = -1;
    return order == 0 || (order < 0 && has_same(processes, modules, pid, parent, start_avma));
}

static uint32_t module_at(struct processes *processes, uint32_t pid, uint64_t avma)
{
    const struct mapping *mapping = address_space_find(&processes_space(processes, pid)->space, avma);

    return mapping ? mapping->module : MODULES_NONE;
}

void snapshot_note_fork(struct processes *processes, const struct sampler_event *event)
{
    uint32_t parent = event->fork.parent_pid;

    if (processes->has_foreign_proc || processes_is_outside(processes, event->pid) || event->pid == parent ||
        memory_order(event->pid, parent) != 0)
        return;
    *vec_add(&processes->shares) = (struct memory_share){event->pid, parent};
}

/* Leaves those out that have begun another program since, or ended. Who shares one's memory comes after it.
 */
static void share_with_children(struct processes *processes, struct modules *modules,
                                const struct sampler_event *event, uint32_t module)
{
    const uint64_t avma = event->mapping.start_avma;
    size_t kept = 0;

    for (size_t i = 0; i < processes->shares.count; i++) {
        struct memory_share share = processes->shares.items[i];
        struct sampler_event shared = *event;

        if (processes_space(processes, share.pid)->forked_from != share.parent)
            continue;
        if (module_at(processes, share.parent, avma) == module &&
            module_at(processes, share.pid, avma) != module) {
            if (memory_order(share.pid, share.parent) != 0)
                continue;
            shared.pid = shared.tid = share.pid;
            processes_apply(processes, modules, &shared);
        }
        processes->shares.items[kept++] = share;
    }
    processes->shares.count = kept;
}

void snapshot_share_mapping(struct processes *processes, struct modules *modules,
                            const struct sampler_event *event)
{
    struct sampler_event shared = *event;
    uint64_t avma = event->mapping.start_avma;
    uint32_t module = MODULES_NONE;
    uint32_t parent = 0;

    if (processes->has_foreign_proc || processes_is_outside(processes, event->pid))
        return;
    module = module_at(processes, event->pid, avma);
    while (module != MODULES_NONE && (parent = processes_space(processes, shared.pid)->forked_from) != 0 &&
           module_at(processes, parent, avma) != module &&
           is_shared(processes, modules, shared.pid, parent, avma)) {
        shared.pid = shared.tid = parent;
        processes_apply(processes, modules, &shared);
    }
    if (module != MODULES_NONE)
        share_with_children(processes, modules, event, module);
}

void snapshot_add_thread(struct processes *processes, struct modules *modules, uint32_t pid, uint32_t tid)
{
    SCOPED(text_done) struct text name = {0};
    struct sampler_event event = {.kind = SAMPLER_NAME, .pid = pid, .tid = tid};

    if (!thread_name_read(pid, tid, &name))
        return;
    event.name.name = text_slice(&name);
    processes_apply(processes, modules, &event);
}

static void add_process(struct processes *processes, struct modules *modules, uint32_t pid)
{
    SCOPED(proc_walk_done) struct proc_walk threads = proc_walk_threads(pid);

    snapshot_add_memory(processes, modules, pid);
    for (uint32_t tid = proc_walk_next(&threads); tid; tid = proc_walk_next(&threads))
        snapshot_add_thread(processes, modules, pid, tid);
}

void snapshot_add_all(struct processes *processes, struct modules *modules)
{
    SCOPED(proc_walk_done) struct proc_walk all = proc_walk_processes();

    for (uint32_t pid = proc_walk_next(&all); pid; pid = proc_walk_next(&all))
        add_process(processes, modules, pid);
}
