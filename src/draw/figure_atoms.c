/* figure_atoms.c - atoms as chemists write them: carbon is where lines meet, others are letters with
 * their hydrogens, charge and isotope; hydrogens stand where no bond is. */
#include "display.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTER 0.42 /* size of a letter, in edges */
#define SMALL 0.68  /* of numbers and charges, in letters */
#define ROOM 0.27   /* around a letter, in edges */

typedef enum atom_side { AT_RIGHT, AT_LEFT, AT_TOP, AT_BOTTOM, AT_SIDES } atom_side;

/* Text that is written from left to right: letters, small ones above or below. */
typedef struct atom_pen {
    rg_display *display; /* NULL: only measured */
    rg_point at;
    double size;
    rg_colour colour;
} atom_pen;

static rg_colour colour_of(const char *symbol)
{
    static const struct {
        char symbol[3];
        rg_colour colour;
    } list[] = {{"N", 0x1b45c8},  {"O", 0xc8201b}, {"S", 0x8a6d00},
                {"P", 0xb85a00},  {"F", 0x1f7a33}, {"Cl", 0x1f7a33},
                {"Br", 0x8a3010}, {"I", 0x6a1b9a}, {"B", 0x9a5a4a}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (strcmp(list[k].symbol, symbol) == 0)
            return list[k].colour;
    return RG_INK;
}

bool rg_atom_is_shown(const rg_figure_atom *atom, uint64_t degree)
{
    return strcmp(atom->symbol, "C") != 0 || atom->charge || atom->isotope || degree == 0;
}

double rg_atom_room(const rg_figure_atom *atom, uint64_t degree, double unit)
{
    return rg_atom_is_shown(atom, degree) ? ROOM * unit : 0;
}

/* up: -1 below the line, 0 on it, 1 above */
static void put(atom_pen *pen, const char *text, int up)
{
    double size = up ? SMALL * pen->size : pen->size;
    rg_point at = {pen->at.x, pen->at.y - (up > 0 ? 0.42 : up < 0 ? -0.16 : 0) * pen->size};
    if (pen->display)
        rg_display_write(pen->display, at, text, size, pen->colour, RG_ANCHOR_START, false);
    pen->at.x += rg_text_width(text, false) * size;
}

static void put_hydrogens(atom_pen *pen, unsigned n)
{
    char number[16];
    snprintf(number, sizeof number, "%u", n);
    if (n)
        put(pen, "H", 0);
    if (n > 1)
        put(pen, number, -1);
}

static void put_charge(atom_pen *pen, int charge)
{
    char text[16];
    if (abs(charge) == 1)
        snprintf(text, sizeof text, "%s", charge > 0 ? "+" : "\xe2\x88\x92");
    else
        snprintf(text, sizeof text, "%d%s", abs(charge), charge > 0 ? "+" : "\xe2\x88\x92");
    if (charge)
        put(pen, text, 1);
}

static void put_symbol(atom_pen *pen, const rg_figure_atom *atom)
{
    char number[16];
    snprintf(number, sizeof number, "%u", atom->isotope);
    if (atom->isotope)
        put(pen, number, 1);
    put(pen, atom->symbol, 0);
}

/* Where the bonds leave most room. */
static atom_side free_side(const rg_point *bonds, size_t n)
{
    static const rg_point ways[AT_SIDES] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}};
    atom_side best = AT_RIGHT;
    double least = 2;
    for (atom_side side = AT_RIGHT; side < AT_SIDES; side++) {
        double most = -1;
        for (size_t k = 0; k < n; k++) {
            double dot = bonds[k].x * ways[side].x + bonds[k].y * ways[side].y;
            most = dot > most ? dot : most;
        }
        if (side >= AT_TOP) /* beside the letter unless a bond is in the way */
            most += 1.1;
        if (most < least - 0.05) {
            least = most;
            best = side;
        }
    }
    return best;
}

void rg_atom_draw(rg_display *display, const rg_figure_atom *atom, rg_point at, double unit,
                  const rg_point *bonds, size_t n)
{
    atom_side side = free_side(bonds, n);
    double size = LETTER * unit, base = at.y + 0.36 * size;
    atom_pen pen = {NULL, {0, base}, size, colour_of(atom->symbol)};
    put(&pen, atom->symbol, 0);
    double left = at.x - pen.at.x / 2; /* of the symbol, in the middle */
    pen.at.x = 0;
    put_symbol(&pen, atom);
    double before = pen.at.x; /* with its isotope */
    pen.at.x = 0;
    put(&pen, atom->symbol, 0);
    before -= pen.at.x;
    pen.at.x = 0;
    put_hydrogens(&pen, atom->hydrogens);
    double hydrogens = pen.at.x;
    pen.display = display;
    pen.at = (rg_point){left - before, base};
    if (side == AT_LEFT) {
        pen.at.x -= hydrogens;
        put_hydrogens(&pen, atom->hydrogens);
    }
    put_symbol(&pen, atom);
    if (side == AT_RIGHT)
        put_hydrogens(&pen, atom->hydrogens);
    put_charge(&pen, atom->charge);
    if (side >= AT_TOP) {
        pen.at = (rg_point){left, base + (side == AT_TOP ? -0.85 : 0.85) * size};
        put_hydrogens(&pen, atom->hydrogens);
    }
}
