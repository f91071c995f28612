#include "preload/records.h"

#include <fcntl.h>
#include <gnu/libc-version.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "preload/elsewhere.h"
#include "preload/own_stack.h"
#include "preload/sampling.h"
#include "preload/system.h"

static struct perf_event_mmap_page *ring; /* NULL: nobody reads */
static struct heap_shared *shared;
static char *data;
static struct heap_slot *slots;
static bool is_begun;
static uintptr_t main_stack_end; /* of the first thread; the arguments are above */

/* --- Waiting and memory --------------------------------------------------------------------------- */

void records_pause(unsigned tries)
{
    enum { AT_ONCE = 64, SLEEP_US = 50 };

    if (tries >= AT_ONCE)
        sleep_us(SLEEP_US);
}

uint64_t records_seed(void)
{
    return now_ns() * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)thread_number() << 32;
}

static void *map(size_t size, int flags, int descriptor)
{
    long result = SYSTEM_CALL(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, flags, descriptor);

    return is_failure(result) ? NULL : pointer_to((uintptr_t)result);
}

void *records_memory(size_t size)
{
    return map(size, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

/* --- Whose memory it is -------------------------------------------------------------------------------- */

static uint32_t own_process;
static uint32_t
    *is_own; /* a page of zeros in each copy of this memory (madvise(2), MADV_WIPEONFORK); NULL: none */

void records_begin_process(void)
{
    own_process = process_number();
    if (is_own)
        *is_own = 1;
}

static void mark_memory(void)
{
    uint32_t *page = records_memory(HEAP_PAGE_BYTES);

    if (page && !is_failure(SYSTEM_CALL(SYS_madvise, (long)page, HEAP_PAGE_BYTES, MADV_WIPEONFORK)))
        is_own = page;
    records_begin_process();
}

/* A child of vfork(2) has its parent's memory, and what it does there is the parent's. */
static uint32_t process_of_memory(void)
{
    return is_own && *is_own ? own_process : process_number();
}

/* --- Begin and end ------------------------------------------------------------------------------------ */

bool records_are_wanted(void)
{
    return __atomic_load_n(&ring, __ATOMIC_ACQUIRE) && !__atomic_load_n(&shared->is_over, __ATOMIC_RELAXED);
}

bool records_are_over(void)
{
    return __atomic_load_n(&is_begun, __ATOMIC_ACQUIRE) && !records_are_wanted();
}

static const char *value_of(char **environment, const char *name)
{
    size_t length = strlen(name);

    for (; environment && *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

static void open_ring(const char *path)
{
    long descriptor = SYSTEM_CALL(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC);
    char *memory = NULL;

    if (is_failure(descriptor))
        return;
    if (SYSTEM_CALL(SYS_lseek, descriptor, 0, SEEK_END) == HEAP_FILE_BYTES)
        memory = map(HEAP_FILE_BYTES, MAP_SHARED, (int)descriptor);
    SYSTEM_CALL(SYS_close, descriptor);
    if (!memory)
        return;
    shared = (struct heap_shared *)(void *)(memory + HEAP_PAGE_BYTES);
    data = memory + 2 * HEAP_PAGE_BYTES;
    slots = (struct heap_slot *)(void *)(memory + HEAP_SLOTS_OFFSET);
    if (shared->magic != HEAP_MAGIC)
        return;
    /* Numbers of processes, and times, are others there: nothing that is told could be understood. */
    if (inode_of("/proc/self/ns/pid") != shared->pid_namespace ||
        inode_of("/proc/self/ns/time") != shared->time_namespace) {
        __atomic_add_fetch(&shared->foreign_count, 1, __ATOMIC_RELAXED);
        return;
    }
    mark_memory();
    __atomic_add_fetch(&shared->process_count, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&ring, (struct perf_event_mmap_page *)(void *)memory, __ATOMIC_RELEASE);
}

/* glibc's own pthread_atfork, which programs have a copy of; musl has no other. */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *library)
    __attribute__((weak));

#pragma weak pthread_atfork
#pragma weak pthread_key_create
#pragma weak pthread_setspecific

static pthread_key_t thread_end;
static bool has_thread_end;

static void end_thread(void *ignored)
{
    (void)ignored;
    sampling_end_thread();
    sampling_give_slot();
}

void records_tell_thread_end(void)
{
    static char anything;

    if (has_thread_end)
        pthread_setspecific(thread_end, &anything);
}

/* Of the thread that ends the process; it has no other end. */
static __attribute__((destructor)) void end(void)
{
    sampling_end_thread();
    if (records_are_wanted())
        elsewhere_end(sampling_most());
}

static void begin_with(char **environment, uintptr_t stack_end)
{
    const char *path = value_of(environment, HEAP_VARIABLE);

    main_stack_end = stack_end;
    if (path)
        open_ring(path);
    has_thread_end =
        pthread_key_create && pthread_setspecific && pthread_key_create(&thread_end, end_thread) == 0;
    if (__register_atfork)
        __register_atfork(NULL, NULL, sampling_begin_child, NULL);
    else if (pthread_atfork)
        pthread_atfork(NULL, NULL, sampling_begin_child);
    __atomic_store_n(&is_begun, true, __ATOMIC_RELEASE);
}

extern char **environ __attribute__((weak));

/* Other libraries may ask for memory as they begin, and their turn may come before ours. */
void records_begin(void)
{
    static bool is_beginning;

    if (is_begun || is_beginning || !&environ || !environ)
        return;
    is_beginning = true;
    begin_with(environ, (uintptr_t)environ);
}

#pragma weak gnu_get_libc_version

/* glibc alone gives these to what begins, and may have no environ yet. */
static __attribute__((constructor)) void begin(int count, char **arguments, char **environment)
{
    (void)count;
    if (!gnu_get_libc_version)
        records_begin();
    else if (!is_begun)
        begin_with(environment, (uintptr_t)arguments);
    if (records_are_wanted())
        elsewhere_begin(heap_own_malloc());
}

/* --- One writer at a time ------------------------------------------------------------------------------ */

struct heap_shared *records_shared(void)
{
    return shared;
}

struct heap_slot *records_slot(uint32_t number)
{
    return &slots[number - 1];
}

static void end_writing(void)
{
    __atomic_store_n(&shared->writer, 0, __ATOMIC_RELEASE);
}

/* What comes once the recording is over is no part of it. */
static bool miss(void)
{
    if (records_are_wanted())
        __atomic_add_fetch(&shared->missed_count, 1, __ATOMIC_RELAXED);
    return false;
}

static uint32_t stuck_writer; /* it writes, and was waited for in vain */

static bool take_lock(uint32_t from, uint32_t thread)
{
    return __atomic_compare_exchange_n(&shared->writer, &from, thread, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

/*
 * As one, of all processes. One that ended as it wrote does not keep others from it, and one that is stopped
 * then is waited for once, and not for long.
 */
static bool wait_for_lock(uint32_t thread)
{
    enum { MOST_TRIES = 1000, ASK_EACH = 32 };
    uint32_t before = 0;

    for (unsigned i = 0; i < MOST_TRIES && records_are_wanted(); i++) {
        uint32_t other = __atomic_load_n(&shared->writer, __ATOMIC_RELAXED);

        if (other == 0 && take_lock(0, thread))
            return true;
        if (other && i % ASK_EACH == ASK_EACH - 1 && is_gone((int)other) && take_lock(other, thread))
            return true;
        if (other && other == __atomic_load_n(&stuck_writer, __ATOMIC_RELAXED))
            return false;
        i = other == before ? i : 0;
        before = other;
        records_pause(i);
    }
    __atomic_store_n(&stuck_writer, before, __ATOMIC_RELAXED);
    return false;
}

static bool has_room(uint64_t length)
{
    return HEAP_RING_BYTES - (ring->data_head - __atomic_load_n(&ring->data_tail, __ATOMIC_ACQUIRE)) >=
           length;
}

/* Waits until so much fits, which the recorder sees to, while others may write: it is theirs, too. */
static bool begin_writing(uint32_t thread, uint64_t length)
{
    enum { SLEEP_US = 200, ASK_EACH = 256 };

    for (unsigned i = 1; records_are_wanted() && wait_for_lock(thread); i++) {
        __atomic_store_n(&stuck_writer, 0, __ATOMIC_RELAXED);
        if (has_room(length))
            return true;
        end_writing();
        sleep_us(SLEEP_US);
        if (i % ASK_EACH == 0 && is_gone(shared->reader))
            __atomic_store_n(&shared->is_over, 1, __ATOMIC_RELAXED);
    }
    return miss();
}

static void put(uint64_t at, const void *bytes, size_t length)
{
    size_t start = at & (HEAP_RING_BYTES - 1);
    size_t first = HEAP_RING_BYTES - start < length ? HEAP_RING_BYTES - start : length;

    memcpy(data + start, bytes, first);
    memcpy(data, (const char *)bytes + first, length - first);
}

/* Puts its start in front of what follows it, and lets the recorder see all `length` of it. */
static void publish(const void *start, size_t start_bytes, uint64_t length)
{
    put(ring->data_head, start, start_bytes);
    __atomic_store_n(&ring->data_head, ring->data_head + length, __ATOMIC_RELEASE);
}

static struct heap_record record_of(uint32_t type, uintptr_t pointer, uint32_t thread)
{
    uint32_t process = process_of_memory();

    return (struct heap_record){
        .header = {.type = type, .misc = PERF_RECORD_MISC_USER, .size = sizeof(struct heap_record)},
        .pid = process,
        .tid = process == process_number() ? thread : process,
        .time_ns = now_ns() - shared->time_offset_ns,
        .pointer = pointer,
        .kept_bytes = sampling_kept(),
    };
}

bool records_counted(const struct records_given *given)
{
    uint32_t thread = thread_number();
    struct heap_allocation record = {
        .since_bytes = given->since_bytes,
        .since_count = given->since_count,
        .slot = given->slot,
    };

    if (!records_are_wanted() || !begin_writing(thread, sizeof(record)))
        return false;
    record.start = record_of(HEAP_COUNTED, 0, thread);
    record.start.header.size = sizeof(record);
    publish(&record, sizeof(record), sizeof(record));
    end_writing();
    return true;
}

void records_most(int64_t kept_bytes)
{
    uint32_t thread = thread_number();
    struct heap_allocation record = {0};

    if (!records_are_wanted() || !begin_writing(thread, sizeof(record)))
        return;
    record.start = record_of(HEAP_COUNTED, 0, thread);
    record.start.header.size = sizeof(record);
    record.start.kept_bytes = kept_bytes;
    publish(&record, sizeof(record), sizeof(record));
    end_writing();
}

static void tell_of(uint32_t type, uintptr_t pointer)
{
    uint32_t thread = thread_number();
    struct heap_record record;

    if (!records_are_wanted() || !begin_writing(thread, sizeof(record)))
        return;
    record = record_of(type, pointer, thread);
    publish(&record, sizeof(record), sizeof(record));
    end_writing();
}

void records_taken(uintptr_t pointer)
{
    tell_of(HEAP_FREED, pointer);
}

void records_kept(uintptr_t pointer)
{
    tell_of(HEAP_KEPT, pointer);
}

static size_t copy_stack(struct stack_part part, uint64_t at)
{
    size_t start = at & (HEAP_RING_BYTES - 1);
    size_t first = HEAP_RING_BYTES - start < part.length ? HEAP_RING_BYTES - start : part.length;
    const struct iovec to[2] = {{data + start, first}, {data, part.length - first}};

    if (!part.is_there)
        return own_stack_copy(part, to);
    put(at, pointer_to(part.start), part.length);
    return part.length;
}

static __attribute__((noinline)) void write_given(const struct records_given *given, uint32_t thread)
{
    struct heap_allocation record = {
        .start = record_of(HEAP_ALLOCATED, given->pointer, thread),
        .size_bytes = given->size_bytes,
        .interval_bytes = given->interval_bytes,
        .since_bytes = given->since_bytes,
        .since_count = given->since_count,
        .slot = given->slot,
    };
    uint64_t length = 0;
    uintptr_t stack = 0;

    OWN_STACK_CAPTURE(record.registers.values);
    record.registers.known = OWN_STACK_CAPTURED;
    record.start.address = record.registers.values[REGISTERS_IP];
    stack = (uintptr_t)record.registers.values[REGISTERS_SP];
    record.stack_bytes = copy_stack(own_stack_from(stack, main_stack_end), ring->data_head + sizeof(record));
    length = sizeof(record) + ((record.stack_bytes + 7) & ~UINT64_C(7));
    record.start.header.size = (uint16_t)length;
    publish(&record, sizeof(record), length);
}

bool records_given(const struct records_given *given)
{
    uint32_t thread = thread_number();

    if (!begin_writing(thread, UINT16_MAX))
        return false;
    write_given(given, thread);
    end_writing();
    return true;
}
