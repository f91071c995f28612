/*
 * Replays a recording: samples of 64 threads on four processors, an hour at 997 Hz, made up from the call
 * frame information of FILE and put into rings as the kernel would; then all that was kept goes into the
 * profile file OUTPUT. Says what a sample takes of CPU time and what all takes of memory.
 *
 * usage: bench_record FILE OUTPUT [SAMPLES]
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "base/memory.h"
#include "base/replacement.h"
#include "collect/collect.h"
#include "dwarf/cfi_lookup.h"
#include "elf/image.h"
#include "profile/profile_file.h"
#include "sampler/perf/decode.h"
#include "sampler/perf/order.h"

enum {
    SAMPLES = 14000000,
    CPUS = 4,
    THREADS = 64,
    PID = 4242,
    EVENT_ID = 7,
    PLACES = 4000,  /* in the code, that something is called from */
    CALLS = 200000, /* nodes of the tree of calls: distinct stacks */
    DEEPEST = 60,
    LARGEST_FRAME = 512,
    PERIOD_NS = 1003009,
    SAMPLES_IN_A_ROW = 8, /* of one thread on a processor */
    RING_BYTES = 2 << 20,
    ROOM_BYTES = 65200, /* for a stack, in a record of less than 64 KiB */
    MOST_STACK_BYTES = (DEEPEST + 1) * (LARGEST_FRAME + 8),
    HEAD_BYTES = 8 + 48 + 8, /* the header, what stands before the calls, their number */
    REGISTERS_BYTES = 8 + 17 * 8,
    RECORD_BYTES = HEAD_BYTES + REGISTERS_BYTES + 8 + ROOM_BYTES + 8,
};

static const uint64_t bias = 0x550000000000;
static const uint64_t stack_top = 0x7ffc00000000;

/* One call in the made-up tree. */
struct call {
    uint64_t svma;
    uint32_t parent;
    uint16_t frame_bytes;
    uint16_t depth;
};

/* Instead of the kernel's: whatever is asked for is made up. */
struct sampler {
    struct ring rings[CPUS];
    struct perf_event_mmap_page pages[CPUS];
    char *memory[CPUS];
    uint64_t times_ns[CPUS];
    uint32_t threads[CPUS]; /* that run */
    struct order order;
    const struct call *calls;
    struct sample_mapping mapping;
    uint64_t random;
    uint64_t left; /* samples to make */
    bool has_told_mapping;
    char stack[MOST_STACK_BYTES];
};

/* The same numbers on every run (xorshift, Marsaglia 2003). */
static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)((*state >> 32) % limit);
}

/* --- The tree of calls --------------------------------------------------------------------------------- */

/* Whether a frame can be made up for code at this address: all but the return address is anything. */
static bool is_usable(const struct cfi_row *row)
{
    return row && row->cfa_rule == CFI_CFA_REGISTER && row->cfa_register == REGISTERS_SP &&
           row->return_rule == CFI_AT_CFA && row->return_offset == -8 && row->cfa_offset >= 16 &&
           row->cfa_offset <= LARGEST_FRAME && !row->is_signal_frame;
}

/* Whether a call through a register ends there, which may be of anything: what begins there is returned to.
 */
static bool ends_call(struct image *image, const struct section *code, uint64_t svma)
{
    enum { CALL_BYTES = 2, OPCODE = 0xff, TO_REGISTER = 0xd0, REGISTERS = 7 };
    char bytes[CALL_BYTES] = {0};
    struct error unread = {0};
    uint64_t offset = svma - code->svma;

    return offset > 0 &&
           image_read_at(image, code->file_offset + offset - 1, bytes, CALL_BYTES, &unread) == 0 &&
           (uint8_t)bytes[0] == OPCODE && ((uint8_t)bytes[1] & ~REGISTERS) == TO_REGISTER;
}

