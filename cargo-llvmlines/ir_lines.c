#include "ir_lines.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

bool ir_line_counts(struct slice line)
{
    return line.length >= 2 && line.data[0] == ' ' && line.data[1] == ' ' &&
           (line.length == 2 || line.data[2] != ' ');
}

static bool may_end_body(char first)
{
    return first == '}' || first == 'd';
}

/*
 * Newlines taken and how many of them stand before a line that counts. That is known when the line
 * begins, so the last one, which is not taken, is counted too: ir_lines_take puts that right.
 */
struct newlines {
    uint64_t all;
    uint64_t before_counted;
    size_t end; /* offset past the last one; 0 when there is none */
};

#ifdef __SSE2__

enum { VECTOR_BYTES = 16, STEPS_MAX = 255 /* what a byte can count to */ };

static __m128i load(const char *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

static __m128i equals(const char *at, char byte)
{
    return _mm_cmpeq_epi8(load(at), _mm_set1_epi8(byte));
}

/* The sum of sixteen bytes. */
static uint64_t sum(__m128i bytes)
{
    __m128i halves = _mm_sad_epu8(bytes, _mm_setzero_si128());

    return (uint64_t)_mm_cvtsi128_si64(halves) + (uint64_t)_mm_cvtsi128_si64(_mm_srli_si128(halves, 8));
}

/* One bit for each byte behind which a line begins that may end the body. */
static unsigned stops(const char *at, __m128i newline)
{
    __m128i may_end = _mm_or_si128(equals(at + 1, '}'), equals(at + 1, 'd'));

    return (unsigned)_mm_movemask_epi8(_mm_and_si128(newline, may_end));
}

/* Up to STEPS_MAX vectors, fewer at a line that may end the body. Returns the bytes taken. */
static size_t take_vectors(const char *at, size_t steps, struct newlines *newlines)
{
    __m128i all = _mm_setzero_si128();
    __m128i before_counted = _mm_setzero_si128();
    size_t step = 0;

    for (; step < steps; step++, at += VECTOR_BYTES) {
        __m128i newline = equals(at, '\n');
        __m128i spaces = _mm_and_si128(equals(at + 1, ' '), equals(at + 2, ' '));

        if (stops(at, newline))
            break;
        /* What compares equal is all ones, which is -1. */
        all = _mm_sub_epi8(all, newline);
        before_counted = _mm_sub_epi8(before_counted,
                                      _mm_and_si128(newline, _mm_andnot_si128(equals(at + 3, ' '), spaces)));
    }
    newlines->all += sum(all);
    newlines->before_counted += sum(before_counted);
    return step * VECTOR_BYTES;
}

#endif

/* The newlines from `at` up to the one before a line that may end the body, or nearly to the end. */
static struct newlines find_newlines(struct slice bytes)
{
    struct newlines newlines = {0};
    size_t at = 0;

#ifdef __SSE2__
    /* Each step looks three bytes past its vector. */
    while (bytes.length - at >= VECTOR_BYTES + 3) {
        size_t steps = (bytes.length - at - 3) / VECTOR_BYTES;
        size_t wanted = (steps < STEPS_MAX ? steps : STEPS_MAX) * VECTOR_BYTES;
        size_t taken = take_vectors(bytes.data + at, wanted / VECTOR_BYTES, &newlines);

        at += taken;
        if (taken < wanted)
            break;
    }
    newlines.end = slice_find_last_byte(slice_range(bytes, 0, at), '\n') + 1;
    if (newlines.end > at)
        newlines.end = 0;
#endif
    while (bytes.length - at > 3) {
        const char *newline = memchr(bytes.data + at, '\n', bytes.length - at - 3);

        if (!newline)
            break;
        at = (size_t)(newline - bytes.data) + 1;
        newlines.end = at;
        newlines.all++;
        newlines.before_counted += ir_line_counts(slice_range(bytes, at, at + 3));
        if (may_end_body(bytes.data[at]))
            break;
    }
    return newlines;
}

size_t ir_lines_take(struct slice bytes, struct ir_lines *lines)
{
    struct newlines newlines;

    if (bytes.length == 0 || may_end_body(bytes.data[0]))
        return 0;
    newlines = find_newlines(bytes);
    if (newlines.end == 0)
        return 0;
    lines->all += newlines.all;
    lines->counted += newlines.before_counted + ir_line_counts(slice_range(bytes, 0, 3)) -
                      ir_line_counts(slice_range(bytes, newlines.end, newlines.end + 3));
    return newlines.end;
}
