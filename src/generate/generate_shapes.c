/* generate_shapes.c - images of rectangles, ellipses, triangles and crosses.
 *
 * Whether a point lies inside a figure is decided in whole numbers, 16 to a pixel: the same images
 * on every machine. The brightness of a pixel is the part of its 16 points that lie inside. */
#include "regula/generate.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "base/sized.h"

#include <stdbool.h>

enum { RECTANGLE, ELLIPSE, TRIANGLE, CROSS, N_FIGURES };
enum { UNIT = 16, POINTS = 4 }; /* to a pixel; points of a pixel along one side */

/* Streams of random numbers; an image has its number in the low bits. */
enum { FOR_ORDER = 1, FOR_FIGURE, FOR_NOISE };

typedef struct figure {
    int kind;
    int64_t x, y; /* centre */
    int64_t a, b; /* half of its width and height */
    int64_t arm;  /* of a cross: half of its thickness */
    int64_t line; /* of a hollow figure: thickness of its outline; 0: filled */
    int turn;     /* of a triangle: where it points */
    double dark, light;
} figure;

RG_DEFINE_INIT(rg_shapes_options, RG_SHAPES_OPTIONS_INIT)

rg_status rg_shapes_options_check(const rg_shapes_options *given, rg_error *err)
{
    rg_shapes_options own = RG_SHAPES_OPTIONS_INIT, *options = &own;
    rg_status status = RG_TAKE(rg_shapes_options, &own, given, err);
    if (status)
        return status;
    if (options->n_images < 1 || options->n_images >= UINT32_MAX)
        return rg_fail(err, RG_EUSAGE, "Shapes: found %zu images, expected 1 to 4294967294",
                       options->n_images);
    if (options->n_images % N_FIGURES)
        return rg_fail(err, RG_EUSAGE, "Shapes: %zu images cannot be split into %d equal classes",
                       options->n_images, N_FIGURES);
    if (options->side < 12 || options->side > 1024)
        return rg_fail(err, RG_EUSAGE, "Shapes: found size %u, expected 12 to 1024", options->side);
    if (!(options->noise >= 0 && options->noise <= 1))
        return rg_fail(err, RG_EUSAGE, "Shapes: found noise %g, expected 0 to 1", options->noise);
    return RG_OK;
}

static int64_t absolute(int64_t value)
{
    return value < 0 ? -value : value;
}

/* Does (dx, dy), seen from the centre, lie inside, and at least `inset` away from the outline? */
static bool inside(const figure *f, int64_t dx, int64_t dy, int64_t inset)
{
    int64_t a = f->a - inset, b = f->b - inset, arm = f->arm - inset;
    if (a <= 0 || b <= 0)
        return false;
    if (f->kind == RECTANGLE)
        return absolute(dx) <= a && absolute(dy) <= b;
    if (f->kind == ELLIPSE)
        return dx * dx * b * b + dy * dy * a * a <= a * a * b * b;
    if (f->kind == CROSS)
        return (absolute(dx) <= a && absolute(dy) <= arm) ||
               (absolute(dx) <= arm && absolute(dy) <= b);
    /* Turned so that it points up: its tip is at (0, -h), its base from (-w, h) to (w, h). */
    bool lying = f->turn >= 2;
    int64_t u = lying ? dy : dx, v = lying ? dx : dy, w = lying ? f->b : f->a,
            h = lying ? f->a : f->b;
    v = f->turn % 2 ? -v : v;
    int64_t side = w * (v + h) - 2 * h * absolute(u); /* distance times the length of the side */
    return v <= h - inset && side >= 0 && side * side >= inset * inset * (w * w + 4 * h * h);
}

/* A number from low to high, draw `draw` of the image. */
static int64_t between(const rg_shapes_options *o, size_t image, uint64_t draw, int64_t low,
                       int64_t high)
{
    return low + rg_random_below(o->seed, (uint64_t)FOR_FIGURE << 60 | image, draw,
                                 (uint32_t)(high - low + 1));
}

