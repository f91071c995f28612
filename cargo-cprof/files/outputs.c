#include "files/outputs.h"

#include <string.h>

#include "base/file.h"
#include "base/replacement.h"
#include "cargo/output_check.h"
#include "cli/command.h"
#include "emit/output.h"
#include "profile/profile_file.h"
#include "report/render.h"

static bool is_output(const struct option_use *use)
{
    return strcmp(use->spec->name, "output") == 0;
}

static int find_format(const char *name, enum output_format *format, struct error *err)
{
    enum render_format table = RENDER_TABLE;

    if (output_format_of_name(name, format))
        return 0;
    if (render_format_of_name(name, &table))
        error_hint(err,
                   "tables are made from profiles: -o app.cprof here, then cargo cprof report app.cprof "
                   "-o %s",
                   name);
    else
        error_hint(err, "use a name that ends in " OUTPUT_ENDINGS);
    return error_set(err, ERROR_USAGE, "--output %s: the name does not tell the format", name);
}

static void add_to_list(struct text *list, const char *prefix, const char *name)
{
    text_format(list, "%s%s%s", list->length > 0 ? ", " : "", prefix, name);
}

/* A .cprof is what pictures are made of, whatever they look like. */
static bool has_stacks_as_sampled(const char *name)
{
    enum output_format format = OUTPUT_FLAME;

    return output_format_of_name(name, &format) && format != OUTPUT_FLAME && format != OUTPUT_FOLDED &&
           format != OUTPUT_PROFILE;
}

/* Of options that shape the stacks of a picture, where a file's are as they were sampled all the same. */
static void warn_of_ignored(const struct options *options)
{
    static const char *const shaping[] = {"reverse", "fold-runtime", "skip-after", "flamechart",
                                          "per-thread"};
    SCOPED(text_done) struct text given = {0};
    SCOPED(text_done) struct text files = {0};

    for (size_t i = 0; i < ARRAY_COUNT(shaping); i++)
        if (options_has(options, shaping[i]))
            add_to_list(&given, "--", shaping[i]);
    for (size_t i = 0; i < options->uses.count; i++)
        if (is_output(&options->uses.items[i]) && has_stacks_as_sampled(options->uses.items[i].value))
            add_to_list(&files, "", options->uses.items[i].value);
    if (given.length > 0 && files.length > 0)
        command_warn(options, "%s: stacks are there as they were sampled: .svg and .folded alone follow %s",
                     text_string(&files), text_string(&given));
}

int outputs_check_usual(struct error *err)
{
    if (file_check_replaceable(OUTPUTS_USUAL, err) == 0)
        return 0;
    error_hint(err, "write it elsewhere: -o /tmp/" OUTPUTS_USUAL);
    return -1;
}

int outputs_check(const struct options *options, struct error *err)
{
    enum output_format format = OUTPUT_FLAME;

    if (!options_has(options, "output"))
        return outputs_check_usual(err);
    for (size_t i = 0; i < options->uses.count; i++)
        if (is_output(&options->uses.items[i]) &&
            (find_format(options->uses.items[i].value, &format, err) < 0 ||
             output_check_packing(format, err) < 0))
            return -1;
    if (cargo_check_outputs(options, err) < 0)
        return -1;
    warn_of_ignored(options);
    return 0;
}

/* "out.page-faults.svg": the event before the ending, with "-" for what has no place in a name. */
static void add_event_name(struct text *text, struct slice event, const char *name)
{
    struct slice ending = output_ending_of_name(name);

    text_add(text, slice_range(slice_of(name), 0, strlen(name) - ending.length));
    text_add_byte(text, '.');
    for (size_t i = 0; i < event.length; i++)
        text_add_byte(text, event.data[i] == '/' || event.data[i] == ':' ? '-' : event.data[i]);
    text_add(text, ending);
}

static bool names_profile(const char *name)
{
    enum output_format format = OUTPUT_FLAME;

    return output_format_of_name(name, &format) && format == OUTPUT_PROFILE;
}

static bool names_all_series(const char *name)
{
    enum output_format format = OUTPUT_FLAME;

    return output_format_of_name(name, &format) && output_holds_all_series(format);
}

static bool is_typed(const struct options *options, const char *name)
{
    for (size_t i = 0; i < options->uses.count; i++)
        if (is_output(&options->uses.items[i]) && strcmp(options->uses.items[i].value, name) == 0)
            return true;
    return false;
}

static int check_beside(const struct options *options, const char *name, struct slice event,
                        struct error *err)
{
    SCOPED(text_done) struct text own = {0};

    if (names_all_series(name))
        return 0;
    add_event_name(&own, event, name);
    if (is_typed(options, text_string(&own)))
        return error_set(
            err, ERROR_USAGE,
            "--output %s: that is where the stacks of %.*s go, beside %s: give one of them another "
            "name",
            text_string(&own), SLICE_ARGUMENTS(event), name);
    return file_check_replaceable(text_string(&own), err);
}

