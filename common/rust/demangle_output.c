#include "rust/demangle_output.h"

#include "rust/escape.h"

enum { PUNYCODE_CHARACTERS_MAX = 128 };

void demangle_emit_decimal(struct demangle_output *output, uint64_t value)
{
    char digits[20];
    size_t start = sizeof(digits);

    do {
        digits[--start] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    demangle_emit(output, (struct slice){digits + start, sizeof(digits) - start});
}

static size_t hex_digits(char digits[static 16], uint64_t value)
{
    size_t start = 16;

    do {
        digits[--start] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value > 0);
    return start;
}

void demangle_emit_hex(struct demangle_output *output, uint64_t value)
{
    char digits[16];
    size_t start = hex_digits(digits, value);

    demangle_emit(output, (struct slice){digits + start, sizeof(digits) - start});
}

void demangle_emit_character(struct demangle_output *output, uint32_t character)
{
    char bytes[4] = {(char)character};
    size_t length = 1;

    if (character >= 0x80) {
        length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
        for (size_t i = length - 1; i > 0; i--, character >>= 6)
            bytes[i] = (char)(0x80 | (character & 0x3f));
        bytes[0] = (char)(0xf00 >> length | character);
    }
    demangle_emit(output, (struct slice){bytes, length});
}

static void emit_each(struct demangle_output *output, struct slice bytes)
{
    for (size_t i = 0; i < bytes.length; i++)
        demangle_emit(output, slice_range(bytes, i, i + 1));
}

void demangle_emit_escaped(struct demangle_output *output, uint32_t character, char quote)
{
    char digits[16];
    size_t start = 0;
    static const char SIMPLE[] = "\0\t\r\n\\\"'";
    static const char LETTERS[] = "0trn\\\"'";
    const char *simple = character < 0x80 ? memchr(SIMPLE, (int)character, sizeof(SIMPLE) - 1) : NULL;

    if (simple && ((character != '"' && character != '\'') || character == (unsigned char)quote)) {
        char escape[2] = {'\\', LETTERS[simple - SIMPLE]};

        emit_each(output, (struct slice){escape, 2});
    } else if (simple || !escape_is_needed(character)) {
        demangle_emit_character(output, character);
    } else {
        start = hex_digits(digits, character);
        emit_each(output, SLICE("\\u{"));
        emit_each(output, (struct slice){digits + start, sizeof(digits) - start});
        emit_each(output, SLICE("}"));
    }
}

/* The state of a punycode decoder (RFC 3492, section 6.2), with its names for the numbers. */
struct punycode {
    struct slice codes; /* what is not taken yet */
    uint32_t characters[PUNYCODE_CHARACTERS_MAX];
    size_t count;
    uint64_t i;
    uint64_t n;
    uint64_t bias;
    uint64_t damp;
};

enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38 };

static uint64_t punycode_digit(char byte)
{
    if (byte >= 'a' && byte <= 'z')
        return (uint64_t)(byte - 'a');
    if (byte >= '0' && byte <= '9')
        return (uint64_t)(byte - '0') + 26;
    return BASE;
}

/* One generalized variable-length integer. */
static bool take_delta(struct punycode *state, uint64_t *delta)
{
    uint64_t weight = 1;

    *delta = 0;
    for (uint64_t k = BASE; state->codes.length > 0; k += BASE) {
        uint64_t above = k > state->bias ? k - state->bias : 0;
        uint64_t threshold = above < T_MIN ? T_MIN : above > T_MAX ? T_MAX : above;
        uint64_t digit = punycode_digit(state->codes.data[0]);
        uint64_t product = 0;

        state->codes = slice_range(state->codes, 1, state->codes.length);
        if (digit == BASE || __builtin_mul_overflow(digit, weight, &product) ||
            __builtin_add_overflow(*delta, product, delta))
            return false;
        if (digit < threshold)
            return true;
        if (__builtin_mul_overflow(weight, BASE - threshold, &weight))
            return false;
    }
    return false;
}

static void adapt_bias(struct punycode *state, uint64_t delta)
{
    uint64_t k = 0;

    delta /= state->damp;
    state->damp = 2;
    delta += delta / state->count;
    for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
        delta /= BASE - T_MIN;
    state->bias = k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static bool insert_character(struct punycode *state)
{
    uint64_t delta = 0;

    if (!take_delta(state, &delta) || state->count == PUNYCODE_CHARACTERS_MAX)
        return false;
    state->count++;
    if (__builtin_add_overflow(state->i, delta, &state->i) ||
        __builtin_add_overflow(state->n, state->i / state->count, &state->n))
        return false;
    state->i %= state->count;
    if (state->n > 0x10ffff || (state->n >= 0xd800 && state->n < 0xe000))
        return false;
    memmove(state->characters + state->i + 1, state->characters + state->i,
            (state->count - 1 - state->i) * sizeof(state->characters[0]));
    state->characters[state->i++] = (uint32_t)state->n;
    adapt_bias(state, delta);
    return true;
}

static bool decode_punycode(struct punycode *state, struct slice ascii)
{
    if (ascii.length > PUNYCODE_CHARACTERS_MAX || state->codes.length == 0)
        return false;
    for (; state->count < ascii.length; state->count++)
        state->characters[state->count] = (unsigned char)ascii.data[state->count];
    while (state->codes.length > 0)
        if (!insert_character(state))
            return false;
    return true;
}

void demangle_emit_punycode(struct demangle_output *output, struct slice name)
{
    size_t separator = slice_find_last_byte(name, '_');
    bool has_ascii = separator < name.length;
    struct slice ascii = slice_range(name, 0, has_ascii ? separator : 0);
    struct slice codes = slice_range(name, has_ascii ? separator + 1 : 0, name.length);
    struct punycode state = {.codes = codes, .n = 0x80, .bias = 72, .damp = 700};

    if (decode_punycode(&state, ascii)) {
        for (size_t i = 0; i < state.count; i++)
            demangle_emit_character(output, state.characters[i]);
        return;
    }
    DEMANGLE_EMIT(output, "punycode{");
    if (ascii.length > 0) {
        demangle_emit(output, ascii);
        DEMANGLE_EMIT(output, "-");
    }
    demangle_emit(output, codes);
    DEMANGLE_EMIT(output, "}");
}
