#include "ir/lines.h"

#include "base/ascii.h"

#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

bool ir_line_counts(struct slice line)
{
    return line.length >= 2 && line.data[0] == ' ' && line.data[1] == ' ' &&
           (line.length == 2 || line.data[2] != ' ');
}

bool ir_line_ends_switch(struct slice line)
{
    return line.length >= 3 && line.data[0] == ' ' && line.data[1] == ' ' && line.data[2] == ']';
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
    uint64_t before_switches; /* the same for lines that end a switch */
    size_t end;               /* offset past the last one; 0 when there is none */
};

#ifdef __x86_64__

enum { VECTOR_BYTES = 32, LOOK_AHEAD = 3, STEPS_MAX = 255 /* what a byte can count to */ };

#define WITH_AVX2 __attribute__((target("avx2")))

WITH_AVX2 static __m256i equals(const char *at, char byte)
{
    return _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)at), _mm256_set1_epi8(byte));
}

/* Offset of the first newline or NUL, or how far whole vectors go. */
WITH_AVX2 static size_t find_line_end(struct slice bytes)
{
    size_t at = 0;

    for (; bytes.length - at >= VECTOR_BYTES; at += VECTOR_BYTES) {
        __m256i ends = _mm256_or_si256(equals(bytes.data + at, '\n'), equals(bytes.data + at, '\0'));
        unsigned found = (unsigned)_mm256_movemask_epi8(ends);

        if (found)
            return at + (unsigned)__builtin_ctz(found);
    }
    return at;
}

/*
 * How far names go, in whole vectors, and whether one ends there. A byte may stand in a name when what its
 * higher half stands for is among what its lower half can be part of.
 */
WITH_AVX2 static size_t find_name_end(struct slice bytes, bool *is_end)
{
    /* By half: 1 for "$-.", 2 for digits, 4 for what follows "@" and "`", 8 for "PQ…Z_", 16 for "pq…z". */
    const __m256i lower = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(26, 30, 30, 30, 31, 30, 30, 30, 30, 30, 28, 4, 4, 5, 5, 12));
    const __m256i higher =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 1, 2, 4, 8, 4, 16, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i half = _mm256_set1_epi8(0x0f);
    size_t at = 0;

    for (; bytes.length - at >= VECTOR_BYTES; at += VECTOR_BYTES) {
        __m256i vector = _mm256_loadu_si256((const __m256i *)(const void *)(bytes.data + at));
        __m256i low = _mm256_shuffle_epi8(lower, _mm256_and_si256(vector, half));
        __m256i high = _mm256_shuffle_epi8(higher, _mm256_and_si256(_mm256_srli_epi16(vector, 4), half));
        __m256i others = _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
        unsigned found = (unsigned)_mm256_movemask_epi8(others);

        *is_end = found != 0;
        if (found)
            return at + (unsigned)__builtin_ctz(found);
    }
    return at;
}

