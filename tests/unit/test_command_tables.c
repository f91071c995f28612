/* The option tables of every command, all of a command's together. */
#include "cmocka_all.h"

#include <string.h>

#include "cli/options.h"

/* Every command's command_line.h declares its own; they cannot be included together. */
extern const struct command bloatc_command;
extern const struct command llvmlines_command;
extern const struct command cprof_command;

static const struct command *const commands[] = {&bloatc_command, &llvmlines_command, &cprof_command};

typedef void check_fn(const struct command *command, const struct option_spec *spec,
                      const struct option_spec *other);

static void for_each_pair_of(const struct command *command, check_fn *check)
{
    const struct option_table *const *tables = command->tables;

    for (size_t t = 0; tables[t]; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            for (size_t u = 0; tables[u]; u++)
                for (size_t j = 0; j < tables[u]->count; j++)
                    check(command, &tables[t]->specs[i], &tables[u]->specs[j]);
}

static void for_each_pair(check_fn *check)
{
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++) {
        for_each_pair_of(commands[i], check);
        for (size_t verb = 0; verb < commands[i]->verb_count; verb++)
            for_each_pair_of(commands[i]->verbs[verb].command, check);
    }
}

static void check_names_differ(const struct command *command, const struct option_spec *spec,
                               const struct option_spec *other)
{
    if (spec == other)
        return;
    if (strcmp(spec->name, other->name) == 0)
        fail_msg("cargo %s: --%s stands twice in the tables", command->name, spec->name);
    if (spec->letter && spec->letter == other->letter)
        fail_msg("cargo %s: --%s and --%s have the same letter", command->name, spec->name, other->name);
}

static void no_name_and_no_letter_is_used_twice(void **state)
{
    (void)state;
    for_each_pair(check_names_differ);
}

static void check_spec(const struct command *command, const struct option_spec *spec,
                       const struct option_spec *other)
{
    const struct option_spec *meant = NULL;

    if (spec != other)
        return;
    if ((spec->arity == OPTION_FLAG) != (spec->value == NULL))
        fail_msg("cargo %s --%s: a flag has no value to name, all else has", command->name, spec->name);
    if (!spec->stands_for)
        return;
    meant = command_find_option(command, spec->stands_for);
    if (!meant || meant->stands_for || meant->arity != spec->arity)
        fail_msg("cargo %s: --%s stands for --%s, which is none or of another kind", command->name,
                 spec->name, spec->stands_for);
}

static void every_spelling_from_habit_stands_for_an_option_of_the_same_kind(void **state)
{
    (void)state;
    for_each_pair(check_spec);
}

static bool has_option(const struct command *command, const char *name, size_t length)
{
    char copy[64] = "";

    assert_true(length < sizeof(copy));
    memcpy(copy, name, length);
    return command_find_option(command, copy) != NULL;
}

static void check_answers(const struct command *command)
{
    for (const struct option_answer *const *list = command->answers; list && *list; list++)
        for (const struct option_answer *answer = *list; answer->name; answer++) {
            const struct option_spec *spec = command_find_option(command, answer->name);
            size_t length = strcspn(answer->name, "=");

            if (answer->name[length] && !has_option(command, answer->name, length))
                fail_msg("cargo %s: %s has an answer, but is of no option", command->name, answer->name);
            if (spec && !answer->letter)
                fail_msg("cargo %s: --%s is an option and has an answer", command->name, answer->name);
            for (const struct option_table *const *table = command->tables; *table; table++)
                for (size_t i = 0; i < (*table)->count; i++)
                    if (answer->letter && (*table)->specs[i].letter == answer->letter)
                        fail_msg("cargo %s: -%c is an option and has an answer", command->name,
                                 answer->letter);
        }
}

static void what_has_an_answer_is_no_option(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(commands); i++) {
        check_answers(commands[i]);
        for (size_t verb = 0; verb < commands[i]->verb_count; verb++)
            check_answers(commands[i]->verbs[verb].command);
    }
}

static void check_takes(const struct command *command, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!command_find_option(command, names[i]))
            fail_msg("cargo %s has no --%s", command->name, names[i]);
}

