/* explain_figure.c - see explain_figure.h. */
#include "explain_figure.h"

#include "base/alloc.h"
#include "base/error.h"
#include "draw/pictures.h"
#include "explainer.h"
#include "text/keeper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Panels of small graphs are made so wide that a legend fits below each; those of graphs that are
 * wider than this, in lengths of an edge, are so anyway. */
enum { WIDTH = 300, WIDE = 7 };

struct rg_explain_figure {
    rg_figure figure;
    rg_pictures pictures; /* its rows */
    rg_keeper keep;       /* all else that it points to */
};

/* Where the work is. */
typedef struct drawing {
    rg_explain_figure *out;
    rg_explainer *e;
    const rg_explain_figure_options *o;
    size_t layers[RG_NET_LAYERS_MAX]; /* that are drawn */
    size_t n_layers;
    double scale[RG_SPEC_LAYERS_MAX], bias_scale[RG_SPEC_LAYERS_MAX];
    rg_figure_row *rows;
    rg_panel *panels;     /* [row][column] */
    const char **words;   /* [statement]: its sentence, NULL: not said yet */
    uint8_t *strong;      /* [statement]: among the strongest of a sign: 1 up, 2 down */
    rg_effect_axis *axes; /* [row] */
} drawing;

/* ---- memory that lives as long as the figure */

static void *room(drawing *d, size_t n, size_t size)
{
    return rg_keeper_room(&d->out->keep, n, size);
}

static const char *keep_text(drawing *d, rg_text *text)
{
    return rg_keeper_text(&d->out->keep, text);
}

void rg_explain_figure_free(rg_explain_figure *f)
{
    if (!f)
        return;
    rg_pictures_free(&f->pictures);
    rg_keeper_free(&f->keep);
    rg_free(f);
}

const rg_figure *rg_explain_figure_get(const rg_explain_figure *f)
{
    return &f->figure;
}

static rg_status no_memory(rg_error *err)
{
    return rg_fail_memory(err, "a figure");
}

/* ---- what may be drawn */

static rg_status check(drawing *d, rg_error *err)
{
    const rg_explainer *e = d->e;
    if (e->net.arrays)
        return rg_fail(err, RG_EUSAGE, "the model is for arrays: only graphs can be drawn");
    if (d->o->layer != SIZE_MAX && d->o->layer >= e->net.n_layers)
        return rg_fail(err, RG_EUSAGE, "the network has %zu layers: there is no layer %zu",
                       e->net.n_layers, d->o->layer + 1);
    for (size_t l = 0; l < e->net.n_layers; l++)
        if (e->net.layers[l].kind->rules && !e->net.layers[l].kind->outputs &&
            (d->o->layer == SIZE_MAX || d->o->layer == l))
            d->layers[d->n_layers++] = l;
    if (d->n_layers == 0 && d->o->layer != SIZE_MAX)
        return rg_fail(err, RG_EUSAGE, "layer %zu (%s) has no pairs of nodes to draw",
                       e->net.layers[d->o->layer].of + 1,
                       rg_explainer_layer(e, d->o->layer).of_kind);
    if (d->n_layers == 0 && e->net.task == RG_TASK_NODES)
        return rg_fail(err, RG_EUSAGE,
                       "the network has no rule layer: there are no pairs of nodes to draw");
    for (size_t k = 0; k < d->o->n_graphs; k++) {
        rg_status status = rg_explainer_check_sample(e, d->o->graphs[k], err);
        if (status)
            return status;
        if (rg_samples_nodes(e->samples, d->o->graphs[k]) == 0)
            return rg_fail(err, RG_EUSAGE,
                           "graph %u of '%s' has no nodes: there is nothing to draw",
                           (unsigned)d->o->graphs[k], rg_source_name(&e->source));
    }
    return RG_OK;
}

/* ---- rows */

