#include "symbolize/jit/timeline.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/search.h"

void jit_timeline_init(struct jit_timeline *timeline, const uint64_t *avmas, size_t count)
{
    *timeline = (struct jit_timeline){.avmas = avmas, .count = count};
}

static void forget_moved(struct jit_timeline *timeline)
{
    pair_index_done(&timeline->moved);
    timeline->moved = (struct pair_index){0};
    timeline->moved_from.count = 0;
}

void jit_timeline_done(struct jit_timeline *timeline)
{
    forget_moved(timeline);
    vec_done(&timeline->moved_from);
    vec_done(&timeline->codes);
    address_space_done(&timeline->now);
}

void jit_timeline_begin_file(struct jit_timeline *timeline)
{
    forget_moved(timeline);
    timeline->next_moved = timeline->codes.count;
}

/* The first address that is not before this one. */
static uint32_t first_from(const struct jit_timeline *timeline, uint64_t avma)
{
    return (uint32_t)search_number(timeline->avmas, timeline->count, SEARCH_PLAIN(timeline->avmas), avma,
                                   false);
}

bool jit_timeline_take(struct jit_timeline *timeline, const struct jit_record *record, uint32_t file,
                       uint64_t record_at)
{
    bool is_move = record->kind == JIT_MOVE;
    struct jit_code code = {
        .time_ns = record->time_ns,
        .order = timeline->codes.count,
        .first = first_from(timeline, record->start_avma),
        .end = first_from(timeline, record->end_avma),
        .file = file,
        .record_at = record_at,
        .lines_at = record->lines_at,
    };

    if (!jit_record_is_code(record) || code.first >= code.end)
        return true;
    if (timeline->codes.count >= JIT_CODE_MOST)
        return false;
    if (is_move) {
        code.moved_at = record_at;
        code.index_id = pair_index_add(&timeline->moved, 0, record->code_index);
        code.is_nothing = true; /* until a name is found */
        if (code.index_id == timeline->moved_from.count)
            *vec_add(&timeline->moved_from) = (struct jit_told_at){0};
    }
    *vec_add(&timeline->codes) = code;
    return true;
}

bool jit_timeline_has_moved(const struct jit_timeline *timeline)
{
    return timeline->moved.pairs.count > 0;
}

/* The next that was moved there, in the order of the file; NULL: none is left. */
static struct jit_code *next_moved(struct jit_timeline *timeline)
{
    while (timeline->next_moved < timeline->codes.count) {
        struct jit_code *code = &timeline->codes.items[timeline->next_moved];

        if (code->moved_at > 0)
            return code;
        timeline->next_moved++;
    }
    return NULL;
}

void jit_timeline_take_again(struct jit_timeline *timeline, const struct jit_record *record,
                             uint64_t record_at)
{
    struct jit_code *moved = next_moved(timeline);
    uint32_t index_id = 0;

    if (moved && moved->moved_at == record_at) {
        moved->record_at = timeline->moved_from.items[moved->index_id].record_at;
        moved->lines_at = timeline->moved_from.items[moved->index_id].lines_at;
        moved->is_nothing = moved->record_at == 0;
        timeline->next_moved++;
    } else if (record->kind == JIT_LOAD) {
        index_id = pair_index_find(&timeline->moved, 0, record->code_index);
        if (index_id != UINT32_MAX)
            timeline->moved_from.items[index_id] = (struct jit_told_at){record_at, record->lines_at};
    }
}

void jit_timeline_take_end(struct jit_timeline *timeline, uint64_t time_ns)
{
    const struct jit_code end = {.time_ns = time_ns,
                                 .order = timeline->codes.count,
                                 .end = (uint32_t)timeline->count,
                                 .is_nothing = true};

    *vec_add(&timeline->codes) = end;
}

static int compare_by_time(const void *left, const void *right)
{
    const struct jit_code *a = left;
    const struct jit_code *b = right;

    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void jit_timeline_begin(struct jit_timeline *timeline)
{
    vec_sort(&timeline->codes, compare_by_time);
    address_space_done(&timeline->now);
    timeline->next = 0;
}

bool jit_timeline_advance(struct jit_timeline *timeline, uint64_t time_ns)
{
    size_t start = timeline->next;

    for (; timeline->next < timeline->codes.count; timeline->next++) {
        const struct jit_code *code = &timeline->codes.items[timeline->next];

        if (code->time_ns > time_ns)
            break;
        address_space_add(
            &timeline->now,
            (struct mapping){.start_avma = code->first,
                             .end_avma = code->end,
                             .module = code->is_nothing ? JIT_CODE_NONE : (uint32_t)timeline->next});
    }
    return timeline->next > start;
}

uint32_t jit_timeline_at(const struct jit_timeline *timeline, size_t number)
{
    const struct mapping *mapping = address_space_find(&timeline->now, number);

    return mapping ? mapping->module : JIT_CODE_NONE;
}

bool jit_timeline_has_reused(const struct jit_timeline *timeline)
{
    SCOPED(memory_free_at) int64_t *changes = memory_new(timeline->count + 1, sizeof(*changes));
    int64_t depth = 0;

    for (size_t i = 0; i < timeline->codes.count; i++) {
        changes[timeline->codes.items[i].first]++;
        changes[timeline->codes.items[i].end]--;
    }
    for (size_t i = 0; i < timeline->count; i++) {
        depth += changes[i];
        if (depth > 1)
            return true;
    }
    return false;
}
