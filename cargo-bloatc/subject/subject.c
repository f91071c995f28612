#include "subject/subject.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "cargo/exact_build.h"
#include "cargo/profile_setting.h"
#include "cargo/rust_flags.h"
#include "cli/suggest.h"
#include "subject/origins.h"
#include "subject/relink.h"

/* A file that is not there, by a bare name: a verb of another tool, or a program that cargo builds. */
static void explain_word(const struct options *options, const char *word, struct error *err)
{
    /* Of twiggy, but for the first. */
    static const struct option_answer words[] = {
        {"help", 0, "help is asked for by: cargo bloatc --help"},
        {"diff", 0, "two files are compared by: cargo bloatc NEW --diff OLD"},
        {"dominators", 0, "who needs the bytes is told by: cargo bloatc FILE --data"},
        {"monos", 0, "the copies of generics are added up by: cargo bloatc FILE --by generic"},
        {"paths", 0, "who uses a string or table is told by: cargo bloatc FILE --by data"},
        {"top", 0, "the largest functions are what is shown: cargo bloatc FILE -n NUM"},
        {NULL, 0, NULL},
    };

    struct slice verb = suggestion_of_verb(options->command, slice_of(word));

    error_hint(err, "a file is looked at; a program that cargo builds is --bin NAME");
    if (verb.length > 0)
        error_hint(err, "did you mean: cargo bloatc %.*s?", SLICE_ARGUMENTS(verb));
    for (const struct option_answer *answer = words; answer->name; answer++)
        if (strcmp(word, answer->name) == 0)
            error_hint(err, "%s", answer->instead);
}

static int take_file(const struct options *options, struct subject *out, struct error *err)
{
    const struct option_spec *spec = cargo_first_option(options);

    if (options->positionals.count > 1) {
        error_hint(err, "two files are compared by: cargo bloatc NEW --diff OLD");
        if (file_is_unknown_name(options->positionals.items[0]))
            explain_word(options, options->positionals.items[0], err);
        return error_set(err, ERROR_USAGE, "one file at a time: %s and %s were named",
                         options->positionals.items[0], options->positionals.items[1]);
    }
    if (options_has(options, "exact")) {
        error_hint(err, "leave out --exact to measure the file, or the file to measure what cargo builds");
        return error_set(err, ERROR_USAGE, "--exact says how to build, but the file %s was named",
                         options->positionals.items[0]);
    }
    if (spec) {
        error_hint(err, "leave out --%s to measure the file, or the file to measure what cargo builds",
                   spec->name);
        return error_set(err, ERROR_USAGE, "--%s selects what cargo builds, but the file %s was named",
                         spec->name, options->positionals.items[0]);
    }
    out->path = options->positionals.items[0];
    if (file_is_unknown_name(out->path)) {
        explain_word(options, out->path, err);
        return error_set(err, ERROR_MISSING, "open %s: %s", out->path, strerror(ENOENT));
    }
    return 0;
}

/* The crates of all packages that took part in the build, but those that std itself is made of; a crate's
 * name has '_' for '-'. */
static void collect_crates(const struct cargo_artifacts *artifacts, struct intern *out)
{
    SCOPED(text_done) struct text name = {0};

    for (size_t i = 0; i < artifacts->items.count; i++) {
        if (artifacts->items.items[i].is_for_std)
            continue;
        text_clear(&name);
        text_add(&name, artifacts->items.items[i].target.name);
        for (size_t at = 0; at < name.length; at++)
            if (name.data[at] == '-')
                name.data[at] = '_';
        intern_add(out, text_slice(&name));
    }
}

/* Whether the program has what the artifact is of, too: paths then do not tell whose the code is. */
static bool is_programs_too(const struct cargo_artifacts *artifacts, const struct cargo_artifact *of_std)
{
    for (size_t i = 0; i < artifacts->items.count; i++)
        if (!artifacts->items.items[i].is_for_std &&
            artifacts->items.items[i].target.kind == of_std->target.kind &&
            slice_equal(artifacts->items.items[i].package_id, of_std->package_id))
            return true;
    return false;
}

