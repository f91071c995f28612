#include "collect/copies.h"

void copies_begin_round(struct copies *copies, const struct sampler *sampler)
{
    copies->fewer_bytes = sampler_fewer_stack_bytes(sampler);
}

static enum copy_use use_of(const struct copies *copies, const struct outer *outer,
                            const struct outer_request *request, const struct outer_result *result,
                            const struct unwinder *unwinder)
{
    const struct unwind_request *walk = &request->walk;
    size_t count = unwinder->frame_count;
    uint64_t top = count > 1 ? unwinder->frames[count - 2].cfa : 0;

    if (result->outcome == OUTER_NOT_NEEDED)
        return top <= walk->stack_start + copies->fewer_bytes ? COPY_USE_SMALL : COPY_USE_LARGE;
    if (result->outcome != OUTER_COMPLETED)
        return COPY_USE_IS_WRONG;
    return walk->stack.length <= copies->fewer_bytes ||
                   outer_completes_fewer(outer, request, copies->fewer_bytes)
               ? COPY_USE_COMPLETED
               : COPY_USE_LARGE;
}

bool copies_note(struct copies *copies, const struct outer *outer, const struct outer_request *request,
                 const struct outer_result *result, const struct unwinder *unwinder)
{
    if (copies->fewer_bytes == 0)
        return false;
    copy_size_note(&copies->size, use_of(copies, outer, request, result, unwinder), 1, outer->round);
    return copies->size.was_wrong && request->walk.stack.length == copies->fewer_bytes;
}

void copies_settle(struct copies *copies, struct held_samples *held, struct profile *profile,
                   const struct outer *outer, bool is_final)
{
    uint64_t standing_count = held->standing_count;
    uint64_t taken_count = held->taken_count;

    held_samples_settle(held, profile, outer, is_final);
    copy_size_note(&copies->size, COPY_USE_STANDS, held->standing_count - standing_count, outer->round);
    copy_size_note(&copies->size, COPY_USE_IS_WRONG, held->taken_count - taken_count, outer->round);
}

bool copies_fit(struct copies *copies, struct held_samples *held, struct sampler *sampler)
{
    uint32_t from_round = 0;
    enum copy_change change = COPY_STAYS;

    if (copies->fewer_bytes > 0)
        change = copy_size_changes(&copies->size, sampler_source(sampler, 0).frequency_hz, &from_round);
    if (change == COPY_STAYS)
        return false;
    sampler_copy_fewer(sampler, change == COPY_FEWER);
    if (change == COPY_MOST)
        held_samples_doubt(held, from_round);
    return true;
}
