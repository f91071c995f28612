#include "compare/baseline.h"

#include <string.h>

#include "compare/asked.h"

static bool stands_beside(struct slice list)
{
    return slice_is(list, "targets") || slice_is(list, "advice");
}

/* The first member that is an array: what the result is a list of; empty when there is none. */
static struct slice list_name(const struct json_value *root)
{
    struct json_value item;

    for (bool more = json_first(root, &item); more; more = json_next(&item))
        if (json_is_array(&item) && !stands_beside(json_name(&item)))
            return json_name(&item);
    return (struct slice){0};
}

/* Whether this command can have saved it: whatever the options, its results have a fact in common. */
static bool is_of_command(const struct json_value *root, const struct rows *like)
{
    struct json_value ignored;

    for (size_t i = 0; i < like->fact_count; i++)
        if (json_find(root, like->facts[i].key, &ignored))
            return true;
    return false;
}

static void hint_at_kind(const struct json_value *root, const struct rows *like, struct error *err)
{
    error_hint(err, is_of_command(root, like) ? ASKED_HINT : "it was saved by another command");
}

static int refuse_other_list(const struct json_value *root, const char *name, const struct rows *like,
                             struct error *err)
{
    struct slice list = list_name(root);

    if (list.length == 0)
        return error_set(err, ERROR_FORMAT, "%s: no result of this command: it has no list \"%s\"", name,
                         like->list_key);
    hint_at_kind(root, like, err);
    return error_set(err, ERROR_USAGE, "%s holds %.*s, and these options show %s", name,
                     SLICE_ARGUMENTS(list), like->list_key);
}

int baseline_check(const struct json_document *document, const char *name, struct error *err)
{
    struct json_value root = json_root(document);
    struct json_value ignored;

    if (!json_is_object(&root))
        return error_set(err, ERROR_FORMAT, "%s: no result of this command: not an object", name);
    if (json_find(&root, "diff", &ignored))
        return error_set(err, ERROR_USAGE, "%s is a comparison itself: save a result without --diff", name);
    if (json_find(&root, "omitted", &ignored)) {
        error_hint(err, "save it anew without -n");
        return error_set(err, ERROR_USAGE, "%s was saved with -n, and lacks the rows beyond that", name);
    }
    return 0;
}

static int read_row(const struct json_value *item, const struct rows *like, struct rows *out,
                    struct error *err)
{
    union cell *row = rows_add(out);

    for (size_t i = 0; i < like->column_count; i++) {
        const struct column *column = &like->columns[i];
        struct json_value member;

        if (!column->key)
            continue;
        if (column_is_string(column->kind)) {
            if (json_find(item, column->key, &member) && json_as_string(&member, &row[i].text, err) < 0)
                return -1;
        } else if (json_find(item, column->key, &member)) {
            if (json_as_u64(&member, &row[i].number, err) < 0)
                return -1;
        } else if (column->title) {
            /* What the first row lacks the others lack as well, unless the file is damaged. */
            return rows_count(out) == 1
                       ? error_set(err, ERROR_USAGE, "a result of another kind: its %s have no \"%s\"",
                                   like->list_key, column->key)
                       : json_get_u64(item, column->key, &row[i].number, err);
        }
    }
    return 0;
}

static int read_rows(const struct json_value *list, const struct rows *like, struct rows *out,
                     struct error *err)
{
    struct json_value item;

    for (bool more = json_first(list, &item); more; more = json_next(&item))
        if (read_row(&item, like, out, err) < 0)
            return -1;
    return 0;
}

static int read_facts(const struct json_value *root, const struct rows *like, struct rows *out,
                      struct error *err)
{
    for (size_t i = 0; i < like->fact_count; i++) {
        struct json_value member;
        uint64_t number = 0;

        if (!json_find(root, like->facts[i].key, &member))
            continue;
        if (json_as_u64(&member, &number, err) < 0)
            return -1;
        rows_add_fact(out, like->facts[i].key, number);
    }
    return 0;
}

/* What a result was built with, or made for: keys that are not known are no matter. */
static int read_labels(const struct json_value *root, const char *key, struct rows *out, struct error *err)
{
    struct json_value build;
    struct json_value member;

    if (!json_find(root, key, &build) || !json_is_object(&build))
        return 0;
    out->labels_key = key;
    for (bool more = json_first(&build, &member); more && out->label_count < ROWS_LABELS_MAX;
         more = json_next(&member)) {
        struct slice text = {0};

        if (json_as_string(&member, &text, err) < 0)
            return -1;
        rows_add_label(out, arena_copy(&out->arena, json_name(&member)), text);
    }
    return 0;
}

int baseline_read(const struct json_document *document, const char *name, const struct rows *like,
                  struct rows *out, struct error *err)
{
    struct json_value root = json_root(document);
    struct json_value list;

    if (!json_find(&root, like->list_key, &list) || !json_is_array(&list))
        return refuse_other_list(&root, name, like, err);
    for (size_t i = 0; i < like->column_count; i++)
        rows_add_column(out, like->columns[i]);
    out->list_key = like->list_key;
    out->noun = like->noun;
    if (read_rows(&list, like, out, err) < 0) {
        if (err->kind == ERROR_USAGE)
            hint_at_kind(&root, like, err);
        return error_wrap(err, "%s", name);
    }
    if (read_facts(&root, like, out, err) < 0 || read_labels(&root, "build", out, err) < 0 ||
        read_labels(&root, "made-for", out, err) < 0)
        return error_wrap(err, "%s", name);
    return 0;
}