static struct call make_place(struct image *image, struct cfi_lookup *lookup, const struct section *code,
                              uint64_t *random)
{
    uint32_t return_register = 0;
    const struct cfi_row *row = NULL;
    struct call call = {0};

    while (!is_usable(row) || !ends_call(image, code, call.svma)) {
        call.svma = code->svma + random_below(random, (uint32_t)code->memory_bytes);
        row = cfi_lookup_find(lookup, call.svma, &return_register);
    }
    call.frame_bytes = (uint16_t)row->cfa_offset;
    return call;
}

static struct call *make_calls(struct image *image, const struct section *code, struct error *err)
{
    static struct call places[PLACES];
    struct call *calls = memory_new(CALLS, sizeof(*calls));
    struct cfi_lookup *lookup = NULL;
    uint64_t random = 88172645463325252U;

    if (cfi_lookup_open(image, &lookup, err) < 0) {
        free(calls);
        return NULL;
    }
    for (size_t i = 0; i < PLACES; i++)
        places[i] = make_place(image, lookup, code, &random);
    cfi_lookup_close(lookup);
    calls[0] = (struct call){.svma = image->entry_svma + 0x20};
    for (uint32_t i = 1; i < CALLS; i++) {
        uint32_t parent = random_below(&random, i);

        while (calls[parent].depth + 1 >= DEEPEST)
            parent = calls[parent].parent;
        calls[i] = places[random_below(&random, PLACES)];
        calls[i].parent = parent;
        calls[i].depth = (uint16_t)(calls[parent].depth + 1);
    }
    return calls;
}

/* --- The kernel's part --------------------------------------------------------------------------------- */

static void put(struct sampler *sampler, size_t cpu, uint64_t offset, const void *data, size_t length)
{
    uint64_t at = (sampler->pages[cpu].data_head + offset) & (RING_BYTES - 1);
    size_t to_the_end = RING_BYTES - at < length ? RING_BYTES - at : length;

    memcpy(sampler->memory[cpu] + at, data, to_the_end);
    memcpy(sampler->memory[cpu], (const char *)data + to_the_end, length - to_the_end);
}

/* The stack of a thread that is in this call; returns its length. */
static uint64_t make_stack(struct sampler *sampler, uint32_t leaf)
{
    uint64_t at = 0;

    for (uint32_t i = leaf; i > 0; i = sampler->calls[i].parent) {
        uint64_t caller = bias + sampler->calls[sampler->calls[i].parent].svma + 1;

        at += sampler->calls[i].frame_bytes;
        memcpy(sampler->stack + at - 8, &caller, sizeof(caller));
    }
    return at + 8;
}

static void put_sample(struct sampler *sampler, size_t cpu, uint32_t thread, uint32_t leaf)
{
    enum { IP = 8, SP = 7 };
    uint64_t stack_bytes = make_stack(sampler, leaf);
    struct perf_event_header header = {PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, RECORD_BYTES};
    uint64_t ip = bias + sampler->calls[leaf].svma + (leaf == 0);
    uint64_t head[] = {
        0, ip, PID | (uint64_t)(PID + thread) << 32, sampler->times_ns[cpu], EVENT_ID, cpu, PERIOD_NS, 0};
    uint64_t registers[1 + 17] = {PERF_SAMPLE_REGS_ABI_64};
    uint64_t room = ROOM_BYTES;

    memcpy(head, &header, sizeof(header));
    registers[1 + SP] = stack_top - stack_bytes;
    registers[1 + IP] = ip;
    put(sampler, cpu, 0, head, sizeof(head));
    put(sampler, cpu, HEAD_BYTES, registers, sizeof(registers));
    put(sampler, cpu, HEAD_BYTES + REGISTERS_BYTES, &room, sizeof(room));
    put(sampler, cpu, HEAD_BYTES + REGISTERS_BYTES + 8, sampler->stack, stack_bytes);
    put(sampler, cpu, RECORD_BYTES - 8, &stack_bytes, sizeof(stack_bytes));
    sampler->pages[cpu].data_head += RECORD_BYTES;
}

