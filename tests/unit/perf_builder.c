#include "perf_builder.h"

#if defined(__aarch64__)
#define REGISTERS_BUILT UINT64_C(0x1ffffffff)
#else
#define REGISTERS_BUILT UINT64_C(0xff01ff)
#endif

const struct decode_form perf_builder_form = {
    .sample_type = DECODE_SAMPLE_TYPE, .registers = REGISTERS_BUILT, .has_trailer = true};

void perf_builder_add_number(struct text *text, uint64_t number, size_t width)
{
    text_add(text, (struct slice){(const char *)&number, width});
}

void perf_builder_add_numbers(struct text *text, const uint64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        perf_builder_add_number(text, numbers[i], sizeof(*numbers));
}

static void add_header(struct text *ring, uint32_t type, uint16_t misc, size_t body_bytes)
{
    perf_builder_add_number(ring, type, 4);
    perf_builder_add_number(ring, misc, 2);
    perf_builder_add_number(ring, sizeof(struct perf_event_header) + body_bytes, 2);
}

void perf_builder_add(struct text *ring, uint32_t type, uint16_t misc, struct slice body, uint64_t time_ns)
{
    enum { TRAILER_BYTES = 32, PID = 11, TID = 12 };

    add_header(ring, type, misc, body.length + TRAILER_BYTES);
    text_add(ring, body);
    perf_builder_add_number(ring, PID, 4);
    perf_builder_add_number(ring, TID, 4);
    perf_builder_add_number(ring, time_ns, 8);
    perf_builder_add_number(ring, PERF_BUILDER_EVENT_ID, 8);
    perf_builder_add_number(ring, 0, 8);
}

void perf_builder_add_sample(struct text *ring, const struct perf_builder_sample *sample)
{
    SCOPED(text_done) struct text body = {0};

    perf_builder_add_number(&body, sample->address, 8);
    perf_builder_add_number(&body, sample->pid, 4);
    perf_builder_add_number(&body, sample->tid, 4);
    perf_builder_add_number(&body, sample->time_ns, 8);
    perf_builder_add_number(&body, sample->event_id, 8);
    perf_builder_add_number(&body, sample->cpu, 8);
    perf_builder_add_number(&body, sample->period, 8);
    perf_builder_add_number(&body, sample->call_count, 8);
    for (size_t i = 0; i < sample->call_count; i++)
        perf_builder_add_number(&body, sample->calls[i], 8);
    perf_builder_add_number(&body, sample->abi, 8);
    for (size_t i = 0; i < sample->register_count; i++)
        perf_builder_add_number(&body, sample->registers[i], 8);
    perf_builder_add_number(&body, sample->room.length, 8);
    text_add(&body, sample->room);
    if (sample->room.length > 0)
        perf_builder_add_number(&body, sample->copied_bytes, 8);
    add_header(ring, PERF_RECORD_SAMPLE,
               sample->call_count > 0 ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER, body.length);
    text_add(ring, text_slice(&body));
}

void perf_builder_add_mapping(struct text *ring, uint64_t start, uint64_t size, uint64_t offset,
                              const char *path, uint64_t time_ns)
{
    SCOPED(text_done) struct text body = {0};

    perf_builder_add_number(&body, 11, 4);
    perf_builder_add_number(&body, 12, 4);
    perf_builder_add_number(&body, start, 8);
    perf_builder_add_number(&body, size, 8);
    perf_builder_add_number(&body, offset, 8);
    perf_builder_add_number(&body, 2, 4);
    text_add(&body, SLICE("\xab\xcd"));
    text_add_repeated(&body, '\0', 18);
    perf_builder_add_number(&body, 5, 4);
    perf_builder_add_number(&body, 2, 4);
    text_add_string(&body, path);
    do
        text_add_byte(&body, '\0');
    while (body.length % 8 != 0);
    perf_builder_add(ring, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID,
                     text_slice(&body), time_ns);
}

void perf_builder_add_fork(struct text *ring, uint32_t type, const uint32_t ids[4], uint64_t time_ns)
{
    SCOPED(text_done) struct text body = {0};

    for (size_t i = 0; i < 4; i++)
        perf_builder_add_number(&body, ids[i], 4);
    perf_builder_add_number(&body, time_ns, 8);
    perf_builder_add(ring, type, 0, text_slice(&body), time_ns);
}
