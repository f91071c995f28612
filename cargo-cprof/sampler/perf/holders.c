#include "sampler/perf/holders.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "proc/spawn.h"

enum wish { WATCH_THREAD, COUNT };

struct request {
    enum wish wish;
    pid_t thread;
    uint32_t kind;
};

struct answer {
    bool is_news;   /* not asked for: all threads have ended */
    bool is_failed; /* `err` says how */
    bool is_known;
    enum event_outcome outcome;
    struct sampler_counts counts;
    uint64_t first_id; /* of the events of a thread */
    struct error err;
};

/* --- In the holder ------------------------------------------------------------------------------------- */

static void do_as_asked(struct event_set *set, const struct rings *rings, struct request request,
                        struct answer *out)
{
    size_t before = set->items.count;

    switch (request.wish) {
    case WATCH_THREAD:
        out->is_failed = event_set_add(set, rings, request.thread, &out->outcome, &out->err) < 0;
        out->first_id = set->items.count > before ? set->items.items[before].id : UINT64_MAX;
        return;
    case COUNT:
        out->is_known = event_set_count(set, request.kind, &out->counts);
        return;
    }
}

/* Whether all events have hung up: every process that they counted in has ended. */
static bool have_all_ended(const struct event_set *set)
{
    for (size_t i = 0; i < set->items.count; i++) {
        struct pollfd event = {.fd = set->items.items[i].descriptor};

        if (poll(&event, 1, 0) < 1 || !(event.revents & (POLLHUP | POLLERR)))
            return false;
    }
    return set->items.count > 0;
}

static bool say(int socket, const struct answer *answer)
{
    return send(socket, answer, sizeof(*answer), MSG_NOSIGNAL) == sizeof(*answer);
}

/* Nothing is done at exit, which is for us alone: not even what the standard streams hold is written. */
static _Noreturn void hold(int socket, struct event_set *set, const struct rings *rings)
{
    enum { LOOK_MS = 250 };
    struct pollfd asked = {.fd = socket, .events = POLLIN};
    bool was_told = false;

    while (true) {
        struct answer answer = {0};
        struct request request;
        int ready = poll(&asked, 1, LOOK_MS);

        if (ready > 0) {
            if (recv(socket, &request, sizeof(request), 0) != sizeof(request))
                _exit(0);
            was_told = was_told && request.wish != WATCH_THREAD;
            do_as_asked(set, rings, request, &answer);
        } else if (!was_told && have_all_ended(set)) {
            was_told = true;
            answer.is_news = true;
        } else {
            continue;
        }
        if (!say(socket, &answer))
            _exit(0);
    }
}

/* --- Here ---------------------------------------------------------------------------------------------- */

/* One message. False when the holder is gone. */
static bool hear(struct holder *holder, int flags, struct answer *out)
{
    ssize_t got = -1;

    do
        got = recv(holder->socket, out, sizeof(*out), flags);
    while (got < 0 && errno == EINTR);
    if (got < 0 && errno == EAGAIN)
        return false;
    if (got != sizeof(*out) || out->is_news)
        holder->is_over = true;
    return got == sizeof(*out);
}

static int ask(struct holder *holder, struct request request, struct answer *out, struct error *err)
{
    bool is_heard =
        send(holder->socket, &request, sizeof(request), MSG_NOSIGNAL) == (ssize_t)sizeof(request) &&
        hear(holder, 0, out);

    while (is_heard && out->is_news)
        is_heard = hear(holder, 0, out);
    if (!is_heard)
        return error_set(err, ERROR_IO, "a process of ours that keeps perf events has ended");
    if (out->is_failed)
        *err = out->err;
    return out->is_failed ? -1 : 0;
}

static int start_holder(struct holders *holders, const struct event_set *set, const struct rings *rings,
                        struct error *err)
{
    int ends[2];
    pid_t pid = -1;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0) {
        int cause = errno;

        spawn_hint_shortage(cause, err);
        return error_set(err, ERROR_IO, "socketpair: %s", strerror(cause));
    }
    pid = fork();
    if (pid == 0) {
        struct event_set own = *set;

        for (size_t i = 0; i < holders->items.count; i++)
            close(holders->items.items[i].socket);
        close(ends[0]);
        hold(ends[1], &own, rings);
    }
    close(ends[1]);
    if (pid < 0) {
        int cause = errno;

        close(ends[0]);
        spawn_hint_shortage(cause, err);
        return error_set(err, ERROR_IO, "fork: %s", strerror(cause));
    }
    *vec_add(&holders->items) = (struct holder){.pid = pid, .socket = ends[0]};
    return 0;
}

int holders_add(struct holders *holders, const struct event_set *set, const struct rings *rings, pid_t thread,
                uint64_t *first_id, struct error *err)
{
    const struct request request = {.wish = WATCH_THREAD, .thread = thread};
    struct answer answer = {.outcome = EVENT_NO_ROOM};
    struct holder *last = NULL;

    if (holders->items.count > 0) {
        last = &holders->items.items[holders->items.count - 1];
        if (!last->is_full && ask(last, request, &answer, err) < 0)
            return -1;
        last->is_full = answer.outcome == EVENT_NO_ROOM;
    }
    if (answer.outcome == EVENT_NO_ROOM) {
        if (start_holder(holders, set, rings, err) < 0)
            return -1;
        last = &holders->items.items[holders->items.count - 1];
        if (ask(last, request, &answer, err) < 0)
            return -1;
    }
    if (answer.outcome == EVENT_NO_ROOM)
        return event_explain_no_room(rings->count, err);
    last->is_over = last->is_over && answer.outcome != EVENT_ADDED;
    *first_id = answer.first_id;
    return 0;
}

bool holders_count(struct holders *holders, uint32_t kind, struct sampler_counts *out)
{
    struct sampler_counts sum = {0};

    for (size_t i = 0; i < holders->items.count; i++) {
        struct answer answer;
        struct error ignored = {0};

        if (ask(&holders->items.items[i], (struct request){.wish = COUNT, .kind = kind}, &answer, &ignored) <
                0 ||
            !answer.is_known)
            return false;
        sum.happened += answer.counts.happened;
        sum.lost += answer.counts.lost;
    }
    *out = sum;
    return true;
}

bool holders_have_any_left(struct holders *holders)
{
    bool is_any = false;

    for (size_t i = 0; i < holders->items.count; i++) {
        struct holder *holder = &holders->items.items[i];
        struct answer answer;

        while (!holder->is_over && hear(holder, MSG_DONTWAIT, &answer))
            continue;
        is_any = is_any || !holder->is_over;
    }
    return is_any;
}

void holders_done(struct holders *holders)
{
    for (size_t i = 0; i < holders->items.count; i++) {
        file_close_descriptor(&holders->items.items[i].socket);
        while (waitpid(holders->items.items[i].pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    vec_done(&holders->items);
}
