#include "view/thread_choice.h"

#include "facts/series_unit.h"

void thread_choice_done(struct thread_choice *choice)
{
    regex_free(choice->names);
    regex_free(choice->processes);
    vec_done(&choice->tids);
    vec_done(&choice->pids);
    *choice = (struct thread_choice){0};
}

/* Whether it asks for more than threads' names. */
static bool needs_numbers(const struct thread_choice *choice)
{
    return choice->processes || choice->tids.count > 0 || choice->pids.count > 0;
}

bool thread_choice_is_set(const struct thread_choice *choice)
{
    return choice->names || needs_numbers(choice);
}

/* 1 or 0, or -1 as regex_matches. */
static int is_called(const struct profile *profile, const struct regex *names, uint32_t name,
                     struct error *err)
{
    return names ? regex_matches(names, profile_text(profile, name), err) : 1;
}

static bool is_numbered(const struct pids *numbers, uint32_t number)
{
    return numbers->count == 0 || pids_have(numbers, (pid_t)number);
}

int thread_choice_mark(const struct thread_choice *choice, const struct profile *profile, bool *chosen,
                       struct error *err)
{
    if (needs_numbers(choice) && profile->series.count > 0 && series_is_folded(profile, 0)) {
        SCOPED(text_done) struct text options = {0};

        thread_choice_add_options(choice, &options);
        error_hint(err, "a .cprof does, recorded with -o FILE.cprof; these are chosen by --thread");
        return error_set(err, ERROR_MISSING, "%s: folded stacks tell threads by their names alone",
                         text_string(&options));
    }
    for (size_t i = 0; i < profile->threads.count; i++) {
        const struct profile_thread *thread = &profile->threads.items[i];
        int by_name = is_called(profile, choice->names, thread->name, err);
        int by_process = by_name > 0 ? is_called(profile, choice->processes, thread->process_name, err) : 0;

        if (by_name < 0 || by_process < 0)
            return -1;
        chosen[i] = by_process > 0 && is_numbered(&choice->tids, thread->tid) &&
                    is_numbered(&choice->pids, thread->pid);
    }
    return 0;
}

void thread_choice_add_options(const struct thread_choice *choice, struct text *text)
{
    const struct {
        bool is_set;
        const char *option;
    } parts[] = {
        {choice->processes, "--process"},
        {choice->pids.count > 0, "--pid"},
        {choice->names, "--thread"},
        {choice->tids.count > 0, "--tid"},
    };
    const char *separator = "";

    for (size_t i = 0; i < ARRAY_COUNT(parts); i++)
        if (parts[i].is_set) {
            text_add_string(text, separator);
            text_add_string(text, parts[i].option);
            separator = " and ";
        }
}

const char *thread_choice_groups(const struct thread_choice *choice)
{
    if (!needs_numbers(choice))
        return "thread";
    return choice->names || choice->tids.count > 0 ? "process,pid,thread,tid" : "process,pid";
}
