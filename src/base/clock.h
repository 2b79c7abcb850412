/* clock.h - seconds of a clock that never goes back. */
#ifndef REGULA_BASE_CLOCK_H
#define REGULA_BASE_CLOCK_H

/* Only differences mean something. */
double rg_seconds(void);

#endif