/* Where the files have no node labels: those of the network's first labeling. */
static rg_status colour_labels(drawing *d, rg_error *err)
{
    const rg_explainer *e = d->e;
    const uint32_t *of_node = rg_labels_data(e->samples->labels[0]);
    size_t n_labels = rg_labeling_size(e->net.labelings[0]), n = 0;
    uint32_t *place = room(d, n_labels, sizeof *place);
    rg_figure_label *labels = room(d, n_labels, sizeof *labels);
    if (!place || !labels)
        return no_memory(err);
    for (size_t r = 0; r < d->o->n_graphs; r++) {
        rg_graph g = rg_dataset_graph(e->source.graphs, d->o->graphs[r]);
        for (uint32_t i = 0; i < g.n_nodes; i++)
            place[of_node[g.first_node + i]] = 1;
    }
    for (uint32_t label = 0; label < n_labels; label++) {
        rg_text text = {0};
        if (!place[label])
            continue;
        rg_explainer_label_words(&text, e, 0, label);
        labels[n] = (rg_figure_label){keep_text(d, &text), rg_palette_colour(n)};
        if (!labels[n].name)
            return no_memory(err);
        place[label] = (uint32_t)n++;
    }
    for (size_t r = 0; r < d->o->n_graphs; r++) {
        rg_graph g = rg_dataset_graph(e->source.graphs, d->o->graphs[r]);
        uint32_t *numbers = room(d, g.n_nodes, sizeof *numbers);
        if (!numbers)
            return no_memory(err);
        for (uint32_t i = 0; i < g.n_nodes; i++)
            numbers[i] = place[of_node[g.first_node + i]];
        d->rows[r].labels = numbers;
    }
    d->out->figure.labels = labels;
    d->out->figure.n_labels = n;
    return RG_OK;
}

/* What nodes add, as colours of the first column. An outline goes around those with at least half of the
 * largest effect towards the answer. */
static rg_status shade_nodes(drawing *d, size_t r, const rg_attribution *a, rg_error *err)
{
    rg_panel *panel = &d->panels[r * d->out->figure.n_columns];
    rg_effect_axis axis = d->axes[r];
    double *shade = room(d, a->n_nodes, sizeof *shade), most = 0;
    uint8_t *outlined = room(d, a->n_nodes, 1);
    double sign = axis.down != RG_NO_OUTPUT && axis.down == a->said ? -1 : 1;
    if (!shade || !outlined)
        return no_memory(err);
    for (size_t i = 0; i < a->n_nodes; i++) {
        shade[i] = rg_explainer_on_axis(d->e, axis, a->nodes + i * a->n_outputs);
        most = fmax(most, sign * shade[i]);
        if (fabs(shade[i]) > d->out->figure.shade_scale)
            d->out->figure.shade_scale = fabs(shade[i]);
    }
    for (size_t i = 0; i < a->n_nodes; i++)
        outlined[i] = most > 0 && sign * shade[i] >= most / 2;
    panel->shade = shade;
    panel->outlined = outlined;
    return RG_OK;
}

/* "graph 7: class 1, said 1" */
static rg_status make_title(drawing *d, rg_figure_row *row, size_t r, rg_error *err)
{
    rg_attribution attribution;
    rg_text text = {0};
    rg_status status = rg_explainer_attribute(&attribution, d->e, d->o->graphs[r], err);
    if (status)
        return status;
    d->axes[r] = rg_explainer_axis(d->e, attribution.said == RG_NO_OUTPUT ? 0 : attribution.said);
    rg_text_add(&text, "graph %u", (unsigned)d->o->graphs[r]);
    if (attribution.truth < attribution.n_outputs) {
        rg_text_add(&text, ": ");
        rg_explainer_output_words(&text, d->e, attribution.truth);
    }
    if (attribution.said != RG_NO_OUTPUT && attribution.said != attribution.truth) {
        rg_text_add(&text, "%s",
                    attribution.truth < attribution.n_outputs ? ", predicted as "
                                                              : ": predicted as ");
        rg_explainer_output_words(&text, d->e, attribution.said);
    }
    if (d->o->notes && d->o->notes[r])
        rg_text_add(&text, "%s", d->o->notes[r]);
    status = shade_nodes(d, r, &attribution, err);
    rg_attribution_free(&attribution);
    row->title = keep_text(d, &text);
    return status || row->title ? status : no_memory(err);
}

static bool is_wide(const rg_pictures *pictures)
{
    for (size_t r = 0; r < pictures->n_rows; r++)
        for (uint32_t i = 0; i < pictures->rows[r].graph->n_nodes; i++)
            if (pictures->rows[r].points[i].x > WIDE)
                return true;
    return false;
}

/* The graphs as they are drawn without weights, and titles that say what the model made of them. */
static rg_status make_rows(drawing *d, rg_error *err)
{
    size_t n = d->o->n_graphs;
    uint64_t *graphs = room(d, n, sizeof *graphs);
    if (!graphs)
        return no_memory(err);
    for (size_t r = 0; r < n; r++)
        graphs[r] = d->o->graphs[r];
    rg_pictures *pictures = &d->out->pictures;
    rg_status status = rg_pictures_make(pictures, d->e->source.graphs, graphs, n, d->e->names, err);
    if (status)
        return status;
    d->rows = pictures->rows;
    d->out->figure.width = is_wide(pictures) ? 0 : WIDTH;
    d->out->figure.rows = pictures->rows;
    d->out->figure.labels = pictures->labels;
    d->out->figure.n_labels = pictures->n_labels;
    if (pictures->n_labels == 0 && d->e->net.spec->n_labels)
        status = colour_labels(d, err);
    for (size_t r = 0; !status && r < n; r++) {
        d->rows[r].panels = d->panels + r * d->out->figure.n_columns;
        status = make_title(d, &d->rows[r], r, err);
    }
    return status;
}

