/* Numbers as people read them in a report, and back from what people type. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdint.h>

#include "base/text.h"

/* "512B", "84.9KiB", "1.2MiB", "3.0GiB": one decimal from 1 KiB on, as cargo-bloat prints. */
void units_add_bytes(struct text *text, uint64_t bytes);

/* "13.6%": `part` of `whole` with one decimal; "0.0%" when the whole is 0. */
void units_add_percent(struct text *text, uint64_t part, uint64_t whole);

/* "1,234,567". */
void units_add_count(struct text *text, uint64_t count);

#endif
