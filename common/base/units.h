/* Numbers as people read them in a report. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdint.h>

#include "base/text.h"

/* "512B", "84.9KiB", "1.2MiB", "3.0GiB": one decimal from 1 KiB on, as cargo-bloat prints. */
void units_add_bytes(struct text *text, uint64_t bytes);

/* "13.6%": `part` of `whole` with one decimal; "0.0%" when the whole is 0. */
void units_add_percent(struct text *text, uint64_t part, uint64_t whole);

/*
 * "13.57%": `part` of `whole` with `decimals` from 1 to 4, rounded to the nearest, halves to the even;
 * "0.00%" when the whole is 0. For what is written ten thousand times: it takes a tenth of printf's time.
 */
void units_add_share(struct text *text, uint64_t part, uint64_t whole, unsigned decimals);

/* "1,234,567". */
void units_add_count(struct text *text, uint64_t count);

/* "1 row", "1,234 rows", "2 processes": the noun is of one. */
void units_add_things(struct text *text, uint64_t count, const char *noun);

/* How much more or less: "+1.2KiB", "-3B"; "0B" for no change. */
void units_add_bytes_change(struct text *text, int64_t bytes);

/* "+1,234", "-3", "0". */
void units_add_count_change(struct text *text, int64_t count);

/* "1.23 s", "45.6 ms", "789 us", "0 s": from nanoseconds; what is sampled or counted is told no closer. */
void units_add_time(struct text *text, uint64_t ns);

/* "1.204 s", "120.3 ms", "87.1 us", "1.23 ns", "0 s": a mean of many runs, which may be told closer. */
void units_add_measured_time(struct text *text, double seconds);

/* "0.05 s", with so many decimals: where times stand side by side, or are to be typed as seconds. */
void units_add_seconds(struct text *text, uint64_t ns, unsigned decimals);

/* "+1.23 s", "-45.6 ms"; "0 s" for no change. */
void units_add_time_change(struct text *text, int64_t ns);

/* "12.34%": from billionths of a whole. */
void units_add_part(struct text *text, uint64_t billionths);

/* "1.23 pp", percentage points; "0 pp" for none. */
void units_add_points(struct text *text, uint64_t billionths);

/* "+1.23 pp", percentage points; "0 pp" for no change. */
void units_add_part_change(struct text *text, int64_t billionths);

/* From `before`, which is not 0, to `after`: "+1.2%", "-0.3%", "+0.0%" for a little more, "0.0%" for the
 * same. */
void units_add_growth(struct text *text, uint64_t before, uint64_t after);

#endif
