/*
 * perf's name for what is done to some memory of the program, which the processor itself watches
 * (perf-record(1); perf_event_open(2), PERF_TYPE_BREAKPOINT):
 *
 *     mem:0x404028                        reads and writes, of four bytes from there on
 *     mem:0x404028/8:w                    writes, of eight bytes
 *     mem:0x401136:x                      that instruction, each time it is executed
 */
#ifndef SAMPLER_PERF_BREAKPOINT_H
#define SAMPLER_PERF_BREAKPOINT_H

#include "base/slice.h"
#include "sampler/request.h"

/* Whether the name begins as those do, and no other event's. */
bool breakpoint_is_meant(struct slice name);

/*
 * Reads type, unit and the memory watched. The modifiers that may follow behind another ":", as of other
 * events, are left in `modifiers`; none: empty. False, with `out` untouched, for what is not of that form.
 */
bool breakpoint_read(struct slice name, struct slice *modifiers, struct sampler_event_kind *out);

#endif
