/* report_rules.c - placeholder until the explanations are there. */
#include "report_parts.h"

rg_status rg_report_add_rules(rg_report *report, rg_error *err)
{
    (void)err;
    rg_report_none(&report->json, "rules", "No model was kept.");
    rg_report_none(&report->json, "graphs", "No model was kept.");
    return RG_OK;
}
