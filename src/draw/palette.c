/* palette.c - colours of labels and of atoms. */
#include "display.h"
#include "names.h"

#include <string.h>

/* The first eight differ in lightness and lie where red-green blindness does not merge them; the
 * others repeat those hues darker and lighter. */
static const rg_colour colours[20] = {
    0x4c9bd6, 0xe69a1c, 0x2a9d6f, 0xd1d1d1, 0xc65a9e, 0xf2dc4b, 0x7a4fb5,
    0xc2501e, 0x1d3f72, 0x9fd8ef, 0x8a5a12, 0x95d5a5, 0x0d5c46, 0xf1b6d2,
    0x7d1f53, 0x7c7c1d, 0xc9b8ec, 0xf5b08a, 0x3a3a3a, 0x8e8e8e,
};

static const rg_colour greys[6] = {0xe4e4e4, 0xa8a8a8, 0x6e6e6e, 0xc6c6c6, 0x8b8b8b, 0x505050};

static const struct {
    char symbol[3];
    rg_colour colour;
} atoms[] = {
    {"H", 0xf7f7f7},  {"C", 0xb4b4b4},  {"N", 0x3c63e0},  {"O", 0xe23b2e},  {"F", 0x8fd14f},
    {"Cl", 0x2fae3f}, {"Br", 0x9c3226}, {"I", 0x7b1fa2},  {"S", 0xe8c92b},  {"P", 0xf08a24},
    {"B", 0xf0b5a6},  {"Si", 0xd9b98c}, {"Se", 0xd98e04}, {"Na", 0xa56be0}, {"K", 0x8a4fd0},
    {"Li", 0xc590f0}, {"Ca", 0x57b894}, {"Mg", 0x6fae4a}, {"Zn", 0x8288b5}, {"Fe", 0xd9773a},
    {"Cu", 0xc78a3c},
};

rg_colour rg_palette_colour(size_t k)
{
    size_t n = sizeof colours / sizeof *colours;
    return k < n ? colours[k] : greys[(k - n) % (sizeof greys / sizeof *greys)];
}

rg_colour rg_atom_colour(const char *symbol)
{
    if (!rg_name_is_atom(symbol))
        return 0xcfcfcf;
    for (size_t k = 0; k < sizeof atoms / sizeof *atoms; k++) {
        size_t n = strlen(atoms[k].symbol);
        char next = strncmp(symbol, atoms[k].symbol, n) == 0 ? symbol[n] : 'a';
        if (next < 'a' || next > 'z')
            return atoms[k].colour;
    }
    return 0xb9a6c9; /* metals and what is rare */
}

rg_colour rg_shade_colour(double part)
{
    rg_colour end = part < 0 ? RG_BLUE : RG_RED, mixed = 0;
    double size = part < 0 ? -part : part;
    size = size < 1 ? size : size >= 1 ? 1 : 0;
    for (int shift = 0; shift < 24; shift += 8) {
        double channel = 255 + ((double)((end >> shift) & 255) - 255) * size;
        mixed |= (rg_colour)(channel + 0.5) << shift;
    }
    return mixed;
}

/* What a channel of a screen, 0 .. 255, sends out: a cubic that is close to the curve of sRGB,
 * without a power that machines round differently. */
static double linear(rg_colour channel)
{
    double v = (channel & 255) / 255.0;
    return v * (0.0125 + v * (0.6822 + v * 0.3053));
}

rg_colour rg_colour_ink(rg_colour ground)
{
    double light =
        0.2126 * linear(ground >> 16) + 0.7152 * linear(ground >> 8) + 0.0722 * linear(ground);
    return light > 0.179 ? 0x000000 : 0xffffff;
}
