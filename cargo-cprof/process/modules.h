/* The files whose code the watched processes run. Each is opened once, when first needed. */
#ifndef PROCESS_MODULES_H
#define PROCESS_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "dwarf/cfi_lookup.h"
#include "elf/image.h"
#include "process/address_space.h"
#include "process/file_identity.h"
#include "process/machine_code/blocks.h"
#include "process/machine_code/frames.h"
#include "process/own_root.h"

enum { MODULES_NONE = UINT32_MAX };

/* A part of the file that is loaded to be executed. */
struct module_code {
    uint64_t svma;
    uint64_t file_offset;
    uint64_t size_bytes;
};

enum { MODULE_AREA_BYTES = 16 << 10 };

struct module {
    struct slice path;     /* as the system names it; NUL-terminated */
    struct slice build_id; /* raw bytes; of the mapping, else of the file; empty when unknown */
    struct file_seen seen; /* when it was mapped first */
    uint32_t pid;          /* a process that mapped it, for /proc; 0: unknown */
    bool is_elsewhere;     /* that has another root or other mounts, so the path leads elsewhere for us */
    struct slice found_at; /* where it is elsewhere, NUL-terminated; empty: a process leads there */
    struct slice root;     /* the folder that its path begins in, where that is not our root */
    bool is_vdso;
    bool is_program; /* as opposed to a library; known once it was opened */
    bool was_opened; /* what follows is set */
    bool is_readable;
    bool is_denied;       /* it is not, for want of a right, */
    bool is_beyond_limit; /* or because no file more could be open */
    struct stat file;     /* as it was when it was opened; not of the vdso */
    uint64_t entry_svma;  /* where it begins; 0: it is no program */
    VEC(struct module_code) code;
    struct image *image;             /* owned; NULL unless it is readable */
    struct code_blocks *blocks;      /* owned; of the image, and NULL without one */
    struct cfi_lookup *frames;       /* owned; NULL when there is no call frame information */
    struct code_frames *code_frames; /* owned; NULL unless it is readable */
    uint8_t *frame_areas; /* owned; what return_rule_keeps_frame knows, by MODULE_AREA_BYTES of the image */
};

/* Where else files are, of what ran before and maybe elsewhere. Borrowed; NULL: nowhere. */
struct modules_places {
    const char *root;   /* a folder in which paths begin, as in that of the machine it ran on */
    const char *copies; /* one with copies by build id, as perf keeps them */
};

/* Zero-initialised is empty. */
struct modules {
    struct modules_places places;
    VEC(struct own_root) roots; /* of processes that modules are from */
    struct intern strings;
    struct intern keys; /* build id, else device and inode, and path, together; by module id */
    VEC(struct module) items;
};

void modules_done(struct modules *modules);

/*
 * The id of a file, new or known, and MODULES_NONE for what is no file: "//anon", "[heap]". `pid` is the
 * process that mapped it, which may have a root of its own (a container); 0: unknown.
 */
uint32_t modules_add(struct modules *modules, struct slice path, struct slice build_id, struct file_seen seen,
                     uint32_t pid);

/*
 * Whether what can be read of the module by now is not what ran: the open file was written to, or at its path
 * is what could not be taken when it was opened, unless for want of room for open files. False where the
 * build id will tell, and where what ran is gone or still open (module_is_unlinked).
 */
bool module_was_replaced(const struct module *module);

/*
 * Whether its path leads to the file that was opened no more: it was removed, or another one was put in its
 * place. What is open is still what ran.
 */
bool module_is_unlinked(const struct module *module);

/*
 * The module, with its code and call frame information read; both are empty for a file that cannot be read or
 * is another one by now. Valid until modules_add.
 */
const struct module *modules_open(struct modules *modules, uint32_t id);

/* False for memory that only looks like a file: the system calls it "/memfd:code (deleted)" and the like. */
bool module_is_file(const struct module *module);

/* The address in the file of what stands at this offset. False when no code does. */
bool module_svma(const struct module *module, uint64_t file_offset, uint64_t *svma);

/*
 * Whether code may stand at this address of the mapping. Of a program whose first segment is code the system
 * tells that all of its memory is, its data included. Data that the program has made code has a mapping of
 * its own; of a file whose code is not known nothing is sure.
 */
bool module_may_have_code(const struct module *module, const struct mapping *mapping, uint64_t avma);

/* Reads so many bytes of code from this address in the file on. False when there are not so many, or none. */
bool module_read_code(const struct module *module, uint64_t svma, size_t length, char *out);

/*
 * The rule to leave the function at this address, or NULL when there is none, and where return addresses are
 * that are not stored. Where signal handlers return to is known by its code. Where a program or the dynamic
 * loader begins, often code without call frame information, is told to be outermost. Valid until the next
 * call.
 */
const struct cfi_row *module_rule(const struct module *module, uint64_t svma, uint32_t *return_register);

/* The rule where there is none of these, as of code_frames_find. */
const struct cfi_row *module_code_rule(const struct module *module, uint64_t svma, uint32_t *return_register);

/* And what is known where there is no rule at all, as of code_frames_hints. */
struct code_frame_hints module_code_hints(const struct module *module, uint64_t svma);

/* What the expressions of such a row are read from; stays as long as the module. */
struct slice module_rule_section(const struct module *module, const struct cfi_row *row);

#endif
