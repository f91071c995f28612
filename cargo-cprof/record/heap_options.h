/* Which options go with recording the heap. */
#ifndef RECORD_HEAP_OPTIONS_H
#define RECORD_HEAP_OPTIONS_H

#include "cli/options.h"
#include "sampler/request.h"

/*
 * Whether what is asked for can be had: the heap is told by a program that is started, with its calls.
 * Returns 0, or -1 with ERROR_USAGE.
 */
MUST_CHECK int heap_options_check(const struct options *options, const struct sampler_request *sampling,
                                  struct error *err);

#endif
