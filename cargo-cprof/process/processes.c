#include "process/processes.h"

#include "base/clock.h"
#include "proc/pid_namespace.h"
#include "process/thread_stat.h"

void processes_done(struct processes *processes)
{
    for (size_t i = 0; i < processes->spaces.count; i++)
        address_space_done(&processes->spaces.items[i].space);
    vec_done(&processes->spaces);
    vec_done(&processes->shares);
    vec_done(&processes->threads);
    pair_index_done(&processes->thread_index);
    pair_index_done(&processes->process_index);
    jit_dumps_done(&processes->jit_dumps);
    intern_done(&processes->names);
}

static struct process_thread new_thread(uint32_t pid, uint32_t tid, uint32_t name)
{
    return (struct process_thread){.pid = pid,
                                   .tid = tid,
                                   .name = name,
                                   .first_name = name,
                                   .mark = THREAD_NO_MARK,
                                   .first_mark = THREAD_NO_MARK};
}

/* Of a thread that no event has told the name of. The idle task of each processor is called as perf does. */
static struct slice name_without_event(const struct processes *processes, uint32_t pid, uint32_t tid)
{
    if (processes_is_outside(processes, pid))
        return SLICE(PID_NAMESPACE_OUTSIDE);
    return tid == PROCESSES_NO_TID ? SLICE("[ending]") : pid == 0 ? SLICE("swapper") : SLICE("");
}

struct process_thread *processes_thread(struct processes *processes, uint32_t pid, uint32_t tid)
{
    uint64_t owner = tid == PROCESSES_NO_TID ? UINT64_C(1) + pid : 0;
    uint32_t id = pair_index_add(&processes->thread_index, owner, tid);

    if (id == processes->threads.count) {
        struct slice name = name_without_event(processes, pid, tid);

        *vec_add(&processes->threads) = new_thread(pid, tid, intern_add(&processes->names, name));
    }
    return &processes->threads.items[id];
}

bool processes_is_outside(const struct processes *processes, uint32_t pid)
{
    return processes->is_contained && pid == 0;
}

bool processes_has_thread(const struct processes *processes, uint32_t tid)
{
    return pair_index_has(&processes->thread_index, 0, tid);
}

/* What /proc tells of those that the kernel starts, and io_uring's are called (io_uring/io-wq.c, sqpoll.c).
 */
static enum thread_owner find_owner(const struct processes *processes, const struct process_thread *thread)
{
    enum { PF_IO_WORKER = 0x10, PF_USER_WORKER = 0x4000, PF_KTHREAD = 0x200000 };
    struct thread_stat stat;
    bool is_kernels = thread_stat_read(thread->pid, thread->tid, &stat)
                          ? (stat.flags & (PF_IO_WORKER | PF_USER_WORKER | PF_KTHREAD)) != 0
                          : slice_starts_with(processes_name(processes, thread), SLICE("iou-"));

    return is_kernels ? THREAD_OF_KERNEL : THREAD_OF_PROGRAM;
}

/* Nobody is there to be asked: what the kernel starts has no memory of its own. */
static enum thread_owner past_owner(struct processes *processes, uint32_t pid)
{
    const struct process_space *process = processes_space(processes, pid);

    return address_space_count(&process->space) == 0 ? THREAD_OF_KERNEL : THREAD_OF_PROGRAM;
}

bool processes_is_kernel_thread(struct processes *processes, uint32_t pid, uint32_t tid)
{
    struct process_thread *thread = processes_thread(processes, pid, tid);

    if (thread->owner == THREAD_NOT_ASKED)
        thread->owner = processes->is_past ? past_owner(processes, pid) : find_owner(processes, thread);
    return thread->owner == THREAD_OF_KERNEL;
}

static uint32_t space_id(struct processes *processes, uint32_t pid)
{
    uint32_t id = pair_index_add(&processes->process_index, 0, pid);

    if (id == processes->spaces.count)
        *vec_add(&processes->spaces) = (struct process_space){
            .pid = pid, .generation = ++processes->last_generation, .is_past = processes->is_past};
    return id;
}

