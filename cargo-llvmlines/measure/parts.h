/* What a measurement of files and one of a project are put together by. */
#ifndef MEASURE_PARTS_H
#define MEASURE_PARTS_H

#include "measure/measure.h"

/* Sets what the groups of an empty measurement are to be. */
void measure_begin(const struct llvmlines_settings *settings, struct measurement *out);

/* Notes what the groups have grown by since the numbers given. */
void measure_add_part(struct measurement *measurement, const char *label, uint64_t lines_before,
                      uint64_t copies_before);

/* Adds the functions of one part; takes its counts over where they are asked for. */
void measure_add_unit(const struct llvmlines_settings *settings, struct measured_unit *unit,
                      struct measurement *out);

#endif
