/* The calls that the kernel finds by frame pointers: numbers, with a mark in front of whose they are. */
#ifndef SAMPLER_PERF_CALL_CHAIN_H
#define SAMPLER_PERF_CALL_CHAIN_H

#include "base/bytes.h"
#include "sampler/sample.h"

/* Those of a sample: how many numbers, and these. They are borrowed; `bytes` fails where they are not there. */
void call_chain_read(struct bytes *bytes, struct sample_raw *sample);

#endif
