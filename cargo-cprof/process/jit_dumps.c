#include "process/jit_dumps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "proc/file_limit.h"
#include "proc/pid_namespace.h"
#include "process/file_identity.h"
#include "process/own_root.h"

void jit_dumps_done(struct jit_dumps *dumps)
{
    for (size_t i = 0; i < dumps->items.count; i++) {
        text_done(&dumps->items.items[i].path);
        file_close_descriptor(&dumps->items.items[i].descriptor);
    }
    vec_done(&dumps->items);
    vec_done(&dumps->uses);
    vec_done(&dumps->newest);
    pair_index_done(&dumps->pids);
}

bool jit_dumps_is(struct slice path)
{
    struct scan name = scan_of(slice_file_name(path));
    uint64_t pid = 0;

    return slice_starts_with(path, SLICE("/")) && scan_text(&name, "jit-") && scan_decimal(&name, &pid) &&
           slice_is(name.rest, ".dump");
}

/* --- Which processes have them ----------------------------------------------------------------------- */

uint32_t jit_dumps_of(const struct jit_dumps *dumps, uint32_t pid)
{
    uint32_t id = pair_index_find(&dumps->pids, 0, pid);

    return id == UINT32_MAX ? JIT_DUMPS_NONE : dumps->newest.items[id];
}

static void add_use(struct jit_dumps *dumps, struct jit_dump_use use)
{
    uint32_t id = pair_index_add(&dumps->pids, 0, use.pid);

    if (id == dumps->newest.count)
        *vec_add(&dumps->newest) = JIT_DUMPS_NONE;
    use.next = dumps->newest.items[id];
    dumps->newest.items[id] = (uint32_t)dumps->uses.count;
    *vec_add(&dumps->uses) = use;
}

void jit_dumps_fork(struct jit_dumps *dumps, uint32_t pid, uint32_t parent, uint64_t time_ns)
{
    if (dumps->uses.count == 0)
        return;
    jit_dumps_end(dumps, pid, time_ns);
    for (uint32_t i = jit_dumps_of(dumps, parent); i != JIT_DUMPS_NONE; i = dumps->uses.items[i].next) {
        struct jit_dump_use use = dumps->uses.items[i];

        if (use.until_ns != UINT64_MAX)
            continue;
        use.pid = pid;
        use.told_until_ns = use.told_until_ns < time_ns ? use.told_until_ns : time_ns;
        add_use(dumps, use);
    }
}

void jit_dumps_end(struct jit_dumps *dumps, uint32_t pid, uint64_t time_ns)
{
    for (uint32_t i = jit_dumps_of(dumps, pid); i != JIT_DUMPS_NONE; i = dumps->uses.items[i].next)
        if (dumps->uses.items[i].until_ns == UINT64_MAX)
            dumps->uses.items[i].until_ns = time_ns;
}

/* --- The files ---------------------------------------------------------------------------------------- */

/* That a pipe without a writer does not hold us up, and that no link leads to where its owner may not read.
 */
enum { OPEN_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };

static int open_elsewhere(uint32_t pid, const char *path)
{
    SCOPED(own_root_close) struct own_root root = {-1, -1};
    struct open_how how = {.flags = OPEN_FLAGS, .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS};

    own_root_open(pid, &root);
    return (int)syscall(SYS_openat2, root.folder, path, &how, sizeof(how));
}

static int open_file(uint32_t pid, const char *path, bool is_past, struct error *err)
{
    bool is_elsewhere = !is_past && pid_namespace_has_proc() && process_is_elsewhere(pid);
    int opened = is_elsewhere ? open_elsewhere(pid, path) : open(path, OPEN_FLAGS);

    if (opened < 0 && errno == EMFILE && file_limit_raise())
        opened = is_elsewhere ? open_elsewhere(pid, path) : open(path, OPEN_FLAGS);
    if (opened >= 0)
        return opened;
    if (errno == ELOOP)
        return error_set(err, ERROR_DENIED, "%s is a symbolic link", path);
    return error_set(err, errno == ENOENT ? ERROR_MISSING : ERROR_IO, "open %s: %s", path, strerror(errno));
}

static void open_dump(struct jit_dump *dump, uint32_t pid, bool is_past)
{
    const char *path = text_string(&dump->path);
    struct stat about;

    dump->descriptor = open_file(pid, path, is_past, &dump->failure);
    if (dump->descriptor < 0)
        return;
    if (fstat(dump->descriptor, &about) == 0 &&
        !file_has_another_inode(&(struct file_seen){.inode = dump->inode}, dump->descriptor, &about))
        return;
    file_close_descriptor(&dump->descriptor);
    (void)error_set(&dump->failure, ERROR_DENIED, "%s is not the file that its process had", path);
}

static bool has_it(const struct jit_dumps *dumps, uint32_t pid, struct slice path, uint64_t inode)
{
    for (uint32_t i = jit_dumps_of(dumps, pid); i != JIT_DUMPS_NONE; i = dumps->uses.items[i].next) {
        const struct jit_dump_use *use = &dumps->uses.items[i];
        const struct jit_dump *dump = &dumps->items.items[use->dump];

        if (use->until_ns == UINT64_MAX && dump->inode == inode &&
            slice_ends_with(text_slice(&dump->path), path))
            return true;
    }
    return false;
}

void jit_dumps_map(struct jit_dumps *dumps, uint32_t pid, const struct sample_mapping *mapping,
                   struct jit_dumps_place place)
{
    struct jit_dump dump = {.descriptor = -1, .inode = mapping->inode};

    if (has_it(dumps, pid, mapping->path, mapping->inode))
        return;
    if (place.is_past && place.root) {
        text_add_string(&dump.path, place.root);
        dump.inode = 0;
    }
    text_add(&dump.path, mapping->path);
    open_dump(&dump, pid, place.is_past);
    dump.inode = mapping->inode;
    dump.has_other_clock =
        place.is_past ? place.has_other_clock : pid_namespace_has_proc() && process_has_own_clock(pid);
    *vec_add(&dumps->items) = dump;
    add_use(dumps, (struct jit_dump_use){.pid = pid,
                                         .dump = (uint32_t)dumps->items.count - 1,
                                         .told_until_ns = UINT64_MAX,
                                         .until_ns = UINT64_MAX});
}
