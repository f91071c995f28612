/* What `perf record` wrote, as a sampler tells of it: its events, then samples and what processes did. */
#ifndef SAMPLER_PERF_DATA_PERF_DATA_H
#define SAMPLER_PERF_DATA_PERF_DATA_H

#include "sampler/perf_data/about.h"
#include "sampler/sampler.h"

struct perf_data; /* opaque */

/* The kernel, or a part of it: where it was. Slices live as long as the perf_data. */
struct perf_data_kernel_part {
    struct slice name; /* "[kernel.kallsyms]_text", "[ext4]", "/lib/modules/.../ext4.ko" */
    uint64_t start_avma;
    uint64_t size_bytes;
    uint64_t symbol_avma; /* of the kernel itself: where the symbol is that its name ends with */
};

/*
 * Reads what the file tells about itself, and where its records are. `file` and `name`, for messages, are
 * borrowed for as long as it is open. Returns 0, or -1 as of perf_data_read_header and records_find, or with
 * ERROR_FORMAT when it has no samples. `out` is to be given to perf_data_close.
 */
MUST_CHECK int perf_data_open(int file, const char *name, struct perf_data **out, struct error *err);

/* NULL is let pass. */
void perf_data_close(struct perf_data *data);

const struct perf_data_about *perf_data_about(const struct perf_data *data);

/* The events that there are samples of. Names live as long as the perf_data. */
size_t perf_data_source_count(const struct perf_data *data);
struct sampler_source perf_data_source(const struct perf_data *data, size_t index);

/* How their samples tell of stacks; how many calls at most where frame pointers do. */
enum sampler_stacks perf_data_stacks(const struct perf_data *data, size_t index);
uint16_t perf_data_most_calls(const struct perf_data *data, size_t index);

/* The next event by time, valid until the next call; its number of the kernel's is of no use. False at the
 * end. */
bool perf_data_next(struct perf_data *data, struct sampler_event *out);

/* The parts of the kernel that it has told of so far, in that order: a later one is where an earlier was. */
size_t perf_data_kernel_count(const struct perf_data *data);
const struct perf_data_kernel_part *perf_data_kernel_part(const struct perf_data *data, size_t index);

/* Of all records: when the first and the last was made, by the clock of their times; 0 where none tells. */
uint64_t perf_data_first_ns(const struct perf_data *data);
uint64_t perf_data_last_ns(const struct perf_data *data);

/* Of a source, by what was read so far: samples that found no room. */
uint64_t perf_data_lost_count(const struct perf_data *data, size_t index);

/* Samples of clocks that are left out, as the processor had nothing to do then: such time is nobody's. */
uint64_t perf_data_idle_count(const struct perf_data *data);

/* Records that were of no form, and whether the end of the file is missing, also where perf was ended. */
uint64_t perf_data_damaged_count(const struct perf_data *data);
bool perf_data_is_cut(const struct perf_data *data);

/* Whether calls are told by the branches that a processor keeps (perf record --call-graph lbr), which are not
 * read: beside them stand those that frame pointers lead to. */
bool perf_data_has_branch_calls(const struct perf_data *data);

/* Whether an event has no samples of its own, but counts in those of another, which are not read (perf record
 * -e '{cycles,instructions}:S'). */
bool perf_data_has_counts_of_others(const struct perf_data *data);

#endif
