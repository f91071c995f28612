#include "process/pid_list.h"

#include <limits.h>

#include "base/scan.h"

/* A comma, blanks as pidof has them, or both. */
static bool scan_separator(struct scan *scan)
{
    size_t before = scan->rest.length;

    scan_skip_any(scan, " \t\n");
    scan_byte(scan, ',');
    scan_skip_any(scan, " \t\n");
    return scan->rest.length < before;
}

bool pids_have(const struct pids *pids, pid_t pid)
{
    for (size_t i = 0; i < pids->count; i++)
        if (pids->items[i] == pid)
            return true;
    return false;
}

int pid_list_read(const char *option, struct slice list, struct pids *out, struct error *err)
{
    struct scan scan = scan_of(slice_trim(list));
    size_t before = out->count;

    do {
        uint64_t pid = 0;

        if (!scan_decimal(&scan, &pid) || pid == 0 || pid > INT_MAX)
            break;
        if (!pids_have(out, (pid_t)pid))
            *vec_add(out) = (pid_t)pid;
        if (scan_at_end(&scan))
            return 0;
    } while (scan_separator(&scan));
    out->count = before;
    if (slice_trim(list).length == 0) {
        error_hint(err, "`pidof` and `pgrep` print nothing where no process has that name");
        return error_set(err, ERROR_USAGE, "--%s: no number was given", option);
    }
    return error_set(err, ERROR_USAGE, "--%s %.*s: give numbers, with commas or blanks between", option,
                     SLICE_ARGUMENTS(list));
}

bool pid_list_hint(const char *word, struct error *err)
{
    struct scan scan = scan_of(slice_of(word));
    uint64_t pid = 0;

    if (!scan_decimal(&scan, &pid) || !scan_at_end(&scan))
        return false;
    error_hint(err, "several processes are one value: --pid 12,34 or --pid \"$(pidof NAME)\"");
    return true;
}
