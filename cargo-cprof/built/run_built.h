/*
 * From the command line to what is to be run: has cargo build it, learns from cargo how it is started, and
 * finds the runner that the user has set up for it.
 */
#ifndef BUILT_RUN_BUILT_H
#define BUILT_RUN_BUILT_H

#include "built/bench_arguments.h"
#include "built/run_report.h"
#include "cargo/build.h"
#include "cargo/runner.h"
#include "target/launch.h"

/* Owns all it points to. Zero-initialised is empty. */
struct run_built {
    struct arena arena;
    struct cargo_built built;
    struct cargo_runner runner;
    struct run_report report;
    struct launch launch;
    enum bench_harness harness;
    bool has_profile_time; /* a benchmark of Criterion's was told to run without its analysis */
};

/*
 * `request` is that of the build, with nothing of it in `extra`, `environment` and `run`. Where cargo
 * starts the program, so does `launch`: with the variables, arguments and folder of cargo's own, through the
 * user's runner. Besides, a benchmark is told only once that it is one, and one of Criterion's that it is
 * looked at
 * (--profile-time), unless an argument forbids that.
 * Returns 0, or -1 with the failures of cargo_runner_find and cargo_build; ERROR_CHILD when cargo started
 * nothing.
 */
MUST_CHECK int run_built_make(const struct cargo_request *request, struct run_built *out, struct error *err);

void run_built_done(struct run_built *run);

#endif
