/*
 * Programs that the kernel takes from those who watch them: at an exec that gives the rights of another user
 * (set-user-ID), or of a file that may not be read, it ends the events of the thread, whoever opened them
 * (begin_new_exec in the kernel's fs/exec.c).
 */
#ifndef COLLECT_TAKEN_AWAY_H
#define COLLECT_TAKEN_AWAY_H

#include "process/processes.h"
#include "profile/profile.h"
#include "sampler/sampler.h"

/*
 * `event` is the end of a thread as the sampler tells it, not yet applied to `processes`: the profile is told
 * the program's name if its process goes on, or nothing is known of it but that it was begun by an exec.
 */
void taken_away_note(struct profile *profile, struct processes *processes, const struct sampler_event *event);

#endif