/* The sum of all bytes. */
WITH_AVX2 static uint64_t sum(__m256i bytes)
{
    uint64_t parts[4];

    _mm256_storeu_si256((__m256i *)(void *)parts, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    return parts[0] + parts[1] + parts[2] + parts[3];
}

/* Whether a line begins behind one of the bytes that may end the body, or one of them is NUL. */
WITH_AVX2 static bool stops(const char *at, __m256i newline)
{
    __m256i may_end = _mm256_or_si256(equals(at + 1, '}'), equals(at + 1, 'd'));

    return _mm256_movemask_epi8(_mm256_or_si256(_mm256_and_si256(newline, may_end), equals(at, '\0')));
}

/* Up to STEPS_MAX vectors, fewer where one stops. Looks LOOK_AHEAD bytes past them. Returns the bytes taken.
 */
WITH_AVX2 static size_t take_vectors(const char *at, size_t steps, struct newlines *newlines)
{
    __m256i all = _mm256_setzero_si256();
    __m256i before_counted = _mm256_setzero_si256();
    __m256i before_switches = _mm256_setzero_si256();
    size_t step = 0;

    for (; step < steps; step++, at += VECTOR_BYTES) {
        __m256i newline = equals(at, '\n');
        __m256i indented =
            _mm256_and_si256(newline, _mm256_and_si256(equals(at + 1, ' '), equals(at + 2, ' ')));

        if (stops(at, newline))
            break;
        /* What compares equal is all ones, which is -1. */
        all = _mm256_sub_epi8(all, newline);
        before_counted = _mm256_sub_epi8(before_counted, _mm256_andnot_si256(equals(at + 3, ' '), indented));
        before_switches = _mm256_sub_epi8(before_switches, _mm256_and_si256(equals(at + 3, ']'), indented));
    }
    newlines->all += sum(all);
    newlines->before_counted += sum(before_counted);
    newlines->before_switches += sum(before_switches);
    return step * VECTOR_BYTES;
}

/* As find_newlines, as far as whole vectors go. Returns the bytes looked at, which end anywhere. */
static size_t find_in_vectors(struct slice bytes, struct newlines *newlines)
{
    size_t at = 0;

    while (bytes.length - at >= VECTOR_BYTES + LOOK_AHEAD) {
        size_t steps = (bytes.length - at - LOOK_AHEAD) / VECTOR_BYTES;
        size_t wanted = (steps < STEPS_MAX ? steps : STEPS_MAX) * VECTOR_BYTES;
        size_t taken = take_vectors(bytes.data + at, wanted / VECTOR_BYTES, newlines);

        at += taken;
        if (taken < wanted)
            break;
    }
    newlines->end = newlines->all > 0 ? slice_find_last_byte(slice_range(bytes, 0, at), '\n') + 1 : 0;
    return at;
}

#endif

/* The newlines before a line that may end the body, before a NUL and before the end, or nearly so. */
static struct newlines find_newlines(struct slice bytes)
{
    struct newlines newlines = {0};
    size_t at = 0;

#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        at = find_in_vectors(bytes, &newlines);
#endif
    while (bytes.length - at > 3) {
        const char *newline = memchr(bytes.data + at, '\n', bytes.length - at - 3);

        if (!newline || memchr(bytes.data + at, '\0', (size_t)(newline - bytes.data) - at))
            break;
        at = (size_t)(newline - bytes.data) + 1;
        newlines.end = at;
        newlines.all++;
        newlines.before_counted += ir_line_counts(slice_range(bytes, at, at + 3));
        newlines.before_switches += ir_line_ends_switch(slice_range(bytes, at, at + 3));
        if (may_end_body(bytes.data[at]))
            break;
    }
    return newlines;
}

size_t ir_line_length(struct slice bytes)
{
    size_t at = 0;

#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        at = find_line_end(bytes);
#endif
    while (at < bytes.length && bytes.data[at] != '\n' && bytes.data[at] != '\0')
        at++;
    return at;
}

static bool is_name_byte(char byte)
{
    return ascii_is_name(byte) || byte == '.' || byte == '$' || byte == '-';
}

size_t ir_name_length(struct slice bytes)
{
    size_t at = 0;

#ifdef __x86_64__
    bool is_end = false;

    if (__builtin_cpu_supports("avx2"))
        at = find_name_end(bytes, &is_end);
    if (is_end)
        return at;
#endif
    while (at < bytes.length && is_name_byte(bytes.data[at]))
        at++;
    return at;
}

size_t ir_lines_take(struct slice bytes, struct ir_lines *lines)
{
    struct slice first = slice_range(bytes, 0, 3);
    struct slice behind;
    struct newlines newlines;

    if (bytes.length == 0 || may_end_body(bytes.data[0]))
        return 0;
    newlines = find_newlines(bytes);
    if (newlines.end == 0)
        return 0;
    behind = slice_range(bytes, newlines.end, newlines.end + 3);
    lines->all += newlines.all;
    lines->counted += newlines.before_counted + ir_line_counts(first) - ir_line_counts(behind);
    lines->switches += newlines.before_switches + ir_line_ends_switch(first) - ir_line_ends_switch(behind);
    return newlines.end;
}
