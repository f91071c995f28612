/*
 * Waits as perf record --off-cpu has them since 6.16: an event of BPF's whose samples are of the thread that
 * left the processor for the one that had waited, of which their raw part tells. Source: off_cpu_dump of
 * tools/perf/util/bpf_skel/off_cpu.bpf.c.
 */
#ifndef SAMPLER_PERF_RAW_WAIT_H
#define SAMPLER_PERF_RAW_WAIT_H

#include "sampler/sample.h"

enum { RAW_WAIT_MOST_CALLS = 32 };

/*
 * Makes the event one of the wait: its thread, how long it was in ns, and the program's calls, borrowed from
 * `raw`. Returns false, and leaves it as it is, where the bytes are not of that form.
 */
bool raw_wait_read(struct slice raw, struct sampler_event *out);

#endif
