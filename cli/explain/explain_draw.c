/* explain_draw.c - the graphs that were asked for as one picture. */
#include "explain.h"

rg_status cli_explain_draw(cli_explain *job, rg_error *err)
{
    rg_explain_figure *figure = NULL;
    rg_explain_figure_options options = {.graphs = job->graphs,
                                         .n_graphs = job->n_graphs,
                                         .columns = job->columns,
                                         .n_columns = job->n_columns,
                                         .numbers = job->numbers,
                                         .layer = cli_explain_layer(job),
                                         .channel = SIZE_MAX};
    rg_status status = rg_explain_figure_new(&figure, job->explainer, &options, err);
    if (!status)
        status = rg_figure_write(rg_explain_figure_get(figure), job->out, err);
    cli_progress_end(&job->use.progress);
    rg_explain_figure_free(figure);
    return status;
}
