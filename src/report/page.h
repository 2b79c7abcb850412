/* page.h - inside: the style and the program of reports, as bytes (cmake/RegulaWeb.cmake). */
#ifndef REGULA_REPORT_PAGE_H
#define REGULA_REPORT_PAGE_H

#include <stddef.h>

extern const char rg_page_style[], rg_page_script[];
extern const size_t rg_page_style_size, rg_page_script_size;

#endif
