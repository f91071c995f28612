#include "collect/heap/programs.h"

#include <string.h>

void heap_programs_done(struct heap_programs *programs)
{
    vec_done(&programs->all);
    vec_done(&programs->of_pid);
    pair_index_done(&programs->pids);
    *programs = (struct heap_programs){0};
}

/* As of sampler_copy_fewer. */
static bool is_told_twice(const struct heap_program *before, const struct heap_program *now)
{
    return !before->has_library && !before->has_told && strcmp(before->name, now->name) == 0;
}

void heap_programs_begin(struct heap_programs *programs, uint32_t pid, struct slice name)
{
    uint32_t place = pair_index_add(&programs->pids, 0, pid);
    struct heap_program program = {0};
    size_t length = name.length < sizeof(program.name) ? name.length : sizeof(program.name) - 1;

    memcpy(program.name, name.data, length);
    if (place == programs->of_pid.count)
        *vec_add(&programs->of_pid) = 0;
    else if (is_told_twice(&programs->all.items[programs->of_pid.items[place]], &program))
        return;
    programs->of_pid.items[place] = (uint32_t)programs->all.count;
    *vec_add(&programs->all) = program;
}

static struct heap_program *program_of(struct heap_programs *programs, uint32_t pid)
{
    uint32_t place = pair_index_find(&programs->pids, 0, pid);

    return place == UINT32_MAX ? NULL : &programs->all.items[programs->of_pid.items[place]];
}

void heap_programs_note_library(struct heap_programs *programs, uint32_t pid)
{
    struct heap_program *program = program_of(programs, pid);

    if (program)
        program->has_library = true;
}

void heap_programs_note_told(struct heap_programs *programs, uint32_t pid)
{
    struct heap_program *program = program_of(programs, pid);

    if (program)
        program->has_told = true;
}

static void note_name(struct heap_silent *silent, const char *name)
{
    for (size_t i = 0; i < HEAP_SILENT_NAMES; i++) {
        if (strcmp(silent->names[i], name) == 0)
            return;
        if (silent->names[i][0] == '\0') {
            memcpy(silent->names[i], name, sizeof(silent->names[i]));
            return;
        }
    }
    silent->has_more_names = true;
}

struct heap_silent heap_programs_silent(const struct heap_programs *programs, uint32_t opened_count)
{
    struct heap_silent silent = {.of_count = (uint32_t)programs->all.count};
    uint32_t loaded_count = 0;

    for (size_t i = 0; i < programs->all.count; i++)
        loaded_count += programs->all.items[i].has_library;
    for (size_t i = 0; i < programs->all.count; i++) {
        const struct heap_program *program = &programs->all.items[i];

        /* One that has it may have nothing to tell, as long as each that has it found the channel. */
        if (program->has_told || (program->has_library && loaded_count <= opened_count))
            continue;
        silent.count++;
        note_name(&silent, program->name);
    }
    return silent;
}
