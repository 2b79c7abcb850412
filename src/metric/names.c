/* names.c - the table of metrics: their names, and which way is up. */
#include "metric.h"

#include "base/error.h"
#include "text/suggest.h"

#include <string.h>

static const struct {
    const char *name, *title;
    bool low, share, values;
} metrics[RG_METRICS] = {
    [RG_METRIC_DEFAULT] = {"default", "score", false, true, false},
    [RG_METRIC_AUTO] = {"auto", "score", false, true, false},
    [RG_METRIC_ACCURACY] = {"accuracy", "accuracy", false, true, false},
    [RG_METRIC_BALANCED_ACCURACY] = {"balanced-accuracy", "balanced accuracy", false, true, false},
    [RG_METRIC_ROC_AUC] = {"roc-auc", "ROC-AUC", false, false, false},
    [RG_METRIC_AVERAGE_PRECISION] = {"average-precision", "average precision", false, false, false},
    [RG_METRIC_F1_MACRO] = {"f1-macro", "F1 macro", false, false, false},
    [RG_METRIC_F1_MICRO] = {"f1-micro", "F1 micro", false, false, false},
    [RG_METRIC_LOG_LOSS] = {"log-loss", "log loss", true, false, false},
    [RG_METRIC_MAE] = {"mae", "MAE", true, false, true},
    [RG_METRIC_RMSE] = {"rmse", "RMSE", true, false, true},
    [RG_METRIC_R2] = {"r2", "R2", false, false, true},
};

const char *rg_metric_name(rg_metric metric)
{
    return metrics[metric].name;
}

const char *rg_metric_title(rg_metric metric)
{
    return metrics[metric].title;
}

int rg_metric_is_low(rg_metric metric)
{
    return metrics[metric].low;
}

int rg_metric_is_share(rg_metric metric)
{
    return metrics[metric].share;
}

int rg_metric_is_of_values(rg_metric metric)
{
    return metrics[metric].values;
}

static bool is_name(const char *name, const char *text)
{
    for (; *name && (*name == *text || (*name == '-' && *text == '_')); name++)
        text++;
    return *name == *text;
}

rg_status rg_metric_find(rg_metric *out, const char *name, rg_error *err)
{
    const char *known[RG_METRICS];
    char list[256];
    size_t n = 0;
    for (int m = RG_METRIC_AUTO; m < RG_METRICS; m++) {
        known[n++] = metrics[m].name;
        if (!is_name(metrics[m].name, name) && !(m == RG_METRIC_ROC_AUC && is_name("auc", name)))
            continue;
        *out = (rg_metric)m;
        return RG_OK;
    }
    const char *near = rg_suggest(name, known, n);
    rg_words_list(list, sizeof list, known, n, " or ", "");
    return rg_fail(err, RG_EUSAGE, "found the metric '%.40s', expected %s%s%s%s", name, list,
                   near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}
