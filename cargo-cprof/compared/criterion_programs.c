#include "compared/criterion_programs.h"

#include <string.h>

#include "built/listed_benchmarks.h"
#include "cli/command.h"
#include "compared/named_bench.h"

void criterion_programs_done(struct criterion_programs *programs)
{
    compared_done(&programs->compared);
    arena_done(&programs->arena);
}

struct making {
    const struct options *options;
    const char *before; /* the baseline's name */
    struct criterion_baselines *baselines;
    struct criterion_programs *out;
};

/* The program, with the arguments that cargo bench gives it, and these. */
static const char *const *arguments_of(struct arena *arena, const struct run_built *built,
                                       const char *const *more)
{
    SCOPED(cargo_words_done) struct cargo_words words = {0};

    for (size_t i = 0; i < built->runner.words.items.count; i++)
        cargo_words_add(&words, built->runner.words.items.items[i]);
    cargo_words_add(&words, built->report.arguments[0]);
    cargo_words_add(&words, "--bench");
    for (; *more; more++)
        cargo_words_add(&words, *more);
    return cargo_words_keep(arena, &words);
}

/* target/criterion has the benchmarks of all targets: those of others cannot be profiled with this one. */
static int keep_own(const struct making *making, struct error *err)
{
    SCOPED(intern_done) struct intern listed = {0};
    const struct compared_side *side = &making->out->compared.sides[TIMING_AFTER];
    struct criterion_baselines *baselines = making->baselines;
    struct launch launch = side->launch;
    size_t kept = 0;

    launch.argv = arguments_of(&making->out->arena, &side->built, (const char *const[]){NULL});
    if (listed_benchmarks_read(&launch, &listed, err) < 0)
        return -1;
    for (size_t i = 0; i < baselines->items.count; i++)
        if (listed.entries.count == 0 ||
            intern_find(&listed, slice_of(baselines->items.items[i].id)) != INTERN_NONE)
            baselines->items.items[kept++] = baselines->items.items[i];
    baselines->items.count = kept;
    return kept > 0 ? 0
                    : error_set(err, ERROR_MISSING, "none of the benchmarks in %.*s has both baselines",
                                SLICE_ARGUMENTS(side->built.built.artifact->target.name));
}

/* The revision that is named, else the one that is called like the baseline. */
static int read_words(const struct making *making, struct error *err)
{
    const struct options *options = making->options;
    const char *baseline = arena_format(&making->out->arena, "rev:%s", making->before);

    if (options->positionals.count > 0)
        return compared_read(options, options->positionals.items, options->positionals.count,
                             &making->out->compared, err);
    return compared_read(options, &baseline, 1, &making->out->compared, err);
}

/* What was measured is told also where the code before cannot be built. */
static int build_programs(const struct making *making, struct error *err)
{
    const struct compared_request request = {.options = making->options, .wants_criterion = true};
    struct error unknown = {0};

    making->out->exist = compared_make_ready(&request, &making->out->compared, err) == 0;
    if (making->out->exist)
        return keep_own(making, err);
    if (!making->out->compared.sides[TIMING_AFTER].launch.argv || keep_own(making, &unknown) < 0)
        return -1;
    making->out->unbuilt = *err;
    return 0;
}

int criterion_programs_make(const struct options *options, const char *before,
                            struct criterion_baselines *baselines, struct criterion_programs *out,
                            struct error *err)
{
    const struct making making = {options, before, baselines, out};
    struct error unknown = {0};

    if (read_words(&making, &unknown) < 0) {
        if (options->positionals.count > 0) {
            *err = unknown;
            return -1;
        }
        if (named_bench_check(options, err) < 0)
            return -1;
        command_note(options,
                     "which functions changed, and what is not of --bench, is not known: no revision is "
                     "called %s; name it: cargo cprof compare REV --baseline %s ...",
                     before, before);
        return 0;
    }
    for (size_t i = 0; i < TIMING_SIDES; i++)
        if (out->compared.sides[i].kind == COMPARED_COMMAND) {
            error_hint(err, "--filter REGEXP picks benchmarks");
            return error_set(err, ERROR_USAGE, "%s: with --baseline a side is a revision",
                             out->compared.sides[i].word);
        }
    return build_programs(&making, err);
}

/* Matches this name alone, as Criterion takes its filter: an expression of the regex crate. */
static const char *filter_of(struct arena *arena, const char *id)
{
    SCOPED(text_done) struct text text = {0};

    text_add_byte(&text, '^');
    for (; *id; id++)
        text_format(&text, "%s%c", strchr("\\.+*?()|[]{}^$#&-~", *id) ? "\\" : "", *id);
    text_add_byte(&text, '$');
    return arena_copy(arena, text_slice(&text));
}

void criterion_programs_request(struct criterion_programs *programs, const char *id, unsigned seconds,
                                enum launch_output output, struct timing_request *out)
{
    const char *const more[] = {"--profile-time", arena_format(&programs->arena, "%u", seconds),
                                filter_of(&programs->arena, id), NULL};

    *out = (struct timing_request){0};
    for (size_t i = 0; i < TIMING_SIDES; i++) {
        const struct compared_side *side = &programs->compared.sides[i];

        out->programs[i] = (struct timed_program){.label = side->label, .launch = side->launch};
        out->programs[i].launch.argv = arguments_of(&programs->arena, &side->built, more);
        out->programs[i].launch.input = "/dev/null";
        out->programs[i].launch.output = output;
    }
}
