/*
 * Who called us, and acting as them: run by sudo (sudo(8), "ENVIRONMENT": SUDO_UID and SUDO_GID) we are root,
 * but what we build, run and write is the caller's. The right to be root is kept aside for what takes it.
 */
#ifndef PROC_OWNER_H
#define PROC_OWNER_H

#include <stdbool.h>

#include "base/error.h"

/*
 * From here on files are made and programs started as who called: with their user, group and groups.
 * Nothing happens, and it is no failure, when we are not root or were not run by sudo. Returns 0, or -1 with
 * ERROR_DENIED when the system refuses or the variables are none that sudo sets; what ran as root before
 * would go on to do so, so that the process is to end.
 */
MUST_CHECK int owner_become_caller(struct error *err);

/* Takes the kept right for a while; false when there is none. Every true is followed by owner_lower. */
bool owner_raise(void);

/* Whether it is taken now. */
bool owner_is_raised(void);

/* Acts as the caller again. */
void owner_lower(bool was_raised);

/*
 * In a process that is about to become a program: gives the kept right up for good, or takes it for good.
 * Both do nothing where there is none, and end the process when the system refuses. Safe between fork and
 * exec.
 */
void owner_give_up(void);
void owner_stay_raised(void);

#endif