/* ---- panels */

/* Ascending by size, so that strong arrows lie on weak ones. */
static int by_size(const void *a, const void *b)
{
    const rg_pair_weight *x = a, *y = b;
    double p = fabs(x->effect), q = fabs(y->effect);
    if (p != q)
        return p < q ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->statement > y->statement) - (x->statement < y->statement);
}

static uint8_t sign_of(double effect)
{
    return effect > 0 ? 1 : effect < 0 ? 2 : 0;
}

/* Marks the `most` statements with the strongest effects of each sign: a statement counts once,
 * however many pairs have it. pairs: ascending. */
static void mark_strong(drawing *d, const rg_pair_weights *pairs, size_t most)
{
    size_t n[3] = {0, 0, 0};
    for (size_t k = 0; k < pairs->n; k++)
        d->strong[pairs->pairs[k].statement] = 0;
    for (size_t k = pairs->n; k-- > 0;) {
        uint8_t sign = sign_of(pairs->pairs[k].effect);
        uint8_t *mark = &d->strong[pairs->pairs[k].statement];
        if (!(*mark & sign) && n[sign] < most) {
            *mark |= sign;
            n[sign]++;
        }
    }
}

static const char *words_of(drawing *d, uint32_t statement)
{
    if (!d->words[statement]) {
        rg_text text = {0};
        rg_explainer_words(&text, d->e, statement);
        d->words[statement] = keep_text(d, &text);
    }
    return d->words[statement];
}

/* "+0.12 towards class 1: from a carbon to a nitrogen, 3 bonds away" */
static const char *text_of(drawing *d, size_t r, const rg_pair_weight *p)
{
    rg_text text = {0};
    const char *words = words_of(d, p->statement);
    if (!words)
        return NULL;
    rg_text_add(&text, "%.4g towards ", fabs(p->effect));
    rg_explainer_axis_words(&text, d->e, d->axes[r], p->effect > 0);
    rg_text_add(&text, ": %s", words);
    return keep_text(d, &text);
}

static rg_status make_panel(drawing *d, size_t r, rg_panel *panel, const rg_pair_weights *pairs,
                            size_t most, rg_error *err)
{
    size_t n = 0;
    rg_arrow *arrows = room(d, pairs->n, sizeof *arrows);
    if (!arrows)
        return no_memory(err);
    mark_strong(d, pairs, most);
    for (size_t k = 0; k < pairs->n; k++) {
        const rg_pair_weight *p = &pairs->pairs[k];
        if (!(d->strong[p->statement] & sign_of(p->effect)))
            continue;
        arrows[n++] = (rg_arrow){p->from, p->to, p->effect, text_of(d, r, p)};
        if (!arrows[n - 1].text)
            return no_memory(err);
    }
    panel->arrows = arrows;
    panel->n_arrows = n;
    return RG_OK;
}

/* All columns of one layer in one row. */
static rg_status make_panels(drawing *d, size_t r, size_t layer, rg_error *err)
{
    rg_pair_weights pairs;
    rg_panel *panel = d->panels + r * d->out->figure.n_columns + 1 + layer * d->o->n_columns;
    rg_status status =
        rg_explainer_pairs(&pairs, d->e, d->o->graphs[r], d->layers[layer], d->o->channel, err);
    if (status)
        return status;
    status =
        rg_explainer_pair_effects(&pairs, d->e, d->o->graphs[r], d->layers[layer], d->axes[r], err);
    if (pairs.n)
        qsort(pairs.pairs, pairs.n, sizeof *pairs.pairs, by_size);
    const double *bias = pairs.bias_effect = rg_keeper_block(&d->out->keep, pairs.bias_effect);
    if (!status && !bias)
        status = no_memory(err);
    if (pairs.n && fabs(pairs.pairs[pairs.n - 1].effect) > d->scale[layer])
        d->scale[layer] = fabs(pairs.pairs[pairs.n - 1].effect);
    for (uint32_t i = 0; bias && i < pairs.n_nodes; i++)
        if (fabs(bias[i]) > d->bias_scale[layer])
            d->bias_scale[layer] = fabs(bias[i]);
    bool biased = d->e->net.layers[d->layers[layer]].bias.rule != NULL;
    for (size_t k = 0; !status && k < d->o->n_columns; k++) {
        panel[k].bias = biased ? bias : NULL;
        status = make_panel(d, r, &panel[k], &pairs, d->o->columns[k], err);
    }
    pairs.bias_effect = NULL; /* the figure's */
    rg_pair_weights_free(&pairs);
    return status;
}

