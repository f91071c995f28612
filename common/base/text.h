/*
 * Text that grows as it is written, and the escapes that make untrusted bytes safe in
 * the formats we print. Zero-initialised is empty and ready; text_done frees it.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/slice.h"

struct text {
    char *data;      /* owned; not NUL-terminated unless text_string was asked; NULL while empty */
    size_t length;   /* bytes written */
    size_t capacity; /* bytes owned */
};

void text_done(struct text *text);

/* Empties the text and keeps its memory. */
void text_clear(struct text *text);

/* The bytes so far; valid until the text changes. */
struct slice text_slice(const struct text *text);

/* The bytes so far, NUL-terminated; valid until the text changes. */
const char *text_string(struct text *text);

void text_add(struct text *text, struct slice bytes);
void text_add_string(struct text *text, const char *string);
void text_add_byte(struct text *text, char byte);
void text_add_repeated(struct text *text, char byte, size_t count);
void text_format(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_format_list(struct text *text, const char *format, va_list arguments) PRINTF_LIKE(2, 0);

/* A number in base 10 or, with lower case letters, 16; many times faster than text_format. */
void text_add_decimal(struct text *text, uint64_t number);
void text_add_hex(struct text *text, uint64_t number);

/* Where there is room for so many bytes already: writes the number in base 10, returns where it ends. */
enum { TEXT_DECIMAL_MOST_BYTES = 20 };
char *text_put_decimal(char *at, uint64_t number);

/* Each byte as two such digits, as build ids are written. */
void text_add_hex_bytes(struct text *text, struct slice bytes);

/* The number as LEB128 (DWARF 5, §7.6), which bytes_uleb128 reads. */
void text_add_uleb128(struct text *text, uint64_t number);

/* Makes room for `count` bytes more, so that what is added next need not move what is there. */
void text_make_room(struct text *text, size_t count);

/* `count` bytes more to be written by the caller, as part of the text. Never NULL. */
char *text_extend(struct text *text, size_t count);

/*
 * `bytes` as they may stand on a terminal or in a line of a report: control characters
 * become \n, \t, \xNN; those past ASCII, with what breaks a line or turns round the text beside
 * it (U+2028, U+202E and their kin), \u{NN}; bytes that are not UTF-8 \xNN. All else stays.
 */
void text_add_terminal(struct text *text, struct slice bytes);

/* `bytes` as UTF-8: what is none of it \xNN, as on a terminal. All else stays. */
void text_add_utf8(struct text *text, struct slice bytes);

/* The inside of a JSON string (RFC 8259); bytes that are not UTF-8 become U+FFFD. */
void text_add_json(struct text *text, struct slice bytes);

/*
 * XML and HTML character data and attribute values. What XML 1.0 §2.2 cannot hold (control
 * characters, U+FFFE, U+FFFF, bytes that are not UTF-8) becomes U+FFFD.
 */
void text_add_xml(struct text *text, struct slice bytes);

/* The same on one line: control characters and bytes that are not UTF-8 as on a terminal. */
void text_add_xml_line(struct text *text, struct slice bytes);

/* A CSV field (RFC 4180) on one line, as on a terminal, quoted where it must be. */
void text_add_csv(struct text *text, struct slice bytes);

/* One word of a command line as sh(1) reads it, quoted where it must be. */
void text_add_shell(struct text *text, struct slice word);

/*
 * Length of the UTF-8 sequence that starts `bytes`, which are one or more; 0 when there is none.
 * Overlong forms, surrogates and what lies past U+10FFFF are none (Unicode 15, table 3-7).
 */
size_t text_utf8_length(struct slice bytes);

/* Whether all of it is such sequences. */
bool text_is_utf8(struct slice bytes);

/* How many bytes at the start are whole characters, of control characters but \n, \t, \r and ESC none. */
size_t text_readable_length(struct slice bytes);

/*
 * Columns `bytes` takes on a terminal, where each code point counts as one and what is
 * no UTF-8 counts a column a byte.
 */
size_t text_columns(struct slice bytes);

#endif
