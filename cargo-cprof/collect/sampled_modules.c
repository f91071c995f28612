#include "collect/sampled_modules.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "process/thread_stat.h"

void sampled_modules_done(struct sampled_modules *sampled)
{
    for (size_t i = 0; i < sampled->jit_maps.count; i++)
        jit_map_done(&sampled->jit_maps.items[i]);
    vec_done(&sampled->jit_maps);
    vec_done(&sampled->jit_ids);
    pair_index_done(&sampled->jit_index);
    vec_done(&sampled->ids);
}

static enum module_kind kind_of(const struct module *module)
{
    if (module->is_vdso)
        return MODULE_VDSO;
    return module->is_program ? MODULE_EXECUTABLE : MODULE_LIBRARY;
}

uint32_t sampled_modules_file(struct sampled_modules *sampled, struct profile *profile, uint32_t id,
                              const struct module *module)
{
    while (sampled->ids.count <= id)
        *vec_add(&sampled->ids) = PROFILE_NONE;
    if (sampled->ids.items[id] == PROFILE_NONE)
        sampled->ids.items[id] = profile_add_module(profile, kind_of(module), module->path, module->build_id);
    return sampled->ids.items[id];
}

/* When a process began that has the number now, where that is another one than was recorded; 0: none has. */
static uint64_t reused_unix_ns(const struct past_times *past, uint32_t pid)
{
    struct thread_stat stat;
    uint64_t last_unix_ns = clock_unix_ns(CLOCK_MONOTONIC, past->last_ns + past->latest_shift_ns);

    return thread_stat_read(pid, pid, &stat) && stat.start_unix_ns > last_unix_ns ? stat.start_unix_ns : 0;
}

static uint32_t add_jit(struct sampled_modules *sampled, struct profile *profile,
                        const struct process_space *process, const struct past_times *past)
{
    char path[sizeof("/tmp/perf-4294967295.map")];
    struct jit_map *map = vec_add(&sampled->jit_maps);
    uint32_t module = 0;

    if (past)
        *map = (struct jit_map){process->pid, false, {-1, -1}};
    else
        jit_map_find(process->pid, map);
    snprintf(path, sizeof(path), "/tmp/perf-%u.map", map->pid);
    module = profile_add_module(profile, MODULE_JIT, slice_of(path), SLICE(""));
    profile->modules.items[module].begun_unix_ns = process->begun_unix_ns;
    if (past)
        profile->modules.items[module].reused_unix_ns = reused_unix_ns(past, process->pid);
    profile->modules.items[module].is_denied = process->is_denied;
    *vec_add(&sampled->jit_ids) = module;
    return module;
}

uint32_t sampled_modules_jit(struct sampled_modules *sampled, struct profile *profile,
                             struct processes *processes, uint32_t pid)
{
    uint32_t last = PROFILE_NONE; /* the module of the process that was forked from the one at hand */
    uint32_t first = PROFILE_NONE;

    while (pid != 0) {
        const struct process_space *process = processes_space(processes, pid);
        uint32_t id = pair_index_add(&sampled->jit_index, 0, pid);
        bool is_known = id < sampled->jit_ids.count;
        uint32_t module =
            is_known ? sampled->jit_ids.items[id]
                     : add_jit(sampled, profile, process, processes->is_past ? &processes->past : NULL);

        if (last != PROFILE_NONE)
            profile->modules.items[last].forked_from = module;
        if (first == PROFILE_NONE)
            first = module;
        last = module;
        pid = is_known ? 0 : process->forked_from;
    }
    return first;
}

void sampled_modules_note_replaced(const struct sampled_modules *sampled, const struct modules *modules,
                                   struct profile *profile)
{
    for (size_t i = 0; i < sampled->ids.count; i++)
        if (sampled->ids.items[i] != PROFILE_NONE && module_was_replaced(&modules->items.items[i]))
            profile->modules.items[sampled->ids.items[i]].is_replaced = true;
}

void open_files_close(struct open_files *files)
{
    for (size_t i = 0; i < files->items.count; i++)
        close(files->items.items[i]);
    vec_done(&files->items);
    jit_dumps_done(&files->jit_dumps);
    *files = (struct open_files){0};
}

/* The file is the caller's to close; with -1, which is none, the place leads nowhere. */
static void keep_file(struct profile *profile, uint32_t module, int file, struct open_files *files)
{
    char place[sizeof("/proc/self/fd/2147483647")];

    if (file >= 0)
        *vec_add(&files->items) = file;
    snprintf(place, sizeof(place), "/proc/self/fd/%d", file);
    profile->modules.items[module].place = profile_string(profile, slice_of(place));
}

static void keep_module(struct profile *profile, uint32_t id, const struct module *module,
                        struct open_files *files)
{
    int file = -1;

    profile->modules.items[id].root = profile_string(profile, module->root);
    if (module->found_at.length > 0) {
        profile->modules.items[id].place = profile_string(profile, module->found_at);
    } else if (module->is_elsewhere || module_is_unlinked(module)) {
        if (module->image)
            file = fcntl(module->image->descriptor, F_DUPFD_CLOEXEC, 0);
        keep_file(profile, id, file, files);
    }
}

/* The paths that modules have of them stay the same. */
static void move_roots(struct modules *modules, struct open_files *files)
{
    for (size_t i = 0; i < modules->roots.count; i++) {
        const struct own_root *root = &modules->roots.items[i];

        if (root->folder >= 0)
            *vec_add(&files->items) = root->folder;
        if (root->mounts >= 0)
            *vec_add(&files->items) = root->mounts;
    }
    modules->roots.count = 0;
}

void sampled_modules_keep_files(const struct sampled_modules *sampled, struct modules *modules,
                                struct profile *profile, struct open_files *files)
{
    for (size_t i = 0; i < sampled->ids.count; i++)
        if (sampled->ids.items[i] != PROFILE_NONE)
            keep_module(profile, sampled->ids.items[i], &modules->items.items[i], files);
    move_roots(modules, files);
    for (size_t i = 0; i < sampled->jit_maps.count; i++)
        if (sampled->jit_maps.items[i].is_elsewhere)
            keep_file(profile, sampled->jit_ids.items[i], jit_map_open(&sampled->jit_maps.items[i]), files);
}

void sampled_modules_keep_dumps(const struct sampled_modules *sampled, struct processes *processes,
                                struct open_files *files)
{
    files->jit_dumps = processes->jit_dumps;
    processes->jit_dumps = (struct jit_dumps){0};
    for (size_t i = 0; i < files->jit_dumps.uses.count; i++) {
        struct jit_dump_use *use = &files->jit_dumps.uses.items[i];
        uint32_t id = pair_index_find(&sampled->jit_index, 0, use->pid);

        use->module = id == UINT32_MAX ? PROFILE_NONE : sampled->jit_ids.items[id];
    }
}
