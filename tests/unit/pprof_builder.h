/* Profiles of pprof, field by field, for tests of what reads them. */
#ifndef TESTS_PPROF_BUILDER_H
#define TESTS_PPROF_BUILDER_H

#include "base/intern.h"
#include "base/text.h"

/* Zero-initialised is ready; to be released with pprof_builder_done. */
struct pprof_builder {
    struct text message; /* without its strings */
    struct intern strings;
    uint64_t mapping_count;
    uint64_t location_count;
    uint64_t function_count;
};

void pprof_builder_done(struct pprof_builder *builder);

/* Fields of any message. */
void pprof_put_number(struct text *message, unsigned field, uint64_t number);
void pprof_put_bytes(struct text *message, unsigned field, struct slice bytes);

/* The number of a string. */
uint64_t pprof_builder_string(struct pprof_builder *builder, const char *text);

/* Each adds one, and gives its id, which counts from 1 on. NULL is what is not known. */
void pprof_builder_type(struct pprof_builder *builder, const char *type, const char *unit);
void pprof_builder_period(struct pprof_builder *builder, const char *type, const char *unit, uint64_t period);
uint64_t pprof_builder_mapping(struct pprof_builder *builder, const uint64_t start_limit_offset[3],
                               const char *file, const char *build_id);
uint64_t pprof_builder_function(struct pprof_builder *builder, const char *name, const char *system_name,
                                const char *file);

/* `lines` are pairs of a function and a line, the innermost first, which end with a function of 0. */
uint64_t pprof_builder_location(struct pprof_builder *builder, uint64_t mapping, uint64_t address,
                                const uint64_t *lines);

/* A location of nothing but one function, of which nothing but the name is known. */
uint64_t pprof_builder_call(struct pprof_builder *builder, const char *name);

/* The locations, the innermost first, end with 0; `values` are one of each of `value_count` types. */
void pprof_builder_sample(struct pprof_builder *builder, const uint64_t *locations, const uint64_t *values,
                          size_t value_count);

/* The same with a label of text, or, where that is NULL, of a number. */
void pprof_builder_labelled(struct pprof_builder *builder, uint64_t location, uint64_t value, const char *key,
                            const char *text, uint64_t number);

/* All of it with the strings. */
struct slice pprof_builder_bytes(struct pprof_builder *builder);

#endif
