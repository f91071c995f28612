/* Kinds of ASCII characters: the same in every locale, for any byte. */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Whether a text is digits alone, one at least. */
static inline bool ascii_is_number(const char *text)
{
    const char *at = text;

    while (ascii_is_digit(*at))
        at++;
    return at > text && *at == '\0';
}

/* A hexadecimal digit as hashes are written, without capitals. */
static inline bool ascii_is_lower_hex(char byte)
{
    return ascii_is_digit(byte) || (byte >= 'a' && byte <= 'f');
}

/* The value of a digit in bases up to 16; 16 for another byte. */
static inline unsigned ascii_digit_value(char byte)
{
    if (ascii_is_digit(byte))
        return (unsigned)(byte - '0');
    if (byte >= 'a' && byte <= 'f')
        return (unsigned)(byte - 'a') + 10;
    if (byte >= 'A' && byte <= 'F')
        return (unsigned)(byte - 'A') + 10;
    return 16;
}

static inline bool ascii_is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static inline bool ascii_is_alphanumeric(char byte)
{
    return ascii_is_letter(byte) || ascii_is_digit(byte);
}

/* A byte of a name without other characters than ASCII's: a letter, a digit or "_". */
static inline bool ascii_is_name(char byte)
{
    return ascii_is_alphanumeric(byte) || byte == '_';
}

#endif
