/*
 * LLVM IR in any pieces: the first byte says how long. What is counted and how it ends must
 * not depend on them.
 */
#include <stdlib.h>

#include "ir/count.h"
#include "ir/sources.h"

struct seen {
    uint64_t functions;
    uint64_t lines;
    uint64_t name_bytes;
    struct ir_sources sources;
};

static void seen_done(struct seen *seen)
{
    SCOPED(crates_done) struct crates crates = {0};

    ir_sources_tell(&seen->sources, &crates);
    ir_sources_done(&seen->sources);
}

static void see_name(void *context, struct slice symbol)
{
    struct seen *seen = context;

    for (size_t i = 0; i < symbol.length; i++)
        seen->name_bytes += (unsigned char)symbol.data[i];
}

static void see(void *context, const struct ir_function *function)
{
    struct seen *seen = context;

    if (function->switches > function->lines)
        abort();
    seen->functions++;
    seen->lines += function->lines + function->switches;
    see_name(context, function->symbol);
}

static void see_attributes(void *context, uint32_t number, enum ir_inlining inlining)
{
    struct seen *seen = context;

    seen->lines += number + inlining;
}

static int count(struct slice ir, size_t piece, struct seen *seen, struct error *err)
{
    const struct ir_visitor visitor = {
        .context = seen,
        .function = see,
        .reference = see_name,
        .global = see_name,
        .declaration = see_name,
        .attributes = see_attributes,
        .sources = &seen->sources,
    };
    SCOPED(ir_counter_done) struct ir_counter counter;

    ir_counter_init(&counter, "ir", &visitor);
    for (size_t at = 0; at < ir.length; at += piece)
        if (ir_counter_feed(&counter, slice_range(ir, at, at + piece), err) < 0)
            return -1;
    return ir_counter_finish(&counter, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice ir = {(const char *)data + 1, size - 1};
    SCOPED(seen_done) struct seen whole = {0};
    SCOPED(seen_done) struct seen pieces = {0};
    struct error err = {0};

    if (size == 0)
        return 0;
    if (count(ir, SIZE_MAX / 2, &whole, &err) != count(ir, (size_t)data[0] + 1, &pieces, &err))
        abort();
    if (whole.functions != pieces.functions || whole.lines != pieces.lines ||
        whole.name_bytes != pieces.name_bytes)
        abort();
    return 0;
}
