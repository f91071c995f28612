#include "profile/block_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/packing.h"
#include "base/unnamed_file.h"
#include "base/vec.h"
#include "profile/chunks.h"

struct block {
    struct text bytes; /* as added while it waits; as packed when it could not be written; else empty */
    uint64_t offset;   /* in the file, */
    size_t stored_bytes;
};

struct block_file {
    int descriptor;
    uint64_t length; /* the writing thread's alone */
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    VEC(struct block) blocks;
    size_t done_count; /* those before are packed, and written unless that failed */
    int failure;       /* the errno; 0 while all is well */
    bool is_closing;
};

int block_file_open(const char *const *folders, struct block_file **out, struct error *err)
{
    struct block_file *file = NULL;
    int descriptor = -1;

    if (unnamed_file_open(folders, &descriptor, err) < 0)
        return -1;
    file = memory_new(1, sizeof(*file));
    file->descriptor = descriptor;
    pthread_mutex_init(&file->lock, NULL);
    pthread_cond_init(&file->changed, NULL);
    *out = file;
    return 0;
}

/* --- The writing thread -------------------------------------------------------------------------------- */

/* 0, or the errno of what failed. */
static int write_at_end(struct block_file *file, struct slice bytes)
{
    size_t at = 0;

    while (at < bytes.length) {
        off_t end = (off_t)(file->length + at);
        ssize_t written = pwrite(file->descriptor, bytes.data + at, bytes.length - at, end);

        if (written > 0)
            at += (size_t)written;
        else if (written == 0 || errno != EINTR)
            return written == 0 ? ENOSPC : errno;
    }
    file->length += bytes.length;
    return 0;
}

/* Packs the next block and writes it, unless that has failed before. The lock is held but for the work. */
static void keep_next(struct block_file *file)
{
    struct text content = file->blocks.items[file->done_count].bytes;
    struct block kept = {.offset = file->length};
    struct error ignored = {0};
    int failure = file->failure;

    file->blocks.items[file->done_count].bytes = (struct text){0};
    pthread_mutex_unlock(&file->lock);
    if (chunks_pack(&kept.bytes, text_slice(&content), &ignored) < 0)
        text_add(&kept.bytes, text_slice(&content));
    text_done(&content);
    kept.stored_bytes = kept.bytes.length;
    if (!failure)
        failure = write_at_end(file, text_slice(&kept.bytes));
    if (!failure)
        text_done(&kept.bytes);
    else
        kept.bytes.data = memory_resize(kept.bytes.data, kept.bytes.length, 1);
    pthread_mutex_lock(&file->lock);
    file->blocks.items[file->done_count++] = kept;
    file->failure = failure;
    pthread_cond_broadcast(&file->changed);
}

static void *work(void *context)
{
    struct block_file *file = context;

    pthread_mutex_lock(&file->lock);
    while (!file->is_closing)
        if (file->done_count < file->blocks.count)
            keep_next(file);
        else
            pthread_cond_wait(&file->changed, &file->lock);
    pthread_mutex_unlock(&file->lock);
    return NULL;
}

/* Signals are for who started the recording. */
static void start_thread(struct block_file *file)
{
    struct error ignored = {0};
    sigset_t all;
    sigset_t before;

    /* Loading is for one thread: what is loaded is shared. */
    (void)(packing_load_zstd(&ignored) == 0);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    file->has_thread = pthread_create(&file->thread, NULL, work, file) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- Others -------------------------------------------------------------------------------------------- */

void block_file_close(struct block_file *file)
{
    if (!file)
        return;
    pthread_mutex_lock(&file->lock);
    file->is_closing = true;
    pthread_cond_broadcast(&file->changed);
    pthread_mutex_unlock(&file->lock);
    if (file->has_thread)
        pthread_join(file->thread, NULL);
    for (size_t i = 0; i < file->blocks.count; i++)
        text_done(&file->blocks.items[i].bytes);
    vec_done(&file->blocks);
    pthread_cond_destroy(&file->changed);
    pthread_mutex_destroy(&file->lock);
    file_close_descriptor(&file->descriptor);
    free(file);
}

size_t block_file_add(struct block_file *file, struct text *content)
{
    size_t number = 0;

    if (!file->has_thread)
        start_thread(file);
    pthread_mutex_lock(&file->lock);
    number = file->blocks.count;
    *vec_add(&file->blocks) = (struct block){.bytes = *content};
    *content = (struct text){0};
    if (!file->has_thread)
        keep_next(file);
    pthread_cond_broadcast(&file->changed);
    pthread_mutex_unlock(&file->lock);
    return number;
}

static void wait_for(struct block_file *file, size_t done_count)
{
    while (file->done_count < done_count)
        pthread_cond_wait(&file->changed, &file->lock);
}

bool block_file_read(struct block_file *file, size_t number, struct text *scratch, struct slice *stored)
{
    struct error ignored = {0};
    struct block block;

    pthread_mutex_lock(&file->lock);
    wait_for(file, number + 1);
    block = file->blocks.items[number];
    pthread_mutex_unlock(&file->lock);
    *stored = text_slice(&block.bytes);
    if (block.bytes.length > 0)
        return true;
    text_clear(scratch);
    if (file_read_at(file->descriptor, "the recording", block.offset,
                     text_extend(scratch, block.stored_bytes), block.stored_bytes, &ignored) < 0)
        return false;
    *stored = text_slice(scratch);
    return true;
}

const char *block_file_failure(struct block_file *file)
{
    int failure = 0;

    pthread_mutex_lock(&file->lock);
    wait_for(file, file->blocks.count);
    failure = file->failure;
    pthread_mutex_unlock(&file->lock);
    return failure ? strerror(failure) : NULL;
}