/* Sizes are in sixteenths of the image, so that larger images show larger figures. */
static figure draw_figure(const rg_shapes_options *o, size_t image, int kind)
{
    int64_t side = (int64_t)o->side * UNIT;
    figure f = {.kind = kind};
    f.a = between(o, image, 0, side * 3 / 16, side * 6 / 16);
    f.b = between(o, image, 1, side * 3 / 16, side * 6 / 16);
    f.x = between(o, image, 2, f.a, side - f.a);
    f.y = between(o, image, 3, f.b, side - f.b);
    f.turn = (int)between(o, image, 4, 0, 3);
    if (between(o, image, 5, 0, 1))
        f.line = between(o, image, 6, side / 24, side / 16);
    int64_t narrow = f.a < f.b ? f.a : f.b;
    f.arm = between(o, image, 7, narrow * 2 / 5, narrow / 2);
    f.dark = (double)between(o, image, 8, 0, 1000) * 0.0002;        /* 0 to 0.2 */
    f.light = 0.6 + (double)between(o, image, 9, 0, 1000) * 0.0004; /* 0.6 to 1 */
    return f;
}

static double pixel(const figure *f, uint32_t row, uint32_t col)
{
    int covered = 0;
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            int64_t dx = (int64_t)col * UNIT + (2 * j + 1) * UNIT / (2 * POINTS) - f->x;
            int64_t dy = (int64_t)row * UNIT + (2 * i + 1) * UNIT / (2 * POINTS) - f->y;
            covered += inside(f, dx, dy, 0) && !(f->line && inside(f, dx, dy, f->line));
        }
    return f->dark + (f->light - f->dark) * covered / (POINTS * POINTS);
}

static void draw_image(float *out, const rg_shapes_options *o, size_t image, int kind)
{
    figure f = draw_figure(o, image, kind);
    for (uint32_t row = 0; row < o->side; row++)
        for (uint32_t col = 0; col < o->side; col++) {
            size_t k = (size_t)row * o->side + col;
            double value = pixel(&f, row, col);
            if (o->noise > 0)
                value += o->noise * rg_random_normal(o->seed, (uint64_t)FOR_NOISE << 60 | image, k);
            out[k] = (float)(value < 0 ? 0 : value > 1 ? 1 : value);
        }
}

rg_status rg_arrays_generate(rg_arrays **out, const rg_shapes_options *options, rg_error *err)
{
    rg_shapes_options o = RG_SHAPES_OPTIONS_INIT;
    float *values = NULL;
    int64_t *classes = NULL;
    uint32_t *order = NULL;
    rg_status status = RG_TAKE(rg_shapes_options, &o, options, err);
    if (!status)
        status = rg_shapes_options_check(&o, err);
    if (status)
        return status;
    size_t n_values = (size_t)o.side * o.side, n_all;
    if (!rg_size_mul(&n_all, o.n_images, n_values) || !(values = rg_alloc(n_all, sizeof *values)) ||
        !(classes = rg_alloc(o.n_images, sizeof *classes)) ||
        !(order = rg_alloc(o.n_images, sizeof *order)))
        status = rg_fail_memory(err, "drawing images");
    if (!status) {
        for (size_t k = 0; k < o.n_images; k++)
            order[k] = (uint32_t)k;
        rg_random_shuffle(o.seed, (uint64_t)FOR_ORDER << 60, order, o.n_images);
        for (size_t k = 0; k < o.n_images; k++) {
            classes[k] = order[k] % N_FIGURES;
            draw_image(values + k * n_values, &o, k, (int)classes[k]);
        }
        rg_arrays_content content = {.size = sizeof content,
                                     .name = "Shapes",
                                     .n_samples = o.n_images,
                                     .shape = {o.side, o.side, 1, 0},
                                     .floats = values,
                                     .classes = classes,
                                     .n_columns = 1};
        status = rg_arrays_build(out, &content, err);
    }
    rg_free(values);
    rg_free(classes);
    rg_free(order);
    return status;
}
