/*
 * Any bytes as what the kernel left in two rings: read in the order of time, each record decoded, and the
 * processes, mappings and names that they tell of followed.
 *
 * Input: a byte that says where in the rings the bytes begin (in units of 8), then the bytes, half for each.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "process/processes.h"
#include "sampler/heap_channel.h"
#include "sampler/perf/decode.h"
#include "sampler/perf/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RING_BYTES = 1 << 15, RING_COUNT = 2 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void fill(struct perf_event_mmap_page *page, char *memory, struct slice bytes, uint64_t start)
{
    page->data_tail = start;
    page->data_head = start + bytes.length;
    for (size_t i = 0; i < bytes.length; i++)
        memory[(start + i) % RING_BYTES] = bytes.data[i];
}

static bool is_within(struct slice part, struct slice whole)
{
    return part.length == 0 ||
           (part.data >= whole.data && part.data + part.length <= whole.data + whole.length);
}

static void check_event(const struct sampler_event *event, struct slice record)
{
    if (event->kind == SAMPLER_SAMPLE)
        require(is_within(event->sample.stack, record));
    if (event->kind == SAMPLER_MAPPING)
        require(is_within(event->mapping.path, record) && is_within(event->mapping.build_id, record));
    if (event->kind == SAMPLER_NAME)
        require(is_within(event->name.name, record));
}

static void check_space(const struct address_space *space)
{
    for (size_t i = 0; i < address_space_count(space); i++) {
        const struct mapping *mapping = address_space_at(space, i);

        require(mapping->start_avma < mapping->end_avma);
        require(i == 0 || address_space_at(space, i - 1)->end_avma <= mapping->start_avma);
    }
}

static void read_all(struct order *order)
{
    const struct decode_form form = {
        .sample_type = DECODE_SAMPLE_TYPE, .registers = decode_register_mask, .has_trailer = true};
    struct processes processes = {0};
    struct modules modules = {0};
    struct slice record;

    order_begin_round(order, UINT64_MAX);
    while (order_next(order, &record)) {
        struct sampler_event event;

        if (heap_channel_decode(record, &event) && event.kind == SAMPLER_ALLOCATED)
            require(is_within(event.sample.stack, record));
        if (!decode_record(record, &form, &event))
            continue;
        check_event(&event, record);
        processes_apply(&processes, &modules, &event);
        if (event.kind == SAMPLER_MAPPING)
            check_space(&processes_space(&processes, event.pid)->space);
    }
    modules_done(&modules);
    processes_done(&processes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct perf_event_mmap_page *pages = NULL;
    char *memory = NULL;
    struct ring rings[RING_COUNT];
    struct order order;
    struct slice bytes = {(const char *)data, size};
    size_t half = 0;

    if (size < 1 || size > RING_BYTES)
        return 0;
    bytes = slice_range(bytes, 1, size);
    half = bytes.length / 2 & ~(size_t)7;
    pages = memory_new(RING_COUNT, sizeof(*pages));
    memory = memory_new(RING_COUNT, RING_BYTES);
    fill(&pages[0], memory, slice_range(bytes, 0, half), 8 * (uint64_t)data[0]);
    fill(&pages[1], memory + RING_BYTES, slice_range(bytes, half, bytes.length),
         RING_BYTES - 8 * (uint64_t)data[0]);
    for (size_t i = 0; i < RING_COUNT; i++)
        ring_init(&rings[i], &pages[i], memory + i * RING_BYTES, RING_BYTES);
    order_init(&order, rings, RING_COUNT);
    read_all(&order);
    for (size_t i = 0; i < RING_COUNT; i++) {
        require(pages[i].data_tail == pages[i].data_head);
        ring_done(&rings[i]);
    }
    order_done(&order);
    free(memory);
    free(pages);
    return 0;
}
