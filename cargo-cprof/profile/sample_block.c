#include "profile/sample_block.h"

#include "base/bytes.h"

static void encode_times(struct text *bytes, const struct profile_sample *samples, size_t count)
{
    uint64_t before = 0;

    for (size_t i = 0; i < count; i++) {
        text_add_uleb128(bytes, samples[i].time_ns - before);
        before = samples[i].time_ns;
    }
}

static void encode_threads(struct text *bytes, const struct profile_sample *samples, size_t count)
{
    for (size_t start = 0, end = 0; start < count; start = end) {
        while (end < count && samples[end].thread == samples[start].thread)
            end++;
        text_add_uleb128(bytes, samples[start].thread);
        text_add_uleb128(bytes, end - start);
    }
}

static void encode_stacks(struct text *bytes, const struct profile_sample *samples, size_t count)
{
    uint32_t before = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t now = samples[i].stack + 1; /* PROFILE_NONE becomes 0 */
        bool is_back = now < before;

        text_add_uleb128(bytes, (uint64_t)(is_back ? before - now : now - before) << 1 | is_back);
        before = now;
    }
}

static void encode_values(struct text *bytes, const struct profile_sample *samples, size_t count)
{
    for (size_t start = 0, end = 0; start < count; start = end) {
        while (end < count && samples[end].value == samples[start].value)
            end++;
        text_add_uleb128(bytes, samples[start].value);
        text_add_uleb128(bytes, end - start);
    }
}

void sample_block_encode(struct text *bytes, const struct profile_sample *samples, size_t count)
{
    encode_times(bytes, samples, count);
    encode_threads(bytes, samples, count);
    encode_stacks(bytes, samples, count);
    encode_values(bytes, samples, count);
}

static bool decode_times(struct bytes *bytes, size_t count, struct profile_sample *out)
{
    uint64_t time_ns = 0;

    for (size_t i = 0; i < count; i++) {
        if (__builtin_add_overflow(time_ns, bytes_uleb128(bytes), &time_ns))
            return false;
        out[i].time_ns = time_ns;
    }
    return !bytes->failed;
}

/* The length of a run that begins at `start`; 0 when it is none. */
static size_t run_length(struct bytes *bytes, size_t start, size_t count)
{
    uint64_t length = bytes_uleb128(bytes);

    return length <= count - start ? (size_t)length : 0;
}

static bool decode_threads(struct bytes *bytes, size_t count, uint32_t limit, struct profile_sample *out)
{
    for (size_t at = 0; at < count;) {
        uint64_t thread = bytes_uleb128(bytes);
        size_t end = at + run_length(bytes, at, count);

        if (bytes->failed || end == at || thread >= limit)
            return false;
        for (; at < end; at++)
            out[at].thread = (uint32_t)thread;
    }
    return true;
}

static bool decode_stacks(struct bytes *bytes, size_t count, uint32_t limit, struct profile_sample *out)
{
    int64_t now = 0; /* the id plus 1 */

    for (size_t i = 0; i < count; i++) {
        uint64_t step = bytes_uleb128(bytes);

        if (step >> 1 > UINT32_MAX)
            return false;
        now += step & 1 ? -(int64_t)(step >> 1) : (int64_t)(step >> 1);
        if (now < 0 || now > limit)
            return false;
        out[i].stack = (uint32_t)now - 1;
    }
    return !bytes->failed;
}

static bool decode_values(struct bytes *bytes, size_t count, struct profile_sample *out)
{
    for (size_t at = 0; at < count;) {
        uint64_t value = bytes_uleb128(bytes);
        size_t end = at + run_length(bytes, at, count);

        if (bytes->failed || end == at)
            return false;
        for (; at < end; at++)
            out[at].value = value;
    }
    return true;
}

bool sample_block_decode(struct slice bytes, size_t count, struct sample_limits limits,
                         struct profile_sample *out)
{
    struct bytes cursor = bytes_of(bytes, false);

    return decode_times(&cursor, count, out) && decode_threads(&cursor, count, limits.thread_count, out) &&
           decode_stacks(&cursor, count, limits.stack_count, out) && decode_values(&cursor, count, out) &&
           cursor.at == bytes.length;
}
