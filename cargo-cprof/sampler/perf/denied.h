/* Why perf events are refused, and what to do about it. */
#ifndef SAMPLER_PERF_DENIED_H
#define SAMPLER_PERF_DENIED_H

#include "base/error.h"
#include "base/slice.h"
#include "base/text.h"
#include "sampler/request.h"

/*
 * ERROR_DENIED for the errno value with which perf_event_open was refused: EACCES, EPERM, or ENOSYS. The hint
 * names what forbids it or may: a filter of system calls, as of containers, the sysctl with its value and the
 * one that allows such a scope, the missing capability, a kernel without perf events. Always -1.
 */
int denied_explain(int cause, enum sampler_scope scope, struct error *err);

/*
 * The part of it that tells of rights, where kernel.perf_event_paranoid is `setting`; empty: unknown. Levels
 * above 2 are those of distributions, Debian's 3 and Ubuntu's 4 unless told otherwise: CAP_PERFMON is not
 * enough for them (Debian 12, Linux 6.1).
 */
void denied_add_rights(struct slice setting, enum sampler_scope scope, struct text *hint);

#endif