/* One scale for a layer, in all rows and columns. */
static void set_scales(drawing *d)
{
    size_t width = d->out->figure.n_columns;
    for (size_t r = 0; r < d->o->n_graphs; r++)
        for (size_t c = 1; c < width; c++) {
            rg_panel *panel = &d->panels[r * width + c];
            panel->scale = d->scale[(c - 1) / d->o->n_columns];
            panel->bias_scale = d->bias_scale[(c - 1) / d->o->n_columns];
        }
}

static rg_status make_heads(drawing *d, rg_error *err)
{
    size_t n = d->out->figure.n_columns;
    const char **heads = room(d, n, sizeof *heads);
    if (!heads)
        return no_memory(err);
    heads[0] = "graph";
    for (size_t c = 1; c < n; c++) {
        size_t most = d->o->columns[(c - 1) % d->o->n_columns];
        rg_text text = {0};
        rg_text_add(&text,
                    "layer %zu: ", d->e->net.layers[d->layers[(c - 1) / d->o->n_columns]].of + 1);
        if (most == RG_COLUMN_ALL)
            rg_text_add(&text, "all effects");
        else
            rg_text_add(&text, "%zu strongest", most);
        heads[c] = keep_text(d, &text);
        if (!heads[c])
            return no_memory(err);
    }
    d->out->figure.columns = heads;
    return RG_OK;
}

/* ---- the whole */

/* What the colours mean. */
static const char *say_caption(drawing *d)
{
    const rg_explainer *e = d->e;
    rg_effect_axis axis = rg_explainer_axis(e, 0);
    bool classes = rg_task_of_classes(e->net.task);
    rg_text text = {0};
    rg_text_add(&text, "%s the %s%s: red towards ",
                d->n_layers ? "Arrows are effects on" : "Nodes have the colour of what they add to",
                classes ? "log odds" : "output", d->n_layers ? ", from input to output" : "");
    if (classes && e->net.n_outputs > 2)
        rg_text_add(&text, "the class of the answer, blue away from it");
    else {
        rg_explainer_axis_words(&text, e, axis, true);
        rg_text_add(&text, ", blue towards ");
        rg_explainer_axis_words(&text, e, axis, false);
    }
    if (!d->n_layers) {
        rg_text_add(&text,
                    ". The network has no rule layer, so there are no arrows between nodes.");
        return keep_text(d, &text);
    }
    rg_text_add(&text,
                ". Nodes of the first column have the colour of what they add, and the rim that of "
                "their label; those with at least half of the largest effect towards the "
                "answer are outlined. 'N strongest' shows the N rules with the largest effects of "
                "each colour. "
                "The size of a node shows the effect of its bias.");
    return keep_text(d, &text);
}

static rg_status draw(drawing *d, rg_error *err)
{
    rg_figure *figure = &d->out->figure;
    figure->n_rows = d->o->n_graphs;
    figure->n_columns = 1 + d->n_layers * d->o->n_columns;
    d->panels = room(d, figure->n_rows * figure->n_columns, sizeof *d->panels);
    d->words = room(d, d->e->n, sizeof *d->words);
    d->strong = room(d, d->e->n, sizeof *d->strong);
    d->axes = room(d, figure->n_rows, sizeof *d->axes);
    if (!d->panels || !d->words || !d->strong || !d->axes)
        return no_memory(err);
    rg_text title = {0};
    rg_text_add(&title, "%s", rg_source_name(&d->e->source));
    figure->title = keep_text(d, &title);
    figure->caption = say_caption(d);
    figure->numbers = d->o->numbers;
    rg_status status = figure->title && figure->caption ? make_rows(d, err) : no_memory(err);
    if (!status)
        status = make_heads(d, err);
    for (size_t r = 0; !status && r < figure->n_rows; r++)
        for (size_t l = 0; !status && l < d->n_layers; l++)
            status = make_panels(d, r, l, err);
    if (!status)
        set_scales(d);
    return status;
}

rg_status rg_explain_figure_new(rg_explain_figure **out, rg_explainer *e,
                                const rg_explain_figure_options *options, rg_error *err)
{
    drawing d = {.e = e, .o = options};
    rg_status status = check(&d, err);
    if (status)
        return status;
    d.out = rg_alloc_zero(1, sizeof *d.out);
    status = d.out ? draw(&d, err) : no_memory(err);
    if (status)
        rg_explain_figure_free(d.out);
    else
        *out = d.out;
    return status;
}