static struct process_space *space_of(struct processes *processes, uint32_t pid)
{
    uint32_t id = space_id(processes, pid);

    return &processes->spaces.items[id];
}

const struct process_space *processes_space(struct processes *processes, uint32_t pid)
{
    return space_of(processes, pid);
}

void processes_set_gone(struct processes *processes, uint32_t pid)
{
    space_of(processes, pid)->is_gone = true;
}

void processes_set_denied(struct processes *processes, uint32_t pid)
{
    space_of(processes, pid)->is_denied = true;
}

void processes_settle_copy(struct processes *processes, uint32_t pid, uint64_t avma, bool is_copy)
{
    address_space_settle(&space_of(processes, pid)->space, avma, is_copy);
}

bool processes_may_have_code(const struct process_space *process, uint64_t address)
{
    return process->is_denied || address_space_find(&process->space, address);
}

void processes_set_begun(struct processes *processes, uint32_t pid, uint64_t begun_unix_ns)
{
    space_of(processes, pid)->begun_unix_ns = begun_unix_ns;
}

struct slice processes_name(const struct processes *processes, const struct process_thread *thread)
{
    return intern_text(&processes->names, thread->name);
}

struct slice processes_process_name(struct processes *processes, uint32_t pid)
{
    const struct process_thread *leader = processes_thread(processes, pid, pid);

    return intern_text(&processes->names, leader->first_name);
}

/* When a file was mapped, at the latest, by CLOCK_MONOTONIC; 0 where it is not known. */
static uint64_t mapped_ns(const struct processes *processes, const struct sampler_event *event)
{
    uint64_t time_ns = event->time_ns;

    if (!processes->is_past)
        return time_ns;
    if (time_ns == 0)
        time_ns = processes->past.first_ns;
    return time_ns == 0 ? 0 : time_ns + processes->past.latest_shift_ns;
}

/*
 * The build id of the file that was mapped; empty where what is known is that of its path, where another file
 * was: as in a container, of whose programs perf asks the machine's own files when they have ended.
 */
static struct slice build_id_of(const struct processes *processes, const struct sampler_event *event)
{
    const struct sample_mapping *mapping = &event->mapping;
    const struct past_times *past = &processes->past;
    uint64_t time_ns = event->time_ns > 0 ? event->time_ns : past->first_ns;

    if (!mapping->is_of_path || !past->is_of_this_start)
        return mapping->build_id;
    return file_was_another(mapping->path.data, mapping->inode,
                            clock_unix_ns(CLOCK_MONOTONIC, time_ns + past->earliest_shift_ns))
               ? (struct slice){0}
               : mapping->build_id;
}

/* The part of a mapping that is no file which came where a file had its code at this address; else nothing.
 */
static struct mapping copy_of_code(const struct address_space *space, struct mapping mapping, uint64_t avma)
{
    const struct mapping *old = mapping.module == MODULES_NONE ? address_space_find(space, avma) : NULL;
    struct mapping copy = {.module = MODULES_NONE};

    if (!old || (old->module == MODULES_NONE && !old->may_be_copy))
        return copy;
    copy.start_avma = old->start_avma > mapping.start_avma ? old->start_avma : mapping.start_avma;
    copy.end_avma = old->end_avma < mapping.end_avma ? old->end_avma : mapping.end_avma;
    copy.file_offset = old->file_offset + (copy.start_avma - old->start_avma);
    copy.may_be_copy = true;
    copy.original = old->module == MODULES_NONE ? old->original : old->module;
    return copy;
}

/*
 * Programs put their code on huge pages: they copy it, map memory where it was, and copy it back (iodlr,
 * BOLT's hugify). That may begin before it or end behind it, and what there is otherwise is looked at later.
 */
static void add_to_space(struct address_space *space, struct mapping mapping)
{
    const struct mapping first = copy_of_code(space, mapping, mapping.start_avma);
    const struct mapping last = copy_of_code(space, mapping, mapping.end_avma - 1);

    address_space_add(space, mapping);
    address_space_add(space, first);
    address_space_add(space, last);
}

