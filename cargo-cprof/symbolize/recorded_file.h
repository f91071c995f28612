/* The file of a profile's module: where it is to be read, and what the system that it ran on calls it. */
#ifndef SYMBOLIZE_RECORDED_FILE_H
#define SYMBOLIZE_RECORDED_FILE_H

#include "profile/profile.h"

/* Borrowed from the profile. */
struct recorded_file {
    const char *name;      /* what is opened */
    struct slice path;     /* where it stands, by which its debug file is looked for, */
    struct slice root;     /* below this folder; empty: our own root */
    struct slice build_id; /* of the code that ran; empty: unknown */
};

struct recorded_file recorded_file_of(const struct profile *profile, uint32_t module);

/*
 * What people call a file of that path: its name, "app" of ".../deps/app-2f6e3c32a88cddc6" and of
 * ".../build/app/2f6e3c32a88cddc6/out/app-2f6e3c32a88cddc6", as cargo calls programs of tests and benchmarks,
 * each build anew.
 */
struct slice recorded_file_called(struct slice path);

/*
 * Adds a message about it in the words of its own system: paths below /proc, by which what a process has is
 * opened, are nothing that people know.
 */
void recorded_file_add_message(const struct recorded_file *file, const char *message, struct text *out);

#endif
