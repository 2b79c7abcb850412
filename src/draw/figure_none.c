/* figure_none.c - a build without cairo: says so, and what can be had instead. */
#include "display.h"

#include "base/error.h"

bool rg_cairo_is_there(void)
{
    return false;
}

rg_status rg_display_cairo(rg_file *file, const rg_display *display, rg_figure_format format,
                           rg_error *err)
{
    (void)file;
    (void)display;
    (void)format;
    return rg_fail(err, RG_EUSAGE, "built without cairo: pictures are SVG only");
}