static void what_cargo_bloat_takes_is_taken(void **state)
{
    static const char *const names[] = {
        "lib",     "bin",    "example",          "test",           "package",
        "release", "jobs",   "features",         "all-features",   "no-default-features",
        "profile", "config", "target",           "target-dir",     "frozen",
        "locked",  "crates", "filter",           "split-std",      "symbols-section",
        "full-fn", "wide",   "no-relative-size", "message-format", "help",
        "version",
    };

    (void)state;
    check_takes(&bloatc_command, names, ARRAY_COUNT(names));
}

static bool has_answer(const struct command *command, const char *name)
{
    for (const struct option_answer *const *list = command->answers; list && *list; list++)
        for (const struct option_answer *answer = *list; answer->name; answer++)
            if (strcmp(answer->name, name) == 0)
                return true;
    return false;
}

static const struct command *cprof_verb(const char *name)
{
    for (size_t i = 0; i < cprof_command.verb_count; i++)
        if (strcmp(cprof_command.verbs[i].command->verb, name) == 0)
            return cprof_command.verbs[i].command;
    fail_msg("cargo cprof has no verb %s", name);
    return NULL;
}

static void check_takes_or_answers(const struct command *command, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!command_find_option(command, names[i]) && !has_answer(command, names[i]))
            fail_msg("cargo %s neither has --%s nor an answer to it", command->name, names[i]);
}

/* Of version 0.6 of flamegraph and 0.12 of inferno. */
static void what_flamegraph_and_inferno_take_is_taken_or_answered(void **state)
{
    static const char *const cargo_flamegraph[] = {
        "dev",
        "profile",
        "package",
        "bin",
        "target",
        "example",
        "test",
        "unit-test",
        "unit-bench",
        "bench",
        "manifest-path",
        "features",
        "no-default-features",
        "release",
        "verbose",
        "output",
        "open",
        "root",
        "freq",
        "compression-level",
        "cmd",
        "ignore-status",
        "no-inline",
        "post-process",
        "title",
        "subtitle",
        "deterministic",
        "inverted",
        "reverse",
        "notes",
        "min-width",
        "image-width",
        "palette",
        "skip-after",
        "flamechart",
        "unit-test-kind",
        "pid",
        "completions",
        "perfdata",
    };
    static const char *const inferno[] = {
        "cp",           "hash",         "deterministic", "inverted",       "truncate-text-right",
        "negate",       "no-sort",      "pretty-xml",    "quiet",          "reverse",
        "verbose",      "bgcolors",     "colors",        "colordiffusion", "countname",
        "factor",       "fontsize",     "fonttype",      "fontwidth",      "uicolor",
        "height",       "minwidth",     "nameattr",      "nametype",       "notes",
        "search-color", "stroke-color", "subtitle",      "title",          "width",
        "base",         "flamechart",
    };

    (void)state;
    check_takes_or_answers(&cprof_command, cargo_flamegraph, ARRAY_COUNT(cargo_flamegraph));
    check_takes_or_answers(cprof_verb("flamegraph"), inferno, ARRAY_COUNT(inferno));
}

/* What people type most of perf-record(1), and of samply 0.13. */
static void what_perf_and_samply_take_to_record_is_taken_or_answered(void **state)
{
    static const char *const perf[] = {
        "event",       "freq",   "count",      "call-graph", "pid",
        "tid",         "uid",    "all-cpus",   "cpu",        "all-user",
        "clockid",     "delay",  "mmap-pages", "quiet",      "verbose",
        "cgroup",      "output", "off-cpu",    "no-buildid", "no-buildid-cache",
        "raw-samples",
    };
    static const char *const samply[] = {
        "save-only", "rate", "no-open", "iteration-count", "main-thread-only", "duration",
        "output",    "pid",  "port",    "cswitch-markers",
    };

    (void)state;
    check_takes_or_answers(cprof_verb("exec"), perf, ARRAY_COUNT(perf));
    check_takes_or_answers(cprof_verb("record"), samply, ARRAY_COUNT(samply));
}

