/* Two profiles, and what changed from one to the other. */
#ifndef TESTS_CHANGE_FIXTURE_H
#define TESTS_CHANGE_FIXTURE_H

#include "cmocka_all.h"

#include "changes/changes.h"

struct change_fixture {
    struct profile before, after;
    struct changes changes; /* of the last comparison */
    struct error err;
};

/* For cmocka: a fresh struct change_fixture as the state, its profiles those of profile_builder_init. */
int change_fixture_set_up(void **state);
int change_fixture_tear_down(void **state);

/*
 * Fills both, in samples of 1 ms. main calls parse, which calls hot (1,000 before, 2,000 after), old (300, 0)
 * and fresh (0, 280), and find of the crate regex (500, 520).
 */
void change_fixture_fill(struct change_fixture *f);

/* Compares series 0 of both. */
void change_fixture_compare(struct change_fixture *f, enum measure_kind kind, enum joined_by by);

/* The change that is so called, or NULL. */
const struct change *change_fixture_find(const struct change_fixture *f, const char *name);

/*
 * What is told of changes, in order: "hot +1000/+1000!" (self and total, ms) with "!" where self is no noise;
 * "|" before what is not told.
 */
void assert_changes(const struct change_fixture *f, const char *expected);

#endif