static void collect_packages(struct subject *subject)
{
    const struct cargo_artifacts *artifacts = &subject->built.artifacts;

    for (size_t i = 0; i < artifacts->items.count; i++) {
        const struct cargo_artifact *artifact = &artifacts->items.items[i];
        const struct cargo_package *own = cargo_graph_find(subject->built.graph, artifact->package_id);

        if (artifact->target.kind == CARGO_BUILD_SCRIPT || artifact->target.kind == CARGO_PROC_MACRO)
            continue;
        *vec_add(&subject->packages) = (struct build_package){
            .crate = artifact->target.name,
            .version = cargo_package_id_read(artifact->package_id).version,
            .id = artifact->package_id,
            .rlib = cargo_artifact_rlib(artifact),
            .root = slice_folder(artifact->manifest_path),
            .is_own = own != NULL,
            .is_for_std = artifact->is_for_std && !is_programs_too(artifacts, artifact),
            .is_exporting = artifact == subject->built.artifact && artifact->executable.length == 0,
            .is_program = artifact == subject->built.artifact && artifact->executable.length > 0,
        };
    }
}

/* The first target of the package; NULL when none took part. */
static const struct build_package *find_package(const struct subject *subject, struct slice id)
{
    const struct cargo_package *own = cargo_graph_find(subject->built.graph, id);

    for (size_t i = 0; own && i < subject->packages.count; i++)
        if (slice_equal(subject->packages.items[i].root, slice_folder(own->manifest_path)))
            return &subject->packages.items[i];
    return NULL;
}

/* Static libraries that the build script of a package of the workspace made; those of others are in its rlib.
 */
static void collect_foreign(struct subject *subject, const struct cargo_script_run *run)
{
    const struct build_package *package = find_package(subject, run->package_id);
    struct build_package added = {.is_foreign = true, .is_own = true};
    SCOPED(folder_close) DIR *folder = package ? opendir(run->folder.data) : NULL;

    if (!folder)
        return;
    added.crate = package->crate;
    added.version = package->version;
    added.id = package->id;
    added.origin = package->origin;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (!slice_ends_with(slice_of(entry->d_name), SLICE(".a")))
            continue;
        added.rlib = arena_format(&subject->paths, "%s/%s", run->folder.data, entry->d_name);
        *vec_add(&subject->packages) = added;
    }
}

/*
 * The C that std is linked with where Rust brings a C library of its own, as for musl: std's crates libc and
 * unwind ask for it.
 */
static void collect_of_std(struct subject *subject, const struct options *options)
{
    static const struct {
        const char *crate;
        const char *file;
    } libraries[] = {{"libc", "libc.a"}, {"unwind", "libunwind.a"}};
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_configuration_done) struct cargo_configuration configuration = {0};
    struct error untold = {0};
    const char *triple = NULL;
    const char *folder = NULL;

    cargo_configuration_read(&arena, options, &configuration);
    triple = cargo_platform_named(&arena, options, &configuration);
    if (!triple || !strstr(triple, "-musl") ||
        cargo_platform_libraries(&arena, &configuration, triple, &folder, &untold) < 0)
        return;
    for (size_t i = 0; i < ARRAY_COUNT(libraries); i++)
        *vec_add(&subject->packages) = (struct build_package){
            .crate = slice_of(libraries[i].crate),
            .rlib = arena_format(&subject->paths, "%s/self-contained/%s", folder, libraries[i].file),
            .is_foreign = true,
            .is_of_std = true,
        };
}

/* What stands after "--" is a program's elsewhere, and bloaty's base of a comparison. */
static int refuse_program_arguments(const struct options *options, struct error *err)
{
    const char *argument = options->program_arguments[0];
    SCOPED(text_done) struct text words = {0};

    if (options->positionals.count > 0) {
        text_add_shell(&words, slice_of(options->positionals.items[0]));
        text_add_string(&words, " --diff ");
    }
    text_add_shell(&words, slice_of(argument));
    if (argument[0] == '-')
        error_hint(err, "leave out what follows \"--\"; a file whose name begins with \"-\" is ./%s",
                   argument);
    else if (options->positionals.count > 0)
        error_hint(err, "two files are compared by: cargo bloatc %s", text_string(&words));
    else
        error_hint(err, "a file to measure is named without \"--\": cargo bloatc %s", text_string(&words));
    return error_set(err, ERROR_USAGE, "no program is run that \"%s\" could be for", argument);
}

int subject_find(const struct options *options, const struct cargo_graph *graph, struct subject *out,
                 struct error *err)
{
    const struct cargo_request request = {.verb = "bloatc", .options = options, .graph = graph};

