/*
 * What a result was built with, kept beside it so that two results can be told to be alike but for the code:
 * profile and its settings, features, target, flags, compiler, dependencies.
 */
#ifndef COMPARE_BUILD_FACTS_H
#define COMPARE_BUILD_FACTS_H

#include "cargo/graph.h"
#include "cargo/platform.h"
#include "elf/made_for.h"
#include "report/rows.h"

/*
 * Adds labels to rows that cargo has just built, under "build": "selection" (of packages and targets, as
 * typed), "profile", "settings" (of the profile, also for single packages, in Cargo.toml, cargo's
 * configuration or the environment), "features", "target" (the triple), "flags" (for rustc, from the latter
 * two), "rustc" (its version) and "lock" (a hash of Cargo.lock). One that cannot be found out is left out.
 * `platform` is what it was built for; NULL: not asked yet.
 */
void build_facts_add(const struct options *options, const struct cargo_graph *graph,
                     const struct cargo_platform *platform, struct rows *rows);

/* Whether there are any: cargo has built what the rows are of. */
bool build_facts_are_known(const struct rows *rows);

/*
 * Adds labels to rows of files that were named, under "made-for": "machine", "c-library" and "system", those
 * that are told. Strings are copied.
 */
void build_facts_add_made_for(const struct made_for *made_for, struct rows *rows);

/*
 * Appends a sentence for each fact that both have and that differs; "" for none. Separated by "; ". With
 * `lock_is_code` not for Cargo.lock: git has both sides' own, so that its change is one of those
 * that are looked at.
 */
void build_facts_compare(const struct rows *before, const struct rows *after, bool lock_is_code,
                         struct text *out);

/*
 * Appends "x86_64 with glibc, now aarch64" where the two were surely made for unlike targets and one or both
 * are of files. What was saved before files told theirs differs from nothing.
 */
void build_facts_compare_made_for(const struct rows *before, const struct rows *after, struct text *out);

#endif
