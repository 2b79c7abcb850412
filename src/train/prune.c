/* prune.c - dropping the weights of rules that are smallest in size, while training.
 *
 * After epoch e of prune_from .. prune_to a part
 *   prune (1 - (1 - (e - from + 1) / (to - from + 1))^3)
 * of the weights of rules and dense layers is gone (Zhu and Gupta, 2017: fast first, slow at the
 * end). Biases and norms stay. What was dropped stays zero, and so do its moments. */
#include "trainer.h"

#include <math.h>
#include <string.h>

static void set_zero(const rg_trainer *t, void *a, size_t k)
{
    if (t->settings.precision == RG_FLOAT)
        ((float *)a)[k] = 0;
    else
        ((double *)a)[k] = 0;
}

/* Piece of a layer's weights that may be dropped: those of a rule, then those of a dense layer. */
static size_t weights_of(const rg_net_layer *layer, size_t piece, size_t *first)
{
    if (layer->like != RG_NO_INDEX) /* they are those of another layer */
        return 0;
    if (piece < layer->n_rules) {
        *first = layer->rules[piece].at;
        return layer->rules[piece].n_params;
    }
    *first = layer->weights;
    return layer->kind->prunes ? rg_net_n_weights(layer) : 0;
}

/* Sizes of all weights of a lane; how many. */
static size_t collect(rg_trainer *t, size_t lane)
{
    const rg_network *net = t->samples->net;
    size_t n = 0, lanes = t->options.lanes;
    for (size_t k = 0; k < net->n_layers; k++)
        for (size_t piece = 0; piece <= net->layers[k].n_rules; piece++) {
            size_t first, count = weights_of(&net->layers[k], piece, &first);
            for (size_t i = first; i < first + count; i++)
                t->sizes[n++] = fabs(rg_real_at(t->settings.precision, t->w, i * lanes + lane));
        }
    return n;
}

static void drop(rg_trainer *t, size_t lane, double limit, size_t ties)
{
    const rg_network *net = t->samples->net;
    size_t lanes = t->options.lanes;
    for (size_t k = 0; k < net->n_layers; k++)
        for (size_t piece = 0; piece <= net->layers[k].n_rules; piece++) {
            size_t first, count = weights_of(&net->layers[k], piece, &first);
            for (size_t i = first; i < first + count; i++) {
                size_t at = i * lanes + lane;
                double size = fabs(rg_real_at(t->settings.precision, t->w, at));
                if (size > limit || (size == limit && ties == 0))
                    continue;
                ties -= size == limit;
                set_zero(t, t->mask, at);
                set_zero(t, t->w, at);
                set_zero(t, t->m, at);
                if (t->settings.optimiser.method != RG_SGD)
                    set_zero(t, t->v, at);
            }
        }
}

double rg_select(double *values, size_t n, size_t k)
{
    size_t low = 0, high = n - 1;
    while (low < high) {
        double a = values[low], b = values[low + (high - low) / 2], c = values[high];
        double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            double swap = values[i];
            values[i++] = values[j];
            values[j--] = swap;
        }
        /* all up to j are at most the pivot, all behind it at least */
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[k];
}

void rg_trainer_prune(rg_trainer *t)
{
    uint32_t epoch = t->epoch + 1, from = t->settings.prune_from, to = t->settings.prune_to;
    if (epoch < from || epoch > to)
        return;
    if (t->lazy)
        rg_lazy_give(t->lazy);
    double left = 1 - (double)(epoch - from + 1) / (double)(to - from + 1);
    double part = t->settings.prune * (1 - left * left * left);
    for (size_t lane = 0; lane < t->options.lanes; lane++) {
        size_t n = collect(t, lane), gone = (size_t)(part * (double)n);
        if (gone == 0)
            continue;
        double limit = rg_select(t->sizes, n, gone - 1);
        size_t below = 0;
        for (size_t k = 0; k < n; k++)
            below += t->sizes[k] < limit;
        drop(t, lane, limit, gone - below);
    }
}
