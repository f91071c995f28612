/* How a user's own program is allowed what else takes root (capabilities(7)). */
#ifndef SAMPLER_CAPABILITIES_H
#define SAMPLER_CAPABILITIES_H

/* For a hint: the command that gives us these, a string literal like "cap_perfmon". */
#define GIVE_CAPABILITIES(names) "`sudo setcap " names "+ep \"$(command -v cargo-cprof)\"`"

/* To sample, and to see the kernel's addresses (kernel.kptr_restrict). */
#define CAPABILITIES_TO_SAMPLE "cap_perfmon,cap_syslog"

/* And other users' processes, whose programs they then show. */
#define CAPABILITIES_TO_WATCH CAPABILITIES_TO_SAMPLE ",cap_sys_ptrace"

#endif
