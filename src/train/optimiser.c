/* optimiser.c - see optimiser.h; the loops over the parameters are in math/update.inc. */
#include "optimiser.h"

#include "base/error.h"

#include <math.h>

rg_optimiser_options rg_optimiser_default(void)
{
    return (rg_optimiser_options){.method = RG_ADAM,
                                  .beta1 = 0.9,
                                  .beta2 = 0.999,
                                  .eps = 1e-8,
                                  .momentum = 0.9,
                                  .decay = 0,
                                  .clip = 0};
}

rg_status rg_optimiser_check(const rg_optimiser_options *options, rg_error *err)
{
    const struct {
        const char *name;
        double value, below;
    } ranges[] = {
        {.name = "beta1", .value = options->beta1, .below = 1},
        {.name = "beta2", .value = options->beta2, .below = 1},
        {.name = "eps", .value = options->eps, .below = INFINITY},
        {.name = "momentum", .value = options->momentum, .below = 1},
        {.name = "decay", .value = options->decay, .below = INFINITY},
        {.name = "clip", .value = options->clip, .below = INFINITY},
    };
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        if (!(ranges[k].value >= 0 && ranges[k].value < ranges[k].below))
            return rg_fail(err, RG_EUSAGE, "%s is %g, expected a number from 0 to below %g",
                           ranges[k].name, ranges[k].value, ranges[k].below);
    return RG_OK;
}

void rg_optimiser_begin(rg_optimiser *optimiser, const rg_optimiser_options *options,
                        const rg_kernels *kernels, size_t n, void *w, void *g, void *m, void *v)
{
    *optimiser = (rg_optimiser){.options = *options,
                                .kernels = kernels,
                                .n = n,
                                .w = w,
                                .g = g,
                                .m = m,
                                .v = v,
                                .power1 = 1,
                                .power2 = 1};
}

/* clip_grad_norm_: the factor is min(1, clip / (norm + 1e-6)). */
static void clip_set(rg_update *update, const rg_optimiser *optimiser)
{
    double square[RG_MAX_LANES];
    if (optimiser->options.clip > 0)
        optimiser->kernels->squares(square, optimiser->n, optimiser->g);
    for (size_t l = 0; l < optimiser->kernels->lanes; l++) {
        update->clip[l] = 1;
        if (optimiser->options.clip > 0) {
            double factor = optimiser->options.clip / (sqrt(square[l]) + 1e-6);
            update->clip[l] = factor > 1 ? 1 : factor;
        }
    }
}

rg_update rg_optimiser_next(rg_optimiser *optimiser, const double *lr)
{
    const rg_optimiser_options *options = &optimiser->options;
    bool sgd = options->method == RG_SGD, decoupled = options->method == RG_ADAMW;
    rg_update update = {.beta1 = sgd ? options->momentum : options->beta1,
                        .beta2 = options->beta2,
                        .eps = options->eps,
                        .penalty = decoupled ? 0 : options->decay};
    clip_set(&update, optimiser);
    optimiser->n_steps++;
    optimiser->power1 *= options->beta1;
    optimiser->power2 *= options->beta2;
    update.root = 1 / sqrt(1 - optimiser->power2);
    for (size_t l = 0; l < optimiser->kernels->lanes; l++) {
        update.step[l] = sgd ? lr[l] : lr[l] / (1 - optimiser->power1);
        update.decay[l] = decoupled ? lr[l] * options->decay : 0;
        optimiser->lr[l] = lr[l];
    }
    return update;
}

static rg_update update_of(const rg_optimiser *optimiser, const rg_update *update, double decay)
{
    bool decoupled = optimiser->options.method == RG_ADAMW;
    rg_update own = *update;
    own.penalty = decoupled ? 0 : decay;
    for (size_t l = 0; l < optimiser->kernels->lanes; l++)
        own.decay[l] = decoupled ? optimiser->lr[l] * decay : 0;
    return own;
}

rg_update rg_optimiser_update(const rg_optimiser *optimiser, const rg_update *update, size_t at)
{
    for (size_t k = 0; k < optimiser->n_parts; k++)
        if (at < optimiser->parts[k].end)
            return update_of(optimiser, update, optimiser->parts[k].decay);
    return *update;
}

static void apply(const rg_optimiser *optimiser, const rg_update *update, size_t first, size_t n)
{
    const rg_kernels *kernels = optimiser->kernels;
    size_t at = first * kernels->real_size * kernels->lanes;
    char *w = optimiser->w, *g = optimiser->g, *m = optimiser->m, *v = optimiser->v;
    if (optimiser->options.method == RG_SGD)
        kernels->sgd(w + at, g + at, m + at, n, update);
    else
        kernels->adam(w + at, g + at, m + at, v + at, n, update);
}

void rg_optimiser_apply(const rg_optimiser *optimiser, const rg_update *update, size_t first,
                        size_t n)
{
    size_t begin = first, all = first + n;
    for (size_t k = 0; k < optimiser->n_parts && begin < all; k++) {
        const rg_optimiser_part *part = &optimiser->parts[k];
        size_t end = part->end < all ? part->end : all;
        if (end <= begin)
            continue;
        rg_update own = update_of(optimiser, update, part->decay);
        apply(optimiser, &own, begin, end - begin);
        begin = end;
    }
    if (begin < all)
        apply(optimiser, update, begin, all - begin);
}

void rg_optimiser_step(rg_optimiser *optimiser, const double *lr)
{
    rg_update update = rg_optimiser_next(optimiser, lr);
    rg_optimiser_apply(optimiser, &update, 0, optimiser->n);
}
