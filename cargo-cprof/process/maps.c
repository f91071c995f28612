#include "process/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/file.h"
#include "base/scan.h"

enum maps_found maps_read(uint32_t pid, struct text *out)
{
    enum { MOST_BYTES = 64 << 20 };
    SCOPED(file_close_descriptor) int descriptor = -1;
    struct error unread = {0};
    char path[64];

    snprintf(path, sizeof(path), "/proc/%u/maps", pid);
    descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return errno == EACCES || errno == EPERM ? MAPS_DENIED : MAPS_NONE;
    return file_read_descriptor(descriptor, path, MOST_BYTES, out, &unread) == 0 && out->length > 0
               ? MAPS_FOUND
               : MAPS_NONE;
}

bool maps_read_line(struct slice line, struct maps_line *out)
{
    enum { PERMISSIONS = 4, EXECUTE = 2 };
    struct scan scan = scan_of(line);
    struct maps_line read = {0};
    struct slice permissions;
    uint64_t minor = 0;

    if (!scan_hex(&scan, &read.start_avma) || !scan_byte(&scan, '-') || !scan_hex(&scan, &read.end_avma) ||
        !scan_byte(&scan, ' ') || !scan_word(&scan, &permissions) || permissions.length != PERMISSIONS ||
        !scan_byte(&scan, ' ') || !scan_hex(&scan, &read.file_offset) || !scan_byte(&scan, ' ') ||
        !scan_hex(&scan, &read.device) || !scan_byte(&scan, ':') || !scan_hex(&scan, &minor) ||
        !scan_byte(&scan, ' ') || !scan_decimal(&scan, &read.inode) || read.start_avma >= read.end_avma)
        return false;
    read.device = read.device << 32 | (minor & UINT32_MAX);
    scan_skip_any(&scan, " ");
    read.is_executable = permissions.data[EXECUTE] == 'x';
    read.path = scan.rest;
    *out = read;
    return true;
}