static void apply_mapping(struct processes *processes, struct modules *modules,
                          const struct sampler_event *event)
{
    const struct sample_mapping *mapping = &event->mapping;
    struct process_space *process = space_of(processes, event->pid);
    uint32_t owner = processes->has_foreign_proc ? 0 : event->pid;

    if (jit_dumps_is(mapping->path))
        jit_dumps_map(&processes->jit_dumps, event->pid, mapping,
                      (struct jit_dumps_place){.is_past = processes->is_past,
                                               .root = modules->places.root,
                                               .has_other_clock = processes->past.has_other_clock});
    add_to_space(
        &process->space,
        (struct mapping){.start_avma = mapping->start_avma,
                         .end_avma = mapping->start_avma + mapping->size_bytes,
                         .file_offset = mapping->file_offset,
                         .module = modules_add(
                             modules, mapping->path, build_id_of(processes, event),
                             (struct file_seen){mapping->inode, mapped_ns(processes, event), mapping->device},
                             owner)});
    process->is_gone = false;
    process->generation = ++processes->last_generation;
}

/* At the earliest; 0 where it is not known. */
static uint64_t unix_ns_of(const struct processes *processes, const struct sampler_event *event)
{
    const struct past_times *past = &processes->past;

    if (processes->is_past && (!past->has_earliest || event->time_ns == 0))
        return 0;
    return clock_unix_ns(CLOCK_MONOTONIC, event->time_ns + past->earliest_shift_ns);
}

/* A new thread has its parent's name; a new process its memory, too. */
static void apply_fork(struct processes *processes, const struct sampler_event *event)
{
    uint32_t name = processes_thread(processes, event->fork.parent_pid, event->fork.parent_tid)->name;
    struct process_thread *thread = processes_thread(processes, event->pid, event->tid);
    uint32_t parent = 0;
    uint32_t child = 0;

    *thread = new_thread(event->pid, event->tid, name);
    if (event->pid == event->fork.parent_pid)
        return;
    parent = space_id(processes, event->fork.parent_pid);
    child = space_id(processes, event->pid);
    address_space_copy(&processes->spaces.items[child].space, &processes->spaces.items[parent].space);
    processes->spaces.items[child].generation = ++processes->last_generation;
    processes->spaces.items[child].is_gone = false;
    processes->spaces.items[child].is_denied = processes->spaces.items[parent].is_denied;
    processes->spaces.items[child].forked_from = event->fork.parent_pid;
    processes->spaces.items[child].begun_unix_ns = unix_ns_of(processes, event);
    jit_dumps_fork(&processes->jit_dumps, event->pid, event->fork.parent_pid, event->time_ns);
}

static void apply_name(struct processes *processes, const struct sampler_event *event)
{
    struct process_thread *thread = processes_thread(processes, event->pid, event->tid);

    thread->name = intern_add(&processes->names, event->name.name);
    if (event->name.is_exec || (thread->name_count == 0 && thread->sample_count <= THREAD_FEW_SAMPLES)) {
        thread->first_name = thread->name;
        thread->name_count = 0;
    } else if (thread->name_count == 0) {
        thread->name_count = 1; /* it has worked under its parent's */
    }
    thread->name_count++;
    if (event->name.is_exec) {
        struct process_space *process = space_of(processes, event->pid);

        address_space_clear(&process->space);
        process->is_gone = process->is_denied = false;
        process->forked_from = 0;
        process->generation = ++processes->last_generation;
        process->begun_unix_ns = unix_ns_of(processes, event);
        jit_dumps_end(&processes->jit_dumps, event->pid, event->time_ns);
    }
}

void processes_apply(struct processes *processes, struct modules *modules, const struct sampler_event *event)
{
    if (processes_is_outside(processes, event->pid))
        return;
    switch (event->kind) {
    case SAMPLER_MAPPING:
        apply_mapping(processes, modules, event);
        return;
    case SAMPLER_FORK:
        apply_fork(processes, event);
        return;
    case SAMPLER_NAME:
        apply_name(processes, event);
        return;
    default:
        return;
    }
}