/* Half of all samples are in a hundredth of the stacks. */
static uint32_t choose_leaf(uint64_t *random)
{
    uint32_t one_of = random_below(random, 2) > 0 ? CALLS / 100 : CALLS;

    return random_below(random, one_of);
}

static void fill_ring(struct sampler *sampler, size_t cpu)
{
    struct perf_event_mmap_page *page = &sampler->pages[cpu];

    while (sampler->left > 0 && page->data_head - page->data_tail + RECORD_BYTES <= RING_BYTES) {
        if (random_below(&sampler->random, SAMPLES_IN_A_ROW) == 0)
            sampler->threads[cpu] = random_below(&sampler->random, THREADS / CPUS) * CPUS + (uint32_t)cpu;
        sampler->times_ns[cpu] += PERIOD_NS + random_below(&sampler->random, 2000);
        put_sample(sampler, cpu, sampler->threads[cpu], choose_leaf(&sampler->random));
        sampler->left--;
    }
}

/* --- What the recorder calls --------------------------------------------------------------------------- */

size_t sampler_source_count(const struct sampler *sampler)
{
    (void)sampler;
    return 1;
}

struct sampler_source sampler_source(const struct sampler *sampler, size_t index)
{
    (void)sampler;
    (void)index;
    return (struct sampler_source){.event = "cpu-clock", .unit = "ns", .frequency_hz = 997};
}

uint32_t sampler_fewer_stack_bytes(const struct sampler *sampler)
{
    (void)sampler;
    return 0;
}

void sampler_copy_fewer(struct sampler *sampler, bool fewer)
{
    (void)sampler;
    (void)fewer;
}

void sampler_begin_round(struct sampler *sampler, bool to_the_end)
{
    (void)to_the_end;
    for (size_t cpu = 0; cpu < CPUS; cpu++)
        fill_ring(sampler, cpu);
    order_begin_round(&sampler->order, UINT64_MAX);
}

bool sampler_next(struct sampler *sampler, struct sampler_event *out)
{
    const struct decode_form form = {
        .sample_type = DECODE_SAMPLE_TYPE, .registers = decode_register_mask, .has_trailer = true};
    struct slice record = {0};

    if (!sampler->has_told_mapping) {
        sampler->has_told_mapping = true;
        *out = (struct sampler_event){
            .kind = SAMPLER_MAPPING, .pid = PID, .tid = PID, .mapping = sampler->mapping};
        return true;
    }
    return order_next(&sampler->order, &record) && decode_record(record, &form, out);
}

uint32_t sampler_heap_program_count(const struct sampler *sampler)
{
    (void)sampler;
    return 0;
}

uint32_t sampler_heap_foreign_count(const struct sampler *sampler)
{
    (void)sampler;
    return 0;
}

struct heap_slots sampler_heap_slots(const struct sampler *sampler)
{
    (void)sampler;
    return (struct heap_slots){0};
}

static struct sampler *make_sampler(const struct call *calls, const char *path, const struct section *code)
{
    struct sampler *sampler = memory_new(1, sizeof(*sampler));

    sampler->calls = calls;
    sampler->random = 2463534242;
    sampler->mapping = (struct sample_mapping){.start_avma = bias + code->svma,
                                               .size_bytes = code->memory_bytes,
                                               .file_offset = code->file_offset,
                                               .path = slice_of(path)};
    for (size_t cpu = 0; cpu < CPUS; cpu++) {
        sampler->memory[cpu] = memory_new(RING_BYTES, 1);
        sampler->times_ns[cpu] = 1000000000000 + cpu;
        ring_init(&sampler->rings[cpu], &sampler->pages[cpu], sampler->memory[cpu], RING_BYTES);
    }
    order_init(&sampler->order, sampler->rings, CPUS);
    return sampler;
}

static void free_sampler(struct sampler *sampler)
{
    order_done(&sampler->order);
    for (size_t cpu = 0; cpu < CPUS; cpu++) {
        ring_done(&sampler->rings[cpu]);
        free(sampler->memory[cpu]);
    }
    free(sampler);
}

