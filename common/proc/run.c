#include "proc/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "proc/ending.h"

static int start(const struct spawn *what, const sigset_t *blocked, struct process *out, struct error *err)
{
    struct spawn piped = *what;

    piped.output = SPAWN_PIPE;
    piped.blocked = blocked;
    return spawn_start(&piped, out, err);
}

/* No zombie stays in any case; `result` is what reading gave. */
static int finish(struct process *process, int result, struct process_status *status, struct error *err)
{
    process_close_pipes(process);
    if (result == 0)
        return process_wait(process, status, err);
    process_end(process);
    return -1;
}

/* Ends the program by the signal that came: what we have read of it is not all, however it takes that. */
static int finish_early(const struct ending *ending, struct process *process, struct process_status *status)
{
    process_close_pipes(process);
    ending_hand_on(ending, process);
    process_end(process);
    *status = process_status_of_signal(ending->came);
    return 0;
}

/* Cuts what is read into lines. */
struct line_reader {
    size_t limit_bytes;
    run_line_fn *each;
    void *context;
    struct text pending; /* the start of a line whose end is not read yet */
    struct ending ending;
};

static int hand_on(const struct line_reader *reader, struct slice line, struct error *err)
{
    if (line.length > reader->limit_bytes)
        return error_set(err, ERROR_FORMAT, "its output has a line longer than %zu bytes",
                         reader->limit_bytes);
    return reader->each(reader->context, line, err);
}

/* Hands on the whole lines of `pending`, none of which ends before `searched`, and keeps the rest. */
static int take_lines(struct line_reader *reader, size_t searched, struct error *err)
{
    struct text *pending = &reader->pending;
    struct slice fresh = slice_range(text_slice(pending), searched, pending->length);
    size_t last_end = slice_find_last_byte(fresh, '\n');
    struct scan scan;
    struct slice line;

    if (last_end == fresh.length)
        return 0;
    scan = scan_of(slice_range(text_slice(pending), 0, searched + last_end + 1));
    while (scan_line(&scan, &line))
        if (hand_on(reader, line, err) < 0)
            return -1;
    pending->length = fresh.length - last_end - 1;
    memmove(pending->data, fresh.data + last_end + 1, pending->length);
    return 0;
}

/* To the end of the output, or until a signal comes that ends us. */
static int read_lines(int descriptor, struct line_reader *reader, struct error *err)
{
    enum { STEP_BYTES = 64 * 1024 };
    struct text *pending = &reader->pending;

    for (;;) {
        size_t before = pending->length;
        ssize_t got = -1;
        int cause = 0;

        if (ending_wait(&reader->ending, descriptor))
            return 0;
        got = read(descriptor, text_extend(pending, STEP_BYTES), STEP_BYTES);
        cause = errno;
        pending->length = before + (got > 0 ? (size_t)got : 0);
        if (got < 0 && cause == EINTR)
            continue;
        if (got < 0)
            return error_set(err, ERROR_IO, "read its output: %s", strerror(cause));
        if (got == 0)
            return before > 0 ? hand_on(reader, text_slice(pending), err) : 0;
        if (take_lines(reader, before, err) < 0)
            return -1;
        /* A carriage return may still turn out to be a part of the line's end. */
        if (pending->length > reader->limit_bytes && pending->length - reader->limit_bytes > 1)
            return hand_on(reader, text_slice(pending), err);
    }
}

int run_lines(const struct spawn *what, size_t limit_bytes, run_line_fn *each, void *context,
              struct process_status *status, struct error *err)
{
    struct line_reader reader = {.limit_bytes = limit_bytes, .each = each, .context = context};
    struct process process;
    int result = 0;

    ending_hold(&reader.ending);
    result = start(what, &reader.ending.blocked, &process, err);
    if (result == 0) {
        result = read_lines(process.output, &reader, err);
        result = reader.ending.came ? finish_early(&reader.ending, &process, status)
                                    : finish(&process, result, status, err);
    }
    text_done(&reader.pending);
    ending_release(&reader.ending);
    return result;
}

int run_capture(const struct spawn *what, size_t limit_bytes, struct text *output,
                struct process_status *status, struct error *err)
{
    struct process process;

    if (start(what, NULL, &process, err) < 0)
        return -1;
    return finish(&process, file_read_descriptor(process.output, what->argv[0], limit_bytes, output, err),
                  status, err);
}
