#include "page.h"

#include "escape.h"
#include "page_text.h"

void page_put(const char *open, const char *text, const char *close, FILE *out)
{
    fputs(open, out);
    escape_markup(text, out);
    fputs(close, out);
}

void page_open(const char *title, FILE *out)
{
    page_put("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
             "<link rel=\"icon\" href=\"data:,\"/><title>",
             title, "</title>\n<style>\n", out);
    fputs(conform_page_css, out);
    fputs("</style></head>\n<body><a class=\"skip\" href=\"#main\">Skip to the report</a>\n", out);
}

void page_close(FILE *out)
{
    fputs("<p id=\"said\" class=\"unseen\" role=\"status\"></p>\n<script>\n", out);
    fputs(conform_page_js, out);
    fputs("</script></body></html>\n", out);
}

void page_put_command(const char *command, FILE *out)
{
    page_put("<div class=\"cmd\"><pre>", command, "</pre></div>", out);
}
