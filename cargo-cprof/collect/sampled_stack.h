/*
 * The calls that a sample was taken in: those of the program, by unwind information, as the kernel found them
 * or none, with the kernel's on top.
 */
#ifndef COLLECT_SAMPLED_STACK_H
#define COLLECT_SAMPLED_STACK_H

#include "collect/recorder.h"

/*
 * Sets what of `held` is about the stack: `sample.stack`, `end`, `known_count` and the candidate. The rest is
 * the caller's, who has set `end` to STACK_NO_USER.
 */
void sampled_stack_find(struct recorder *recorder, const struct sampler_event *event,
                        struct held_sample *held);

#endif