int outputs_check_event(const struct options *options, struct slice event, struct error *err)
{
    if (!options_has(options, "output"))
        return check_beside(options, OUTPUTS_USUAL, event, err);
    for (size_t i = 0; i < options->uses.count; i++)
        if (is_output(&options->uses.items[i]) &&
            check_beside(options, options->uses.items[i].value, event, err) < 0)
            return -1;
    return 0;
}

/* Profiles may be larger than what is to be kept in memory of them: chunk after chunk. */
static int write_profile(const struct profile *profile, const char *name, struct error *err)
{
    SCOPED(replacement_discard) struct replacement *file = NULL;

    if (replacement_open(name, &file, err) < 0)
        return -1;
    if (profile_file_write(profile, sink_of_replacement(file), err) < 0)
        return err->kind == ERROR_IO ? -1 : error_wrap(err, "%s", name);
    return replacement_commit(file, LASTING, err);
}

static int write_text(struct profile *profile, uint32_t series, const char *name, enum output_format format,
                      const struct output_look *look, struct error *err)
{
    SCOPED(text_done) struct text content = {0};

    if (output_add(&content, profile, series, format, look, err) < 0)
        return error_wrap(err, "%s", name);
    return file_replace(name, text_slice(&content), err);
}

static int write_series(const struct options *options, struct profile *profile, uint32_t series,
                        const char *name, const struct output_look *look, struct error *err)
{
    enum output_format format = OUTPUT_FLAME;
    struct error failure = {0};
    int result = find_format(name, &format, &failure);

    if (result == 0 && format == OUTPUT_PROFILE)
        result = write_profile(profile, name, &failure);
    else if (result == 0)
        result = write_text(profile, series, name, format, look, &failure);
    if (result < 0) {
        command_add_failure(options, err, &failure);
        return -1;
    }
    if (!options_has(options, "quiet"))
        command_status(options, "Wrote", name);
    return 0;
}

/* Each series but the first has a file of its own, unless the format holds all of them, or `only` is asked
 * for. */
static int write_one(const struct options *options, struct profile *profile, uint32_t only, const char *name,
                     const struct output_look *look, struct error *err)
{
    int result = write_series(options, profile, only == PROFILE_NONE ? 0 : only, name, look, err);

    if (only != PROFILE_NONE || names_all_series(name))
        return result;
    for (uint32_t series = 1; series < profile->series.count; series++) {
        SCOPED(text_done) struct text own = {0};

        add_event_name(&own, profile_text(profile, profile->series.items[series].event), name);
        if (write_series(options, profile, series, text_string(&own), look, err) < 0)
            result = -1;
    }
    return result;
}

/* One file that cannot be written does not keep the others from it. */
static int write_those(const struct options *options, struct profile *profile, uint32_t only,
                       bool are_profiles, const struct output_look *look, struct error *err)
{
    int result = 0;

    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];

        if (is_output(use) && names_profile(use->value) == are_profiles &&
            write_one(options, profile, only, use->value, look, err) < 0)
            result = -1;
    }
    return result;
}

/* A name that is mistyped would leave all stacks as they are, without a word. */
static void warn_of_unmatched(const struct options *options, const struct profile *profile,
                              const char *const *names)
{
    for (; names && *names; names++)
        if (!output_has_function(profile, *names))
            command_warn(options, "--skip-after %s: no function of the profile is called so", *names);
}

int outputs_write_all(const struct options *options, struct profile *profile, uint32_t only,
                      const struct output_look *look, struct error *err)
{
    int profiles = 0;
    int others = 0;

    warn_of_unmatched(options, profile, look->skip_after);
    if (!options_has(options, "output"))
        return write_one(options, profile, only, OUTPUTS_USUAL, look, err);
    /* A run may not be had again, and of a profile all else can be made: nothing that fails precedes it. */
    profiles = write_those(options, profile, only, true, look, err);
    others = write_those(options, profile, only, false, look, err);
    return profiles < 0 || others < 0 ? -1 : 0;
}

void outputs_add_folder(const struct options *options, struct text *folder)
{
    struct slice name = slice_of(options_has(options, "output") ? options_value(options, "output") : "");
    size_t slash = slice_find_last_byte(name, '/');

    /* With the slash, for the root has no other name. */
    if (slash < name.length)
        text_add(folder, slice_range(name, 0, slash + 1));
    else
        text_add_byte(folder, '.');
}

const char *outputs_picture(const struct options *options)
{
    if (!options_has(options, "output"))
        return OUTPUTS_USUAL;
    for (size_t i = 0; i < options->uses.count; i++) {
        const struct option_use *use = &options->uses.items[i];
        enum output_format format = OUTPUT_TEXT;

        if (is_output(use) && output_format_of_name(use->value, &format) && format == OUTPUT_FLAME)
            return use->value;
    }
    return NULL;
}
