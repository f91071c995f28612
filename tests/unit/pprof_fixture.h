/* A profile of pprof that is built, and what is read of it. */
#ifndef TESTS_PPROF_FIXTURE_H
#define TESTS_PPROF_FIXTURE_H

#include "pprof_builder.h"
#include "profile/profile.h"

struct pprof_fixture {
    struct pprof_builder built;
    struct profile profile;
    struct error err;
};

int pprof_set_up(void **state);
int pprof_tear_down(void **state);

/* Reads what was built, which is a profile; or is none, and why. */
void pprof_read_built(struct pprof_fixture *f);
void pprof_assert_refused(struct pprof_fixture *f, const char *message);

void pprof_assert_series(const struct pprof_fixture *f, uint32_t at, const char *event, const char *unit);

/* How many samples a series has, and what they add up to. */
void pprof_assert_all(const struct pprof_fixture *f, uint32_t series, uint64_t count, uint64_t value);

/* One of the calls at a location. */
void pprof_assert_frame(const struct pprof_fixture *f, uint32_t location, uint32_t at, const char *name,
                        const char *file, uint32_t line);

/* The names of a series' first stack, from the outermost in; inlined calls are left out. */
void pprof_assert_stack(const struct pprof_fixture *f, const char *path);

#endif
