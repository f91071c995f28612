#include "sampler/heap_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/shrunk_file.h"
#include "sampler/heap_record.h"

static struct heap_shared *shared_of(const struct heap_channel *channel)
{
    return (struct heap_shared *)(void *)(channel->memory + HEAP_PAGE_BYTES);
}

/* --- The file --------------------------------------------------------------------------------------- */

#define FOLDER "cargo-cprof-"
#define FILE_NAME "heap"

/*
 * Whether the file is one that its recorder was killed over before it was valid. Making it takes no
 * MAKING_SECONDS, so that one that is as old is not about to be locked.
 */
static bool is_unfinished(int descriptor)
{
    enum { MAKING_SECONDS = 60 };
    struct stat status;

    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
           (status.st_size == 0 || status.st_size == HEAP_FILE_BYTES) &&
           time(NULL) - status.st_mtime > MAKING_SECONDS;
}

/* Whether it has the file of a recorder that runs no more: those that run have it locked before it is valid.
 */
static bool has_left_over(int folder)
{
    struct heap_shared shared = {0};
    SCOPED(file_close_descriptor)
    int descriptor = openat(folder, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool is_valid = descriptor >= 0 &&
                    pread(descriptor, &shared, sizeof(shared), HEAP_PAGE_BYTES) == (ssize_t)sizeof(shared) &&
                    shared.magic == HEAP_MAGIC;

    return descriptor >= 0 && (is_valid || is_unfinished(descriptor)) &&
           flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

/* Who is killed leaves its file, which may be in memory. Others may write here: nothing is done by a link. */
static void remove_left_over(const char *parent)
{
    SCOPED(folder_close) DIR *entries = opendir(parent);
    const struct dirent *entry = NULL;

    while (entries && (entry = readdir(entries))) {
        SCOPED(file_close_descriptor) int folder = -1;

        if (!slice_starts_with(slice_of(entry->d_name), SLICE(FOLDER)))
            continue;
        folder = openat(dirfd(entries), entry->d_name,
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (folder < 0 || !has_left_over(folder))
            continue;
        (void)unlinkat(folder, FILE_NAME, 0);
        (void)unlinkat(dirfd(entries), entry->d_name, AT_REMOVEDIR);
    }
}

static bool make_folder(const char *parent, struct text *out)
{
    text_clear(out);
    text_format(out, "%s/" FOLDER "XXXXXX", parent);
    (void)text_string(out);
    return mkdtemp(out->data) != NULL;
}

static void remove_all(struct heap_channel *channel)
{
    if (channel->path.length > 0)
        (void)unlink(text_string(&channel->path));
    (void)rmdir(text_string(&channel->folder));
}

/* The file with all its room, so that no write to it can fail. 0, or an errno. */
static int make_file(struct heap_channel *channel)
{
    int cause = 0;

    text_clear(&channel->path);
    text_format(&channel->path, "%s/" FILE_NAME, text_string(&channel->folder));
    channel->descriptor =
        open(text_string(&channel->path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (channel->descriptor < 0)
        return errno;
    (void)flock(channel->descriptor, LOCK_EX | LOCK_NB);
    cause = posix_fallocate(channel->descriptor, 0, HEAP_FILE_BYTES);
    if (!cause)
        channel->memory =
            mmap(NULL, HEAP_FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, channel->descriptor, 0);
    if (channel->memory == MAP_FAILED) {
        channel->memory = NULL;
        cause = errno;
    }
    if (cause)
        file_close_descriptor(&channel->descriptor);
    return cause;
}

static int make_in(const char *parent, struct heap_channel *channel)
{
    int cause = 0;

    if (!parent)
        return ENOENT;
    remove_left_over(parent);
    if (!make_folder(parent, &channel->folder))
        return errno;
    cause = make_file(channel);
    if (cause)
        remove_all(channel);
    return cause;
}

static uint64_t own_namespace(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

int heap_channel_open(struct heap_channel *out, struct error *err)
{
    const char *const parents[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};
    struct heap_channel channel = {.descriptor = -1};
    int cause = ENOENT;

    for (size_t i = 0; i < ARRAY_COUNT(parents) && cause; i++)
        cause = make_in(parents[i], &channel);
    if (cause) {
        text_done(&channel.folder);
        text_done(&channel.path);
        error_hint(err, "it takes %d MiB there, or in the folder that TMPDIR names",
                   (HEAP_FILE_BYTES + (1 << 20) - 1) >> 20);
        return error_set(err, ERROR_IO, "make a file in /dev/shm or /tmp: %s", strerror(cause));
    }
    shrunk_file_guard(channel.memory, HEAP_FILE_BYTES);
    *shared_of(&channel) = (struct heap_shared){
        .magic = HEAP_MAGIC,
        .reader = getpid(),
        .pid_namespace = own_namespace("/proc/self/ns/pid"),
        .time_namespace = own_namespace("/proc/self/ns/time"),
    };
    *out = channel;
    return 0;
}

/* Threads may count on meanwhile. */
static void read_slots(const struct heap_channel *channel, struct heap_counts *out, size_t count)
{
    const struct heap_slot *slots =
        (const struct heap_slot *)(const void *)(channel->memory + HEAP_SLOTS_OFFSET);

    for (size_t i = 0; i < count; i++)
        out[i] = (struct heap_counts){
            .given_bytes = __atomic_load_n(&slots[i].given_bytes, __ATOMIC_RELAXED),
            .given_count = __atomic_load_n(&slots[i].given_count, __ATOMIC_RELAXED),
            .kept_bytes = (uint64_t)__atomic_load_n(&slots[i].kept_bytes, __ATOMIC_RELAXED),
        };
}

static uint32_t slots_asked_for(const struct heap_channel *channel)
{
    return __atomic_load_n(&shared_of(channel)->slot_count, __ATOMIC_RELAXED);
}

static size_t slot_count(const struct heap_channel *channel)
{
    uint32_t count = slots_asked_for(channel);

    return count < HEAP_SLOTS ? count : HEAP_SLOTS;
}

void heap_channel_begin_window(struct heap_channel *channel)
{
    size_t count = 0;

    if (!channel->memory || !heap_channel_is_whole(channel))
        return;
    for (count = slot_count(channel); channel->at_start.count < count;)
        *vec_add(&channel->at_start) = (struct heap_counts){0};
    read_slots(channel, channel->at_start.items, count);
}

void heap_channel_end(struct heap_channel *channel)
{
    size_t count = 0;

    if (!channel->memory || channel->has_ended || !heap_channel_is_whole(channel))
        return;
    channel->has_ended = true;
    __atomic_store_n(&shared_of(channel)->is_over, 1, __ATOMIC_SEQ_CST);
    for (count = slot_count(channel); channel->at_end.count < count;)
        *vec_add(&channel->at_end) = (struct heap_counts){0};
    read_slots(channel, channel->at_end.items, count);
    channel->lacks_slots = slots_asked_for(channel) > HEAP_SLOTS;
}

struct heap_slots heap_channel_slots(const struct heap_channel *channel)
{
    return (struct heap_slots){channel->at_start.items, channel->at_end.items, channel->at_start.count,
                               channel->at_end.count, channel->lacks_slots};
}

void heap_channel_close(struct heap_channel *channel)
{
    if (!channel->memory)
        return;
    heap_channel_end(channel);
    shrunk_file_unguard();
    munmap(channel->memory, HEAP_FILE_BYTES);
    file_close_descriptor(&channel->descriptor);
    remove_all(channel);
    text_done(&channel->folder);
    text_done(&channel->path);
    vec_done(&channel->at_start);
    vec_done(&channel->at_end);
    *channel = (struct heap_channel){0};
}

void heap_channel_begin(struct heap_channel *channel, uint64_t time_offset_ns, struct ring *out)
{
    shared_of(channel)->time_offset_ns = time_offset_ns;
    ring_init(out, (struct perf_event_mmap_page *)(void *)channel->memory,
              channel->memory + 2 * HEAP_PAGE_BYTES, HEAP_RING_BYTES);
}

bool heap_channel_is_whole(const struct heap_channel *channel)
{
    struct stat status;

    return fstat(channel->descriptor, &status) == 0 && status.st_size >= HEAP_FILE_BYTES;
}

uint32_t heap_channel_program_count(const struct heap_channel *channel)
{
    return heap_channel_is_whole(channel)
               ? __atomic_load_n(&shared_of(channel)->process_count, __ATOMIC_RELAXED)
               : 0;
}

uint32_t heap_channel_foreign_count(const struct heap_channel *channel)
{
    return heap_channel_is_whole(channel)
               ? __atomic_load_n(&shared_of(channel)->foreign_count, __ATOMIC_RELAXED)
               : 0;
}

uint64_t heap_channel_missed_count(const struct heap_channel *channel)
{
    return heap_channel_is_whole(channel)
               ? __atomic_load_n(&shared_of(channel)->missed_count, __ATOMIC_RELAXED)
               : 0;
}

static void read_name(const char *name, char out[HEAP_NAME_BYTES])
{
    memcpy(out, name, HEAP_NAME_BYTES);
    out[HEAP_NAME_BYTES - 1] = '\0';
}

struct heap_elsewhere heap_channel_elsewhere(const struct heap_channel *channel)
{
    const struct heap_shared *shared = shared_of(channel);
    struct heap_elsewhere elsewhere = {0};

    if (!heap_channel_is_whole(channel))
        return elsewhere;
    read_name(shared->own_malloc, elsewhere.own_malloc);
    read_name(shared->elsewhere, elsewhere.program);
    elsewhere.bytes = __atomic_load_n(&shared->elsewhere_bytes, __ATOMIC_RELAXED);
    elsewhere.is_followed = __atomic_load_n(&shared->followed_count, __ATOMIC_RELAXED) > 0;
    return elsewhere;
}

/* --- Records ---------------------------------------------------------------------------------------- */

static uint32_t type_of(struct slice record)
{
    struct perf_event_header header;

    if (record.length < sizeof(struct heap_record))
        return 0;
    memcpy(&header, record.data, sizeof(header));
    return header.type;
}

bool heap_channel_has(struct slice record)
{
    uint32_t type = type_of(record);

    return type >= HEAP_ALLOCATED && type <= HEAP_KEPT;
}

static bool decode_allocation(struct slice record, struct sampler_event *out)
{
    struct heap_allocation allocation;

    if (record.length < sizeof(allocation))
        return false;
    memcpy(&allocation, record.data, sizeof(allocation));
    if (allocation.stack_bytes > record.length - sizeof(allocation))
        return false;
    if (allocation.start.header.type == HEAP_ALLOCATED && allocation.size_bytes == 0)
        return false;
    out->kind = allocation.start.header.type == HEAP_ALLOCATED ? SAMPLER_ALLOCATED : SAMPLER_COUNTED;
    out->heap.size_bytes = allocation.size_bytes;
    out->heap.interval_bytes = allocation.interval_bytes;
    out->heap.since_bytes = allocation.since_bytes;
    out->heap.since_count = allocation.since_count;
    out->heap.slot = allocation.slot <= HEAP_SLOTS ? allocation.slot : 0;
    out->sample = (struct sample_raw){
        .address = allocation.start.address,
        .has_registers = true,
        .registers = allocation.registers,
        .stack = slice_range(record, sizeof(allocation), sizeof(allocation) + allocation.stack_bytes),
        .stack_is_cut = allocation.stack_bytes == HEAP_MOST_STACK_BYTES,
    };
    out->sample.registers.known &= (UINT64_C(1) << REGISTERS_COUNT) - 1;
    return true;
}

bool heap_channel_decode(struct slice record, struct sampler_event *out)
{
    struct heap_record start;

    if (!heap_channel_has(record))
        return false;
    memcpy(&start, record.data, sizeof(start));
    out->event_id = 0;
    out->pid = start.pid;
    out->tid = start.tid;
    out->time_ns = start.time_ns;
    out->heap = (struct sample_heap){.pointer = start.pointer, .kept_bytes = start.kept_bytes};
    out->kind = start.header.type == HEAP_KEPT ? SAMPLER_KEPT : SAMPLER_FREED;
    return start.header.type == HEAP_FREED || start.header.type == HEAP_KEPT ||
           decode_allocation(record, out);
}
