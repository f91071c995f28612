/*
 * The processes of the machine and who started them, as /proc tells at one moment. Numbers are those of
 * /proc, which may be that of another PID namespace.
 */
#ifndef PROC_PROCESS_LIST_H
#define PROC_PROCESS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process_line {
    pid_t pid;
    pid_t parent;
    pid_t group;   /* process group: those that a terminal's Ctrl-C goes to together */
    char name[16]; /* of its main thread, as the kernel has it: cut, any bytes */
    uint64_t
        cpu_ns; /* user and system time of it and of children that it waited for, in ticks of the clock */
    uint64_t user_ns; /* the user's of both */
    bool is_ended;    /* only waiting to be waited for */
    bool is_marked;   /* the caller's */
    bool is_left_out; /* the caller's: process_list_mark_children does not mark it */
};

/* Zero-initialised is empty; to be released with process_list_done. */
struct process_list {
    struct process_line *items;
    size_t count;
    size_t capacity;
    pid_t ourselves; /* 0: /proc does not tell of us */
};

/* Reads all processes there are, none of them marked; none where /proc does not tell of us. */
void process_list_read(struct process_list *out);

/* NULL when there is none. */
struct process_line *process_list_find(const struct process_list *list, pid_t pid);

/* Marks what came from processes that are marked, by way of those that are marked now. */
void process_list_mark_children(struct process_list *list);

void process_list_done(struct process_list *list);

#endif
