/* The CPU time that a profile is of. */
#ifndef FACTS_CPU_TIME_H
#define FACTS_CPU_TIME_H

#include "profile/profile.h"

/*
 * The CPU time that was spent, as the system tells: samples miss what was lost and threads shorter than a
 * period. The system in turn leaves out children that nobody waited for; where samples stand for clearly more
 * than it tells, they are the better figure, with as much for lost ones. Of an event of the kernel's part
 * alone, of a part of a recording and of whole processors, the time that samples tell. 0: not known.
 */
uint64_t cpu_time_ns(const struct profile *profile, const struct profile_series *series);

/* Whether the event was asked for without the program's own part ("cpu-clock:k"), of one that counts time. */
bool series_is_kernel_only(const struct profile *profile, const struct profile_series *series);

/*
 * Whether samples that stand for so much leave out clearly more of the time that the system tells than late
 * ticks and short threads usually make. Time outside of the kernel, to which is_user_only is set, the system
 * itself tells by the ticks of its clock alone.
 */
bool cpu_time_is_missed(double sampled_ns, uint64_t system_ns, bool is_user_only);

/* What taking a sample costs the program, as is usual. */
enum { CPU_TIME_SAMPLE_NS = 15000 };

/*
 * What taking so many samples cost, in percent of the CPU time that it is a part of. 0 where that time is not
 * known.
 */
double cpu_time_sampling_percent(double samples, uint64_t cpu_ns);

/* What the values of all samples add up to; stops at UINT64_MAX. */
uint64_t series_sum_of_values(const struct profile_series *series);

/*
 * How much of what is counted happened, where samples stand for so much: what the kernel itself counted, if
 * that is more. Not where each sample is of one: then it counted for others, too, that have no sample
 * (perf_tp_event in the kernel's events/core.c), and what it lost is known. At most 10^18.
 */
uint64_t series_all_counted(const struct profile_series *series, uint64_t sum);

/* Whether samples that stand for so many of all events leave out clearly more than what is left over at the
 * ends of threads. */
bool events_are_missed(uint64_t sampled, uint64_t all);

/* What kept samples add up to, with as much for the lost ones as for them; at most 10^18. Of a part of a
 * recording as many are lost as of all of it. */
uint64_t series_with_lost(const struct profile_series *series, uint64_t sum);

#endif
