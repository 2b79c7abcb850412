/* display.c - see display.h. */
#include "display.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

void rg_display_free(rg_display *display)
{
    rg_free(display->shapes);
    rg_free(display->texts);
    *display = (rg_display){0};
}

/* Room for n more bytes of text; NULL: there is none. */
static char *more_text(rg_display *display, size_t n)
{
    size_t first = display->n_texts ? 0 : 1; /* number 0 means none, and is empty */
    if (display->failed ||
        !rg_grow(&display->texts, &display->text_capacity, display->n_texts + first + n, 1)) {
        display->failed = true;
        return NULL;
    }
    if (first)
        display->texts[display->n_texts++] = '\0';
    return display->texts + display->n_texts;
}

/* The first n bytes. */
static size_t add_text(rg_display *display, const char *text, size_t n, const char *end)
{
    char *out = more_text(display, n + strlen(end) + 1);
    if (!out)
        return 0;
    size_t number = display->n_texts, k = 0;
    for (size_t at = 0; at < n;) {
        size_t step = rg_printable(text + at);
        if (step == 0 || at + step > n) {
            /* a new line in a hover text is one */
            out[k++] = text[at] == '\n' ? '\n' : '?';
            at++;
        } else {
            memcpy(out + k, text + at, step);
            k += step;
            at += step;
        }
    }
    strcpy(out + k, end);
    display->n_texts += k + strlen(end) + 1;
    return number;
}

size_t rg_display_text(rg_display *display, const char *text)
{
    return text ? add_text(display, text, strlen(text), "") : 0;
}

void rg_display_add(rg_display *display, const rg_shape *shape)
{
    if (display->failed ||
        !rg_grow(&display->shapes, &display->capacity, display->n + 1, sizeof *display->shapes)) {
        display->failed = true;
        return;
    }
    display->shapes[display->n++] = *shape;
}

size_t rg_display_open(rg_display *display, const char *hover)
{
    size_t opened = display->n;
    rg_display_add(
        display, &(rg_shape){.kind = RG_SHAPE_TOGETHER, .hover = rg_display_text(display, hover)});
    return opened;
}

void rg_display_close(rg_display *display, size_t opened)
{
    if (!display->failed)
        display->shapes[opened].count = display->n - opened - 1;
}

void rg_display_line(rg_display *display, rg_point a, rg_point b, double width, rg_colour colour,
                     bool dashed)
{
    rg_display_add(display, &(rg_shape){.kind = RG_SHAPE_LINE,
                                        .at = {a, b},
                                        .width = width,
                                        .stroke = colour,
                                        .dashed = dashed,
                                        .opacity = 1});
}

static void write_text(rg_display *display, rg_point at, size_t text, size_t hover, double size,
                       rg_colour colour, rg_anchor anchor, bool bold)
{
    rg_display_add(display, &(rg_shape){.kind = RG_SHAPE_TEXT,
                                        .at = {at},
                                        .text = text,
                                        .hover = hover,
                                        .size = size,
                                        .fill = colour,
                                        .anchor = anchor,
                                        .bold = bold,
                                        .opacity = 1});
}

void rg_display_write(rg_display *display, rg_point at, const char *text, double size,
                      rg_colour colour, rg_anchor anchor, bool bold)
{
    if (text && *text)
        write_text(display, at, rg_display_text(display, text), 0, size, colour, anchor, bold);
}

/* Bytes of the character at p: one that is no UTF-8 counts as one byte. */
static size_t step_of(const char *p)
{
    size_t n = rg_printable(p);
    return n ? n : 1;
}

/* In parts of the size; wider than Helvetica and about as wide as Verdana, so that what is
 * laid out by it does not run into its neighbour in any usual font. */
static double character_width(const char *p, bool bold)
{
    double width = 0.62;
    if (strchr("iljI.,:;'|!()[]", *p))
        width = 0.38;
    else if (strchr("mwMW@%", *p))
        width = 0.95;
    else if (*p == ' ')
        width = 0.33;
    else if (*p >= 'A' && *p <= 'Z')
        width = 0.69;
    else if ((unsigned char)*p >= 0xe0) /* three bytes or four: as wide as they are high */
        width = 1;
    return bold ? width * 1.1 : width;
}

double rg_text_width(const char *text, bool bold)
{
    double width = 0;
    for (const char *p = text; p && *p; p += step_of(p))
        width += character_width(p, bold);
    return width;
}

void rg_display_fit(rg_display *display, rg_point at, const char *text, double size,
                    rg_colour colour, rg_anchor anchor, bool bold, double room)
{
    static const char dots[] = "\xe2\x80\xa6";
    if (!text || !*text)
        return;
    if (rg_text_width(text, bold) * size <= room) {
        rg_display_write(display, at, text, size, colour, anchor, bold);
        return;
    }
    double width = 1;
    const char *p = text;
    while (*p && (width + character_width(p, bold)) * size <= room) {
        width += character_width(p, bold);
        p += step_of(p);
    }
    size_t cut = add_text(display, text, (size_t)(p - text), dots);
    write_text(display, at, cut, rg_display_text(display, text), size, colour, anchor, bold);
}
