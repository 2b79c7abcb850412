/* regula.h - all public headers. */
#ifndef REGULA_REGULA_H
#define REGULA_REGULA_H

#include "arrays.h"
#include "audit.h"
#include "auto.h"
#include "base.h"
#include "build.h"
#include "dataset.h"
#include "experiment.h"
#include "features.h"
#include "fetch.h"
#include "generate.h"
#include "label.h"
#include "metric.h"
#include "model.h"
#include "pairs.h"
#include "property.h"
#include "rule.h"
#include "split.h"

#endif
