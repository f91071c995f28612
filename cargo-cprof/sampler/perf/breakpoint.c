#include "sampler/perf/breakpoint.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "base/compiler.h"
#include "base/scan.h"

#define PREFIX "mem:"

bool breakpoint_is_meant(struct slice name)
{
    return slice_starts_with(name, SLICE(PREFIX));
}

/* A number of sixteens that lacks its 0x, as nm writes them, begins with zeros. */
static bool scan_number(struct scan *scan, uint64_t *out)
{
    if (scan_text(scan, "0x"))
        return scan_hex(scan, out);
    return scan_peek(scan) == '0' ? scan_byte(scan, '0') : scan_decimal(scan, out);
}

/* One of "rwx" that is not in `access` yet. */
static bool scan_access(struct scan *scan, uint32_t *access)
{
    static const struct {
        char letter;
        uint32_t access;
    } all[] = {{'r', HW_BREAKPOINT_R}, {'w', HW_BREAKPOINT_W}, {'x', HW_BREAKPOINT_X}};

    for (size_t i = 0; i < ARRAY_COUNT(all); i++) {
        if (*access & all[i].access || !scan_byte(scan, all[i].letter))
            continue;
        *access |= all[i].access;
        return true;
    }
    return false;
}

/* As many as perf takes where none are given: an instruction's must be those of a word. */
static uint64_t usual_length(uint32_t access)
{
    return access == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
}

static const char *unit_of(uint32_t access)
{
    return access == HW_BREAKPOINT_W ? "writes" : access == HW_BREAKPOINT_X ? "executions" : "accesses";
}

bool breakpoint_read(struct slice name, struct slice *modifiers, struct sampler_event_kind *out)
{
    struct scan scan = scan_of(name);
    struct sampler_breakpoint watched = {0};
    bool has_length = false;
    bool has_more = false;

    if (!scan_text(&scan, PREFIX) || !scan_number(&scan, &watched.address))
        return false;
    has_length = scan_byte(&scan, '/');
    if (has_length && !scan_number(&scan, &watched.length_bytes))
        return false;
    has_more = scan_byte(&scan, ':');
    if (has_more && scan_access(&scan, &watched.access)) {
        while (scan_access(&scan, &watched.access))
            continue;
        has_more = scan_byte(&scan, ':');
    }
    if (scan_at_end(&scan) == has_more)
        return false;
    if (watched.access == 0)
        watched.access = HW_BREAKPOINT_RW;
    if (!has_length)
        watched.length_bytes = usual_length(watched.access);
    *modifiers = scan.rest;
    out->type = PERF_TYPE_BREAKPOINT;
    out->unit = unit_of(watched.access);
    out->watched = watched;
    return true;
}
