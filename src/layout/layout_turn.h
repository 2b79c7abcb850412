/* layout_turn.h - angles without an arc tangent. */
#ifndef REGULA_LAYOUT_LAYOUT_TURN_H
#define REGULA_LAYOUT_LAYOUT_TURN_H

/* The angle of (x, y) from the x axis towards the y axis in turns, 0 <= turns < 1. */
double rg_turns(double x, double y);

#endif