/* --- Measuring ----------------------------------------------------------------------------------------- */

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static long peak_mb(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

/* What it takes to make the samples up alone. */
static double time_of_making(struct sampler *sampler, uint64_t count)
{
    double start = cpu_seconds();

    sampler->left = count;
    while (sampler->left > 0) {
        for (size_t cpu = 0; cpu < CPUS; cpu++) {
            fill_ring(sampler, cpu);
            sampler->pages[cpu].data_tail = sampler->pages[cpu].data_head;
        }
    }
    return cpu_seconds() - start;
}

static void record(struct sampler *sampler, struct profile *profile, uint64_t count, double making)
{
    struct recorder *recorder = recorder_new(profile);
    double start = cpu_seconds();
    const struct profile_series *series = NULL;

    sampler->left = count;
    recorder_add_series(recorder, sampler);
    while (sampler->left > 0)
        recorder_drain(recorder, sampler, false);
    recorder_drain(recorder, sampler, true);
    series = &profile->series.items[0];
    printf("record %.2f us of CPU a sample, %llu samples, %zu stacks, %.1f%% complete, %ld MB at most\n",
           (cpu_seconds() - start - making) / (double)count * 1e6, (unsigned long long)series->samples.count,
           profile->stacks.count,
           100.0 * (double)series->ended_counts[STACK_COMPLETE] / (double)series->samples.count, peak_mb());
    recorder_free(recorder);
}

static int write_profile(struct profile *profile, const char *output, struct error *err)
{
    SCOPED(replacement_discard) struct replacement *file = NULL;
    double start = cpu_seconds();
    struct stat about = {0};

    if (profile_finish(profile, err) < 0)
        return -1;
    printf("sums   %.2f s of CPU, %zu threads with a stack each, %ld MB at most\n", cpu_seconds() - start,
           profile->series.items[0].samples.sums.count, peak_mb());
    start = cpu_seconds();
    if (replacement_open(output, &file, err) < 0 ||
        profile_file_write(profile, sink_of_replacement(file), err) < 0 ||
        replacement_commit(file, REPLACEABLE, err) < 0)
        return -1;
    if (stat(output, &about) < 0)
        return error_set(err, ERROR_IO, "%s: %s", output, strerror(errno));
    printf("file   %.2f s of CPU, %lld bytes, %ld MB at most\n", cpu_seconds() - start,
           (long long)about.st_size, peak_mb());
    return 0;
}

static int run(const char *path, const char *output, uint64_t count, struct error *err)
{
    SCOPED(profile_done) struct profile profile;
    SCOPED(image_close) struct image image = {0};
    const struct section *code = NULL;
    struct sampler *sampler = NULL;
    struct call *calls = NULL;
    double making = 0;
    int result = 0;

    profile_init(&profile);
    if (block_file_open((const char *const[]){".", NULL}, &profile.block_file, err) < 0)
        return -1;
    if (image_open(path, &image, err) < 0)
        return -1;
    code = sections_find(&image.sections, SLICE(".text"));
    if (!code)
        return error_set(err, ERROR_FORMAT, "%s: no .text", path);
    calls = make_calls(&image, code, err);
    if (!calls)
        return -1;
    sampler = make_sampler(calls, path, code);
    making = time_of_making(sampler, count);
    free_sampler(sampler);
    sampler = make_sampler(calls, path, code);
    record(sampler, &profile, count, making);
    result = write_profile(&profile, output, err);
    free_sampler(sampler);
    free(calls);
    return result;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    uint64_t count = argc > 3 ? strtoull(argv[3], NULL, 10) : SAMPLES;

    if (argc < 3 || count == 0) {
        fprintf(stderr, "usage: bench_record FILE OUTPUT [SAMPLES]\n");
        return 2;
    }
    if (run(argv[1], argv[2], count, &err) < 0) {
        fprintf(stderr, "bench_record: %s\n", err.message);
        return 1;
    }
    return 0;
}