static void what_report_takes_is_answered_where_something_is_recorded(void **state)
{
    static const char *const names[] = {
        "callees",       "callers", "children", "crate", "filter", "no-children",
        "percent-limit", "process", "thread",   "time",  "tree",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        assert_non_null(command_find_option(cprof_verb("report"), names[i]));
    check_takes_or_answers(&cprof_command, names, ARRAY_COUNT(names));
    check_takes_or_answers(cprof_verb("exec"), names, ARRAY_COUNT(names));
    check_takes_or_answers(cprof_verb("record"), names, ARRAY_COUNT(names));
}

static bool takes_letter(const struct command *command, char letter)
{
    for (const struct option_table *const *table = command->tables; *table; table++)
        for (size_t i = 0; i < (*table)->count; i++)
            if ((*table)->specs[i].letter == letter)
                return true;
    for (const struct option_answer *const *list = command->answers; list && *list; list++)
        for (const struct option_answer *answer = *list; answer->name; answer++)
            if (answer->letter == letter)
                return true;
    return false;
}

/* `names` with spaces between. */
static void check_habits(const struct command *command, const char *letters, const char *names)
{
    for (; *letters; letters++)
        if (!takes_letter(command, *letters))
            fail_msg("cargo %s %s neither has -%c nor an answer to it", command->name,
                     command->verb ? command->verb : "", *letters);
    while (*names) {
        char name[64] = "";
        size_t length = strcspn(names, " ");

        assert_true(length < sizeof(name));
        memcpy(name, names, length);
        check_takes_or_answers(command, (const char *[]){name}, 1);
        names += length;
        names += strspn(names, " ");
    }
}

/* All that perf 6.1 lists for record, report and diff. */
static void what_perf_takes_is_taken_or_answered(void **state)
{
    static const char letters[] = "abBcCdDeFgGIijkmNnopPqRrsStTuvWz";
    static const char names[] =
        "all-cpus branch-any no-buildid count cpu data delay event freq cgroup intr-regs no-inherit "
        "branch-filter "
        "clockid mmap-pages no-buildid-cache no-samples output period pid quiet raw-samples realtime "
        "snapshot "
        "stat tid timestamp uid verbose weight compression-level affinity aio all-cgroups all-kernel "
        "all-user "
        "aux-sample buildid-all buildid-mmap call-graph clang-opt clang-path code-page-size control "
        "data-page-size debuginfod dry-run exclude-perf filter group kcore kernel-callchains max-size "
        "mmap-flush "
        "namespaces no-bpf-event no-buffering num-thread-synthesize off-cpu off-cpu-thresh overwrite "
        "per-thread "
        "phys-data "
        "proc-map-timeout running-time sample-cpu sample-identifier strict-freq switch-events "
        "switch-max-files "
        "switch-output switch-output-event synth tail-synthesize threads timestamp-boundary "
        "timestamp-filename "
        "transaction user-callchains user-regs vmlinux append";

    (void)state;
    check_habits(cprof_verb("record"), letters, names);
    check_habits(&cprof_command, "IWAS", "exclude-perf weight intr-regs");
    check_habits(
        cprof_verb("report"), "bcCdDFfgGiIkMmnpqsStTUvwx",
        "branch-stack comms cpu dsos dump-raw-trace fields force call-graph inverted input show-info vmlinux "
        "disassembler-style modules show-nr-samples parent quiet sort symbols field-separator threads "
        "hide-unresolved verbose column-widths exclude-other asm-raw branch-history children demangle "
        "demangle-kernel disable-order full-source-path group group-sort-idx header header-only hierarchy "
        "ignore-callees ignore-vmlinux inline itrace kallsyms max-stack mem-mode mmaps ns objdump "
        "percent-limit "
        "percent-type percentage pid prefix prefix-strip pretty raw-trace samples show-cpu-utilization "
        "show-on-off-events show-ref-call-graph show-total-period skip-empty socket-filter source stats "
        "stdio "
        "stdio-color stitch-lbr switch-off switch-on symbol-filter symfs tasks tid time time-quantum "
        "total-cycles tui");
    check_habits(
        cprof_verb("annotate"), "CdDfiklmMnPqsv",
        "addr2line asm-raw code-with-type cpu data-type demangle disassembler-style dsos dump-raw-trace "
        "force full-paths group gtk ignore-vmlinux input itrace modules objdump percent-limit percent-type "
        "prefix prefix-strip print-line quiet show-nr-samples show-total-period skip-empty skip-missing "
        "source stdio stdio2 stdio-color symbol symfs tui type-stat verbose vmlinux");
    check_habits(
        cprof_verb("diff"), "bCcdDfFmopqsStv",
        "baseline-only comms compute dsos dump-raw-trace force formula modules order period quiet sort "
        "symbols field-separator verbose cpu cycles-hist kallsyms percentage pid stream symfs tid time");
}

/* All of samply record 0.13.1 and inferno-diff-folded; of inferno-flamegraph what it hides. */
static void what_samply_and_inferno_take_is_taken_or_answered(void **state)
{
    (void)state;
    check_habits(
        cprof_verb("record"), "rdsonPvpa",
        "rate duration iteration-count profile-name main-thread-only reuse-threads "
        "fold-recursive-prefix unlink-aux-files per-cpu-threads jit-markers cswitch-markers include-args "
        "unstable-presymbolicate presymbolicate save-only output no-open address port verbose symbol-dir "
        "windows-symbol-server windows-symbol-cache breakpad-symbol-server breakpad-symbol-dir "
        "breakpad-symbol-cache simpleperf-binary-cache pid all coreclr gfx browsers");
    check_habits(cprof_verb("diff"), "nsqv", "normalize strip-hex quiet verbose");
    check_habits(cprof_verb("flamegraph"), "icqv", "no-javascript open post-process no-inline");
}

/* All of twiggy's opt/definitions.rs and of bloaty 1.1. */
static void what_twiggy_and_bloaty_take_is_taken_or_answered(void **state)
{
    (void)state;
    check_habits(
        &bloatc_command, "ofnrdgma",
        "mode format retaining-paths retained regex descending only-generics max-generics max-monos all "
        "all-generics all-monos show-data-segments");
    check_habits(&bloatc_command, "cdnswvC",
                 "csv tsv debug-file demangle disassemble domain list-sources source-filter source-map "
                 "debug-vmaddr debug-fileoff raw-map");
}

static void what_cargo_llvm_lines_takes_is_taken(void **state)
{
    static const char *const names[] = {
        "sort",
        "filter",
        "files",
        "quiet",
        "package",
        "lib",
        "bin",
        "example",
        "test",
        "bench",
        "features",
        "all-features",
        "jobs",
        "release",
        "profile",
        "target",
        "target-dir",
        "verbose",
        "no-default-features",
        "manifest-path",
        "frozen",
        "locked",
        "offline",
        "color",
        "help",
        "version",
    };

    (void)state;
    check_takes(&llvmlines_command, names, ARRAY_COUNT(names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_name_and_no_letter_is_used_twice),
        cmocka_unit_test(every_spelling_from_habit_stands_for_an_option_of_the_same_kind),
        cmocka_unit_test(what_cargo_bloat_takes_is_taken),
        cmocka_unit_test(what_flamegraph_and_inferno_take_is_taken_or_answered),
        cmocka_unit_test(what_perf_and_samply_take_to_record_is_taken_or_answered),
        cmocka_unit_test(what_report_takes_is_answered_where_something_is_recorded),
        cmocka_unit_test(what_perf_takes_is_taken_or_answered),
        cmocka_unit_test(what_samply_and_inferno_take_is_taken_or_answered),
        cmocka_unit_test(what_twiggy_and_bloaty_take_is_taken_or_answered),
        cmocka_unit_test(what_has_an_answer_is_no_option),
        cmocka_unit_test(what_cargo_llvm_lines_takes_is_taken),
    };

    return cmocka_run_group_tests_name("command tables", tests, NULL, NULL);
}
