/* figure_cairo.c - a list of shapes as PNG and as PDF, through cairo. */
#include "display.h"

#include "base/error.h"
#include "base/fault.h"

#include <cairo-pdf.h>
#include <cairo.h>
#include <math.h>

#define SHARP 2.0        /* pixels of a PNG to one of SVG */
#define SIDE_MAX 32000.0 /* pixels; cairo has no larger images */
#define POINTS 0.75      /* of PDF to a pixel of SVG */

bool rg_cairo_is_there(void)
{
    return true;
}

static cairo_status_t take(void *closure, const unsigned char *data, unsigned length)
{
    rg_file_bytes(closure, data, length); /* failures stick until the file is committed */
    return CAIRO_STATUS_SUCCESS;
}

static void set_colour(cairo_t *cr, rg_colour colour, double opacity)
{
    cairo_set_source_rgba(cr, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                          (colour & 255) / 255.0, opacity);
}

static void stroke(cairo_t *cr, const rg_shape *s)
{
    static const double dashes[] = {3, 2.5};
    if (!(s->width > 0))
        return;
    cairo_set_dash(cr, dashes, s->dashed ? 2 : 0, 0);
    cairo_set_line_width(cr, s->width);
    set_colour(cr, s->stroke, s->opacity);
    cairo_stroke(cr);
}

static void draw_text(cairo_t *cr, const rg_display *display, const rg_shape *s)
{
    const char *text = rg_display_string(display, s->text);
    cairo_text_extents_t size;
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           s->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, s->size);
    cairo_text_extents(cr, text, &size);
    double part = s->anchor == RG_ANCHOR_START ? 0 : s->anchor == RG_ANCHOR_MIDDLE ? 0.5 : 1;
    set_colour(cr, s->fill, s->opacity);
    cairo_move_to(cr, s->at[0].x - part * size.x_advance, s->at[0].y);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

static void draw_shape(cairo_t *cr, const rg_display *display, const rg_shape *s)
{
    const rg_point *at = s->at;
    switch (s->kind) {
    case RG_SHAPE_LINE:
        cairo_move_to(cr, at[0].x, at[0].y);
        cairo_line_to(cr, at[1].x, at[1].y);
        stroke(cr, s);
        break;
    case RG_SHAPE_CURVE:
        cairo_move_to(cr, at[0].x, at[0].y);
        cairo_curve_to(cr, at[1].x, at[1].y, at[2].x, at[2].y, at[3].x, at[3].y);
        stroke(cr, s);
        break;
    case RG_SHAPE_AREA:
        cairo_move_to(cr, at[0].x, at[0].y);
        cairo_line_to(cr, at[1].x, at[1].y);
        cairo_line_to(cr, at[2].x, at[2].y);
        cairo_close_path(cr);
        set_colour(cr, s->fill, s->opacity);
        cairo_fill(cr);
        break;
    case RG_SHAPE_CIRCLE:
        cairo_arc(cr, at[0].x, at[0].y, s->radius, 0, 6.283185307179586);
        set_colour(cr, s->fill, s->opacity);
        cairo_fill_preserve(cr);
        stroke(cr, s);
        break;
    case RG_SHAPE_BOX:
        cairo_rectangle(cr, at[0].x, at[0].y, at[1].x - at[0].x, at[1].y - at[0].y);
        set_colour(cr, s->fill, s->opacity);
        cairo_fill(cr);
        break;
    case RG_SHAPE_TEXT:
        draw_text(cr, display, s);
        break;
    case RG_SHAPE_TOGETHER:
        break;
    }
    cairo_new_path(cr);
}

static cairo_status_t draw(cairo_surface_t *surface, const rg_display *display, double scale)
{
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, scale, scale);
    for (size_t k = 0; k < display->n && cairo_status(cr) == CAIRO_STATUS_SUCCESS; k++)
        draw_shape(cr, display, &display->shapes[k]);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    return status;
}

static rg_status fail(cairo_status_t status, rg_error *err)
{
    if (status == CAIRO_STATUS_NO_MEMORY)
        return rg_fail_memory(err, "a picture");
    return rg_fail(err, RG_EFAIL, "cannot draw: %s", cairo_status_to_string(status));
}

static rg_status write_png(rg_file *file, const rg_display *display, rg_error *err)
{
    double longer = display->width > display->height ? display->width : display->height;
    double scale = longer * SHARP <= SIDE_MAX ? SHARP : 1;
    if (longer > SIDE_MAX)
        return rg_fail(err, RG_EUSAGE,
                       "the picture is %.0f pixels by %.0f, more than a PNG can be (%.0f): draw "
                       "fewer graphs, or SVG",
                       display->width, display->height, SIDE_MAX);
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)ceil(display->width * scale), (int)ceil(display->height * scale));
    cairo_status_t status = cairo_surface_status(surface);
    if (rg_fault_hit(RG_FAULT_ALLOC))
        status = CAIRO_STATUS_NO_MEMORY;
    if (status == CAIRO_STATUS_SUCCESS)
        status = draw(surface, display, scale);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png_stream(surface, take, file);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? RG_OK : fail(status, err);
}

static rg_status write_pdf(rg_file *file, const rg_display *display, rg_error *err)
{
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        take, file, display->width * POINTS, display->height * POINTS);
    cairo_status_t status = cairo_surface_status(surface);
    if (rg_fault_hit(RG_FAULT_ALLOC))
        status = CAIRO_STATUS_NO_MEMORY;
    /* no date: the same figure gives the same bytes */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    if (status == CAIRO_STATUS_SUCCESS)
        status = draw(surface, display, POINTS);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? RG_OK : fail(status, err);
}

rg_status rg_display_cairo(rg_file *file, const rg_display *display, rg_figure_format format,
                           rg_error *err)
{
    return format == RG_FIGURE_PDF ? write_pdf(file, display, err) : write_png(file, display, err);
}
