/*
 * Records of code that a process makes at run time, with the time at which it made it
 * (linux/tools/perf/Documentation/jitdump-specification.txt): a header, then records of which each tells its
 * kind and its length. Written by Node.js (--perf-prof), Wasmtime (ProfilingStrategy::JitDump), LLVM
 * (PerfJITEventListener), Java agents, CPython (-X perf_jit) and others.
 */
#ifndef SYMBOLIZE_JIT_RECORD_H
#define SYMBOLIZE_JIT_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/slice.h"

enum {
    JIT_HEADER_BYTES = 40, /* or more: the header tells */
    JIT_RECORD_BYTES = 16, /* the least that a record has */
    JIT_LINES_BYTES = 32,  /* before its lines */
    JIT_LOAD_BYTES = 56,   /* before the name */
    JIT_MOVE_BYTES = 64,
    JIT_NAME_MOST_BYTES = 4096 - JIT_LOAD_BYTES, /* of a longer name the rest is left out */
};

struct jit_header {
    bool is_big_endian;
    uint32_t length_bytes; /* at least JIT_HEADER_BYTES: where the first record is */
    uint32_t pid;          /* as the process knows itself */
    bool has_own_clock;    /* times are a processor's own, not those of CLOCK_MONOTONIC */
    uint32_t lines_bytes;  /* addresses of lines are so much too high */
    bool is_of_v8;         /* or Dart's, which has what is said of it here from there */
};

enum jit_record_kind {
    JIT_OTHER, /* what tells of no code: unwind information, unknown ones */
    JIT_LINES, /* lines of the code that is told of next (symbolize/jit/lines.h) */
    JIT_LOAD,  /* there is code now, under this name, */
    JIT_MOVE,  /* and it has come from elsewhere */
};

struct jit_record {
    enum jit_record_kind kind;
    uint32_t length_bytes; /* to the next record; at least JIT_RECORD_BYTES */
    uint64_t time_ns;
    uint64_t start_avma; /* of JIT_LINES, JIT_LOAD and JIT_MOVE */
    uint64_t lines_at;   /* of JIT_LOAD, where the record of its lines is; 0: it has none, or nobody knows */
    uint32_t pid;        /* what follows is of JIT_LOAD and JIT_MOVE; the process that made the code */
    uint64_t end_avma;
    uint64_t code_index; /* tells code from other code, also when it was moved */
    struct slice name;   /* borrowed; of JIT_LOAD alone, not empty */
};

/* From the first bytes of the file. Returns 0, or -1 with ERROR_FORMAT, the path to be put in front of it. */
MUST_CHECK int jit_header_read(struct slice bytes, struct jit_header *out, struct error *err);

/*
 * The record that begins where `bytes` do: as many bytes as there are, of which those past
 * JIT_LOAD_BYTES + JIT_NAME_MOST_BYTES do not count. What tells of no code, or of some that ends before it
 * begins or has no name, is JIT_OTHER. False where no record can be: its length or what stands before that is
 * not all there, or is too short.
 */
bool jit_record_read(const struct jit_header *header, struct slice bytes, struct jit_record *out);

/* Whether it tells that there is code. */
bool jit_record_is_code(const struct jit_record *record);

#endif
