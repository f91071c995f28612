/* Samples of waits while a recording goes on: what the sampler tells of threads that come and go. */
#ifndef COLLECT_WAITS_RECORDED_H
#define COLLECT_WAITS_RECORDED_H

#include "collect/recorder.h"

/* The sample of a thread that is about to leave its processor. */
void recorded_waits_begin(struct recorder *recorder, const struct sampler_event *event);

/* SAMPLER_SWITCH: a thread has left its processor, or is back. Nothing unless waits are sampled. */
void recorded_waits_switch(struct recorder *recorder, const struct sampler_event *event);

/* Whatever else is told: whether a thread begins or has ended by it, or what it did is not known any more. */
void recorded_waits_note_thread(struct recorder *recorder, const struct sampler_event *event);

/* As recorder_add_waits. */
void recorded_waits_add_known(struct recorder *recorder);

/* No more is told: adds what waits to the end. */
void recorded_waits_end(struct recorder *recorder);

#endif