    if (options->program_arguments && options->program_arguments[0])
        return refuse_program_arguments(options, err);
    if (options->positionals.count > 0)
        return take_file(options, out, err);
    if ((options_has(options, "exact") ? exact_build(&request, &out->built, err)
                                       : cargo_build(&request, &out->built, err)) < 0)
        return -1;
    out->is_built = true;
    out->path = out->built.path.data;
    collect_crates(&out->built.artifacts, &out->crates);
    collect_packages(out);
    origins_find(out->packages.items, out->packages.count, &out->paths);
    for (size_t i = 0; i < out->built.artifacts.script_runs.count; i++)
        collect_foreign(out, &out->built.artifacts.script_runs.items[i]);
    collect_of_std(out, options);
    return 0;
}

/* "cargo bloatc --release --config profile.release.strip=false". */
static void add_unstripped_command(struct text *command, const struct subject *subject)
{
    text_add_string(command, "cargo bloatc");
    options_add_typed(command, subject->built.selection.options, NULL);
    text_format(command, " --config profile.%s.strip=false", subject->built.selection.profile);
}

/* The setting of the profile that was built, wherever it stands. */
static bool find_setting(const struct subject *subject, const char *key, struct arena *arena,
                         struct cargo_profile_setting *out)
{
    return cargo_profile_setting_find(arena, subject->built.selection.options, &subject->built, key, out);
}

int subject_explain_stripped(const struct subject *subject, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text command = {0};
    struct cargo_profile_setting strip = {.place = "the settings of cargo strip it"};

    if (!subject->is_built)
        return -1;
    if (subject->is_relinked) {
        error_hint(err,
                   "the linker strips it, whatever cargo says: look for -s or --strip-all in RUSTFLAGS, "
                   ".cargo/config.toml and build scripts; without symbols there is: cargo bloatc %s --data",
                   file_from_here(subject->path));
        return -1;
    }
    add_unstripped_command(&command, subject);
    (void)find_setting(subject, "strip", &arena, &strip);
    error_hint(err, "%s; build without it: %s", strip.place, text_string(&command));
    return -1;
}

/* Whether a value of `strip` or `debug` says that nothing is stripped, or made. */
static bool is_off(const struct cargo_profile_setting *setting)
{
    return slice_is(setting->value, "none") || slice_is(setting->value, "false") ||
           slice_is(setting->value, "0");
}

/* What rustc and the linker are told beside the profile, where it has a word of stripping; else empty. */
static void add_stripping_flags(const struct subject *subject, struct text *flags)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(cargo_configuration_done) struct cargo_configuration configuration = {0};
    struct cargo_platform platform;
    struct error unknown = {0};

    cargo_configuration_read(&arena, subject->built.selection.options, &configuration);
    if (cargo_platform_find(&arena, subject->built.selection.options, &configuration, &platform, &unknown) <
            0 ||
        cargo_rust_flags_add(&configuration, &platform, flags, &unknown) < 0 ||
        !slice_has(text_slice(flags), SLICE("strip")))
        text_clear(flags);
}

int subject_explain_lines(const struct subject *subject, struct error *err)
{
    SCOPED(arena_done) struct arena arena = {0};
    SCOPED(text_done) struct text flags = {0};
    SCOPED(text_done) struct text command = {0};
    struct cargo_profile_setting strip;
    struct cargo_profile_setting debug;

    if (!subject->is_built)
        return -1;
    add_stripping_flags(subject, &flags);
    if (flags.length > 0) {
        error_hint(
            err,
            "RUSTFLAGS or rustflags in cargo's configuration strip it: %s; build without these, or with "
            "--exact",
            text_string(&flags));
        return -1;
    }
    if (!find_setting(subject, "strip", &arena, &strip) || is_off(&strip))
        return -1;
    add_unstripped_command(&command, subject);
    if (!find_setting(subject, "debug", &arena, &debug) || is_off(&debug))
        text_format(&command, " --config 'profile.%s.debug=\"line-tables-only\"'",
                    subject->built.selection.profile);
    error_hint(err, "%s; build with line tables: %s", strip.place, text_string(&command));
    return -1;
}

int subject_relink(const struct options *options, struct subject *subject, struct error *err)
{
    if (relink(options, &subject->built, &subject->relinked, err) < 0)
        return -1;
    subject->is_relinked = true;
    return 0;
}

void subject_done(struct subject *subject)
{
    if (subject->is_built)
        cargo_built_done(&subject->built);
    if (subject->is_relinked)
        cargo_built_done(&subject->relinked);
    intern_done(&subject->crates);
    vec_done(&subject->packages);
    arena_done(&subject->paths);
}
