/* Rows in the shapes that people and programs read. */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include "base/text.h"
#include "report/rows.h"

/* In the order of render_format_names. */
enum render_format { RENDER_TABLE, RENDER_JSON, RENDER_CSV, RENDER_MARKDOWN };

extern const char *const render_format_names[]; /* "table", "json", "csv", "markdown", NULL */

/* How a table may look. */
struct render_look {
    size_t columns; /* rows are cut to this width; 0: never */
    bool has_color;
};

/*
 * Headings, the rows shown, a row for those that are not, the sums. Texts are escaped for
 * a terminal; names are cut to the width as cut_names does, those before the last column where they leave
 * that one too little.
 */
void render_table(struct text *text, const struct rows *rows, struct render_look look);

/*
 * One object on one line: the facts, then the list of rows. A text that is not known is left out
 * of its row. Rows beyond the limit are counted under "omitted", never dropped silently.
 */
void render_json(struct text *text, const struct rows *rows);

/* RFC 4180: a line of keys, then the rows shown, numbers in full. */
void render_csv(struct text *text, const struct rows *rows);

/*
 * A table for GitHub's Markdown: the rows shown, a row for the others, the sums. With a headline it is one
 * comment of at most 65,536 bytes: the sentence, that table with names cut to 200 columns, and the rows that
 * are not shown folded, as many as fit, of those that matter little the first ten. What stands beside it
 * follows likewise, if it has a headline, too.
 */
void render_markdown(struct text *text, const struct rows *rows);

/* The rows in the format; `look` is for tables. */
void render(struct text *text, const struct rows *rows, enum render_format format, struct render_look look);

/* The format that a file's name asks for; false when its ending is none of .json .csv .md .txt, and of
 * .speedscope.json, which is no such one. */
bool render_format_of_name(const char *path, enum render_format *format);

/* A cell as people read it, unescaped; shared by table and Markdown. */
void render_cell(struct text *text, const struct column *column, const union cell *row, size_t index);

/* The text of a COLUMN_TEXT's cell as people read it, which may stand in another column; shared likewise. */
struct slice render_name(const struct column *column, const union cell *row, size_t index);

/* "and 12 more functions", "and 12 more functions and [padding]"; shared likewise. */
void render_left_out(struct text *text, const struct rows *rows, size_t count);

/* The same and how to see them: "and 12 more functions; -n 0 shows all". */
void render_left_out_hint(struct text *text, const struct rows *rows, size_t count);

/* A name set as code in a sentence of Markdown; nothing for an empty one. */
void render_code(struct text *text, struct slice name);

/*
 * Words of ours in Markdown, in which names of the user's may stand: they stay what they are. A word that
 * GitHub would make a mention or a link of, "@name" or "fix-#12", is set as code.
 */
void render_words(struct text *text, struct slice words);

#endif
