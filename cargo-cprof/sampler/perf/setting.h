/* The kernel's settings for perf events (Documentation/admin-guide/sysctl/kernel.rst), "kernel.NAME" of
 * sysctl(8). */
#ifndef SAMPLER_PERF_SETTING_H
#define SAMPLER_PERF_SETTING_H

#include "base/slice.h"
#include "base/text.h"

/* What a setting is, without white space around it, in `content`; empty when it cannot be read. */
struct slice setting_read(const char *name, struct text *content);

/*
 * perf_event_max_sample_rate: the kernel takes no event of a higher frequency. It lowers the setting by
 * itself where samples of a hardware event take it too long. What the kernel starts with when it cannot be
 * read.
 */
uint32_t setting_most_frequency_hz(void);

#endif
