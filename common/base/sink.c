#include "base/sink.h"

/* sink_write */
static int add_to_text(void *context, struct slice bytes, struct error *err)
{
    (void)err;
    text_add(context, bytes);
    return 0;
}

struct sink sink_of_text(struct text *text)
{
    return (struct sink){add_to_text, text};
}
