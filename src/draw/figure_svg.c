/* figure_svg.c - a list of shapes as SVG.
 *
 * Numbers have at most two decimals, written without the C library's idea of a decimal point. */
#include "display.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

static void put(rg_text *out, double value)
{
    long long hundredths = llround(value * 100), size = hundredths < 0 ? -hundredths : hundredths;
    rg_text_add(out, "%s%lld", hundredths < 0 ? "-" : "", size / 100);
    if (size % 100)
        rg_text_add(out, size % 10 ? ".%02lld" : ".%lld", size % 10 ? size % 100 : size % 100 / 10);
}

static void put_named(rg_text *out, const char *name, double value)
{
    rg_text_add(out, " %s=\"", name);
    put(out, value);
    rg_text_add(out, "\"");
}

static void put_point(rg_text *out, const char *before, rg_point at)
{
    rg_text_add(out, "%s", before);
    put(out, at.x);
    rg_text_add(out, " ");
    put(out, at.y);
}

/* The text is printable UTF-8 and line ends already (display.c). */
static void put_text(rg_text *out, const char *text)
{
    for (const char *p = text; *p;) {
        size_t plain = strcspn(p, "<>&\"'");
        rg_text_add(out, "%.*s", (int)plain, p);
        p += plain;
        if (*p)
            rg_text_add(out, "&#%d;", *p++);
    }
}

/* U+FFFE and U+FFFF are printable as far as others care, but no XML may hold them. */
static const char *next_forbidden(const char *text)
{
    const char *a = strstr(text, "\xef\xbf\xbe"), *b = strstr(text, "\xef\xbf\xbf");
    return !a ? b : !b || a < b ? a : b;
}

static void put_escaped(rg_text *out, const char *text)
{
    for (const char *bad = next_forbidden(text); bad; bad = next_forbidden(text)) {
        char part[256];
        while (text < bad) {
            size_t n =
                (size_t)(bad - text) < sizeof part - 1 ? (size_t)(bad - text) : sizeof part - 1;
            memcpy(part, text, n);
            part[n] = '\0';
            put_text(out, part);
            text += n;
        }
        rg_text_add(out, "?");
        text += 3;
    }
    put_text(out, text);
}

static void put_stroke(rg_text *out, const rg_shape *s)
{
    if (s->width > 0) {
        rg_text_add(out, " stroke=\"#%06x\"", (unsigned)s->stroke);
        put_named(out, "stroke-width", s->width);
    }
    if (s->dashed)
        rg_text_add(out, " stroke-dasharray=\"3 2.5\"");
    if (s->opacity < 1)
        put_named(out, "opacity", s->opacity);
}

static void put_title(rg_text *out, const rg_display *display, size_t hover)
{
    if (!hover)
        return;
    rg_text_add(out, "<title>");
    put_escaped(out, rg_display_string(display, hover));
    rg_text_add(out, "</title>");
}

static void put_label(rg_text *out, const rg_display *display, const rg_shape *s)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    rg_text_add(out, "<text");
    put_named(out, "x", s->at[0].x);
    put_named(out, "y", s->at[0].y);
    put_named(out, "font-size", s->size);
    rg_text_add(out, " fill=\"#%06x\"%s%s>", (unsigned)s->fill, anchors[s->anchor],
                s->bold ? " font-weight=\"bold\"" : "");
    put_title(out, display, s->hover);
    put_escaped(out, rg_display_string(display, s->text));
    rg_text_add(out, "</text>");
}

static void put_shape(rg_text *out, const rg_display *display, const rg_shape *s)
{
    switch (s->kind) {
    case RG_SHAPE_LINE:
        put_point(out, "<path d=\"M", s->at[0]);
        put_point(out, "L", s->at[1]);
        rg_text_add(out, "\"");
        put_stroke(out, s);
        rg_text_add(out, "/>");
        break;
    case RG_SHAPE_CURVE:
        put_point(out, "<path fill=\"none\" d=\"M", s->at[0]);
        put_point(out, "C", s->at[1]);
        put_point(out, " ", s->at[2]);
        put_point(out, " ", s->at[3]);
        rg_text_add(out, "\"");
        put_stroke(out, s);
        rg_text_add(out, "/>");
        break;
    case RG_SHAPE_AREA:
        put_point(out, "<path d=\"M", s->at[0]);
        put_point(out, "L", s->at[1]);
        put_point(out, "L", s->at[2]);
        rg_text_add(out, "Z\" fill=\"#%06x\"", (unsigned)s->fill);
        put_stroke(out, s);
        rg_text_add(out, "/>");
        break;
    case RG_SHAPE_CIRCLE:
        rg_text_add(out, "<circle");
        put_named(out, "cx", s->at[0].x);
        put_named(out, "cy", s->at[0].y);
        put_named(out, "r", s->radius);
        rg_text_add(out, " fill=\"#%06x\"", (unsigned)s->fill);
        put_stroke(out, s);
        rg_text_add(out, "/>");
        break;
    case RG_SHAPE_BOX:
        rg_text_add(out, "<rect");
        put_named(out, "x", s->at[0].x);
        put_named(out, "y", s->at[0].y);
        put_named(out, "width", s->at[1].x - s->at[0].x);
        put_named(out, "height", s->at[1].y - s->at[0].y);
        rg_text_add(out, " fill=\"#%06x\"/>", (unsigned)s->fill);
        break;
    case RG_SHAPE_TEXT:
        put_label(out, display, s);
        break;
    case RG_SHAPE_TOGETHER:
        break;
    }
}

/* Text that has not gone through the list: it is cleaned first. */
static void put_foreign(rg_text *out, const char *text)
{
    rg_display copy = {0};
    size_t number = rg_display_text(&copy, text);
    if (copy.failed)
        out->failed = true;
    else
        put_escaped(out, rg_display_string(&copy, number));
    rg_display_free(&copy);
}

static void put_head(rg_text *out, const rg_display *display, const char *title, const char *id)
{
    /* a picture without a name is no image to those who are read to */
    rg_text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"%s",
                title && *title ? " role=\"img\"" : "");
    if (id && *id) {
        rg_text_add(out, " id=\"");
        put_foreign(out, id);
        rg_text_add(out, "\"");
    }
    put_named(out, "width", display->width);
    put_named(out, "height", display->height);
    rg_text_add(out, " viewBox=\"0 0 ");
    put(out, display->width);
    rg_text_add(out, " ");
    put(out, display->height);
    rg_text_add(out, "\" font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\">\n");
    if (title && *title) {
        rg_text_add(out, "<title>");
        put_foreign(out, title);
        rg_text_add(out, "</title>\n");
    }
}

void rg_display_svg(rg_text *out, const rg_display *display, const char *title, const char *id)
{
    put_head(out, display, title, id);
    size_t left = 0; /* shapes of what is open; things are not nested */
    for (size_t k = 0; k < display->n; k++) {
        const rg_shape *s = &display->shapes[k];
        if (s->kind == RG_SHAPE_TOGETHER) {
            rg_text_add(out, "<g>");
            put_title(out, display, s->hover);
            left = s->count;
            if (!left)
                rg_text_add(out, "</g>\n");
            continue;
        }
        put_shape(out, display, s);
        if (left && --left == 0)
            rg_text_add(out, "</g>");
        if (!left)
            rg_text_add(out, "\n");
    }
    rg_text_add(out, "</svg>\n");
}
