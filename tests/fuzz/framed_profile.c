#include "framed_profile.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "profile/chunks.h"
#include "profile/sample_block.h"

/* Times are not the input's: they would have to be those in the bytes. */
static void add_times(struct chunk *chunk, struct slice content)
{
    static struct profile_sample samples[SAMPLE_BLOCK_MOST];
    const struct sample_limits limits = {UINT32_MAX, UINT32_MAX};

    if (chunk->count > 0 && chunk->count <= SAMPLE_BLOCK_MOST &&
        sample_block_decode(content, chunk->count, limits, samples)) {
        chunk->first_time_ns = samples[0].time_ns;
        chunk->last_time_ns = samples[chunk->count - 1].time_ns;
    }
}

void framed_profile_add(struct text *file, struct slice input)
{
    SCOPED(chunk_writer_done) struct chunk_writer writer = {.sink = sink_of_text(file)};
    struct bytes bytes = bytes_of(input, false);
    struct error err = {0};

    if (chunk_writer_begin(&writer, &err) < 0)
        abort();
    while (bytes_left(&bytes) > 0) {
        struct chunk chunk = {.kind = bytes_u8(&bytes), .series = bytes_u8(&bytes)};
        struct slice content;

        chunk.count = bytes_u16(&bytes);
        content = bytes_take(&bytes, bytes_u16(&bytes));
        add_times(&chunk, content);
        if (chunk_writer_add(&writer, chunk, content, &err) < 0)
            abort();
    }
    if (chunk_writer_end(&writer, &err) < 0)
        abort();
}
