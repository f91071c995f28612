/* The calls that the kernel finds by frame pointers: numbers, with a mark in front of whose they are. */
#ifndef SAMPLER_PERF_CALL_CHAIN_H
#define SAMPLER_PERF_CALL_CHAIN_H

#include "base/bytes.h"
#include "sampler/sample.h"

/*
 * Since Linux 6.19 the program's calls may be told by a record of this type (PERF_RECORD_CALLCHAIN_DEFERRED):
 * they are looked for as the thread leaves the kernel, once for all samples until then.
 */
enum { CALL_CHAIN_RECORD = 22 };

/* Those of a sample: how many numbers, and these. They are borrowed; `bytes` fails where they are not there.
 */
void call_chain_read(struct bytes *bytes, struct sample_raw *sample);

/* Such a record's: its number, and the same. */
void call_chain_read_later(struct bytes *bytes, struct sample_calls *calls);

#endif
