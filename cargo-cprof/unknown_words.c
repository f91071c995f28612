#include "unknown_words.h"

#include <string.h>

#include "base/ascii.h"
#include "cli/suggest.h"
#include "command_line.h"
#include "import/input_file.h"

#define READ_AS_IT_IS "what perf has recorded is read as it is: cargo cprof report perf.data"
#define LOADED                                                                                               \
    "what was recorded is told by cargo cprof report FILE.cprof and drawn by cargo cprof flamegraph "        \
    "FILE.cprof; -o FILE.json.gz is for profiler.firefox.com"
#define WAITING                                                                                              \
    "where threads wait, for locks and whatever else, and for how long: cargo cprof -e off-cpu; how often "  \
    "they leave a processor: -e context-switches"

static const struct option_answer of_other_tools[] = {
    /* perf's */
    {"c2c", 0,
     "single accesses are not recorded but those to one place, -e mem:0xADDRESS/8:w; where caches miss: "
     "cargo cprof -e cache-misses"},
    {"list", 0, "events have perf's names, which `perf list` shows: cargo cprof -e page-faults"},
    {"lock", 0, WAITING},
    {"mem", 0,
     "accesses of memory are not recorded; where caches miss: cargo cprof -e cache-misses; who asks for "
     "memory: cargo cprof -e heap"},
    {"sched", 0, WAITING},
    {"script", 0,
     "stacks as text are an output: -o FILE.folded or FILE.txt, of what was recorded before cargo cprof "
     "flamegraph FILE.cprof -o FILE.folded"},
    {"stat", 0,
     "events are sampled here and not only counted (-e EVENT); time and memory of two programs, or of a "
     "change, over several runs, and with -e EVENT how much a run has of that: cargo cprof compare A B"},
    {"top", 0,
     "nothing is shown while it runs; the next five seconds of the machine: cargo cprof exec -a -d 5"},
    {"trace", 0,
     "single calls are not listed; the time in each: cargo cprof report FILE.cprof --by syscall; who makes "
     "them: cargo cprof exec -e raw_syscalls:sys_enter PROGRAM"},
    /* samply's */
    {"import", 0, READ_AS_IT_IS},
    {"load", 0, LOADED},
    {"view", 0, LOADED},
    /* pprof's and others' */
    {"serve", 0, LOADED},
    /* cargo's */
    {"bench", 0, "a benchmark is recorded by: cargo cprof --bench NAME"},
    {"build", 0, "building is part of it: cargo cprof --bin NAME"},
    {"help", 0, "help is asked for by: cargo cprof --help, cargo cprof VERB --help"},
    {"nextest", 0,
     "tests are recorded by: cargo cprof --test NAME, those inside of a library by --unit-test, all of them "
     "in one process; as nextest runs them, once built (cargo nextest run --no-run): cargo cprof exec -- "
     "cargo nextest run"},
    {"run", 0, "the program is built and run without a verb: cargo cprof [--bin NAME] [-- ARGS]"},
    {"test", 0, "tests are recorded by: cargo cprof --test NAME, those inside of a library by --unit-test"},
    {NULL, 0, NULL},
};

/* Files that no verb takes, by the end of their names. */
static const struct option_answer of_files[] = {
    {".rs", 0, "what cargo builds is recorded, not a file of it: cargo cprof [--bin NAME]"},
    {".svg", 0, "a picture already: open it in a browser"},
    {NULL, 0, NULL},
};

static const char *answer_to(struct slice word)
{
    for (const struct option_answer *answer = of_other_tools; answer->name; answer++)
        if (slice_is(word, answer->name))
            return answer->instead;
    for (const struct option_answer *answer = of_files; answer->name; answer++)
        if (slice_ends_with(word, slice_of(answer->name)))
            return answer->instead;
    return NULL;
}

static bool is_profile(const char *typed)
{
    static const char *const ends[] = {".cprof", ".folded", ".pb", "perf.data"};
    struct slice word = input_file_plain_name(typed);

    return slice_ends_with_any(word, ends, ARRAY_COUNT(ends));
}

void unknown_word_explain(const char *typed, struct error *err)
{
    struct slice word = slice_of(typed);
    struct slice verb = suggestion_of_verb(&cprof_command, word);
    const char *answer = answer_to(word);

    if (answer)
        error_hint(err, "%s", answer);
    else if (is_profile(typed))
        error_hint(err, "what was recorded before: cargo cprof report %s, or cargo cprof flamegraph %s",
                   typed, typed);
    else if (strchr(typed, '/'))
        error_hint(err, "a program that is there already: cargo cprof exec %s", typed);
    else if (ascii_is_number(typed))
        error_hint(err,
                   "an argument of the program stands after `--`: -- %s; several processes are one value: "
                   "--pid 12,34 or --pid \"$(pidof NAME)\"",
                   typed);
    else if (slice_equal(verb, word))
        error_hint(err, "a verb is the first word: cargo cprof %s", typed);
    else if (verb.length > 0)
        error_hint(err, "did you mean: cargo cprof %.*s?", SLICE_ARGUMENTS(verb));
    else
        error_hint(err,
                   "one of several programs is --bin %s, its arguments stand after `--`; any other program: "
                   "cargo cprof exec %s",
                   typed, typed);
}
