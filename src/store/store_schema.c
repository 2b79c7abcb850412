/* store_schema.c - the tables of a store, and every statement. docs/store.md is for its readers:
 * what is changed here is changed there, and RG_STORE_VERSION with it. */
#include "store_parts.h"

#define RUN_KEY "FOREIGN KEY (configuration, fold, run) REFERENCES run"

const rg_store_table rg_store_tables[RG_STORE_TABLES] = {
    {"experiment", "CREATE TABLE experiment (\n"
                   "  id INTEGER PRIMARY KEY CHECK (id = 1),\n"
                   "  name TEXT NOT NULL,\n"
                   "  digest TEXT NOT NULL,\n"
                   "  file TEXT NOT NULL,\n"
                   "  resolved TEXT NOT NULL,\n"
                   "  data TEXT NOT NULL,\n"
                   "  data_path TEXT NOT NULL,\n"
                   "  data_digest TEXT NOT NULL,\n"
                   "  splits TEXT NOT NULL,\n"
                   "  splits_digest TEXT NOT NULL,\n"
                   "  seed INTEGER NOT NULL,\n"
                   "  n_configurations INTEGER NOT NULL,\n"
                   "  n_folds INTEGER NOT NULL,\n"
                   "  n_runs INTEGER NOT NULL,\n"
                   "  fit TEXT NOT NULL,\n"
                   "  protocols TEXT NOT NULL,\n"
                   "  score TEXT NOT NULL,\n"
                   "  version TEXT NOT NULL,\n"
                   "  created TEXT NOT NULL,\n"
                   "  host TEXT NOT NULL,\n"
                   "  cpu TEXT NOT NULL,\n"
                   "  n_cores INTEGER NOT NULL,\n"
                   "  kernel TEXT NOT NULL\n"
                   ") STRICT"},
    {"fold", "CREATE TABLE fold (\n"
             "  fold INTEGER PRIMARY KEY,\n"
             "  number INTEGER NOT NULL,\n"
             "  n_train INTEGER,\n"
             "  n_validation INTEGER,\n"
             "  n_test INTEGER,\n"
             "  n_copies INTEGER,\n"
             "  majority REAL,\n"
             "  majority_validation REAL,\n"
             "  validation_is_test INTEGER NOT NULL\n"
             ") STRICT"},
    {"configuration", "CREATE TABLE configuration (\n"
                      "  number INTEGER PRIMARY KEY,\n"
                      "  choices TEXT NOT NULL,\n"
                      "  digest TEXT NOT NULL,\n"
                      "  recipe TEXT NOT NULL\n"
                      ") STRICT"},
    {"job", "CREATE TABLE job (\n"
            "  id INTEGER PRIMARY KEY,\n"
            "  configuration INTEGER NOT NULL REFERENCES configuration,\n"
            "  fold INTEGER NOT NULL,\n"
            "  first_run INTEGER NOT NULL,\n"
            "  n_runs INTEGER NOT NULL,\n"
            "  lanes INTEGER NOT NULL,\n"
            "  state TEXT NOT NULL DEFAULT 'waiting'\n"
            "    CHECK (state IN ('waiting', 'done', 'failed')),\n"
            "  message TEXT,\n"
            "  n_parameters INTEGER,\n"
            "  connections INTEGER,\n"
            "  weights_possible INTEGER,\n"
            "  weights_used INTEGER,\n"
            "  build_seconds REAL,\n"
            "  seconds REAL,\n"
            "  cpu_seconds REAL,\n"
            "  peak_rss INTEGER,\n"
            "  worker TEXT,\n"
            "  version TEXT,\n"
            "  finished TEXT,\n"
            "  UNIQUE (configuration, fold, first_run)\n"
            ") STRICT"},
    {"run", "CREATE TABLE run (\n"
            "  configuration INTEGER NOT NULL REFERENCES configuration,\n"
            "  fold INTEGER NOT NULL,\n"
            "  run INTEGER NOT NULL,\n"
            "  epochs INTEGER NOT NULL,\n"
            "  best_epoch INTEGER NOT NULL,\n"
            "  stopped INTEGER NOT NULL,\n"
            "  failed INTEGER NOT NULL,\n"
            "  train_loss REAL,\n"
            "  train_score REAL,\n"
            "  validation_loss REAL,\n"
            "  validation_score REAL,\n"
            "  test_loss REAL,\n"
            "  test_score REAL,\n"
            "  PRIMARY KEY (configuration, fold, run)\n"
            ") STRICT, WITHOUT ROWID"},
    {"epoch", "CREATE TABLE epoch (\n"
              "  configuration INTEGER NOT NULL,\n"
              "  fold INTEGER NOT NULL,\n"
              "  run INTEGER NOT NULL,\n"
              "  epoch INTEGER NOT NULL,\n"
              "  lr REAL,\n"
              "  train_loss REAL,\n"
              "  train_score REAL,\n"
              "  validation_loss REAL,\n"
              "  validation_score REAL,\n"
              "  PRIMARY KEY (configuration, fold, run, epoch),\n"
              "  " RUN_KEY "\n"
              ") STRICT, WITHOUT ROWID"},
    {"prediction", "CREATE TABLE prediction (\n"
                   "  configuration INTEGER NOT NULL,\n"
                   "  fold INTEGER NOT NULL,\n"
                   "  run INTEGER NOT NULL,\n"
                   "  n_rows INTEGER NOT NULL,\n"
                   "  width INTEGER NOT NULL,\n"
                   "  samples BLOB NOT NULL,\n"
                   "  classes BLOB,\n"
                   "  numbers BLOB,\n"
                   "  PRIMARY KEY (configuration, fold, run),\n"
                   "  " RUN_KEY "\n"
                   ") STRICT"},
    {"model", "CREATE TABLE model (\n"
              "  configuration INTEGER NOT NULL,\n"
              "  fold INTEGER NOT NULL,\n"
              "  run INTEGER NOT NULL,\n"
              "  file TEXT NOT NULL,\n"
              "  digest TEXT NOT NULL,\n"
              "  PRIMARY KEY (configuration, fold, run),\n"
              "  " RUN_KEY "\n"
              ") STRICT"},
    {"validation", "CREATE TABLE validation (\n"
                   "  configuration INTEGER NOT NULL,\n"
                   "  fold INTEGER NOT NULL,\n"
                   "  run INTEGER NOT NULL,\n"
                   "  n_rows INTEGER NOT NULL,\n"
                   "  width INTEGER NOT NULL,\n"
                   "  samples BLOB NOT NULL,\n"
                   "  classes BLOB,\n"
                   "  numbers BLOB,\n"
                   "  PRIMARY KEY (configuration, fold, run),\n"
                   "  " RUN_KEY "\n"
                   ") STRICT"},
    {"target", "CREATE TABLE target (\n"
               "  fold INTEGER NOT NULL,\n"
               "  part TEXT NOT NULL CHECK (part IN ('validation', 'test')),\n"
               "  n_rows INTEGER NOT NULL,\n"
               "  width INTEGER NOT NULL,\n"
               "  samples BLOB NOT NULL,\n"
               "  classes BLOB,\n"
               "  numbers BLOB,\n"
               "  PRIMARY KEY (fold, part)\n"
               ") STRICT"},
};

#define RUN_COLUMNS                                                                            \
    "configuration, fold, run, epochs, best_epoch, stopped, failed, train_loss, train_score, " \
    "validation_loss, validation_score, test_loss, test_score"
#define OF_RUN "configuration = ? AND fold = ? AND run = ?"
#define ORDER " ORDER BY configuration, fold, run"
#define RUNS_OF_JOB                                                                       \
    "r.configuration = j.configuration AND r.fold = j.fold AND r.run >= j.first_run AND " \
    "r.run < j.first_run + j.n_runs"
#define RUN_OF_EPOCH "e.configuration = r.configuration AND e.fold = r.fold AND e.run = r.run"

const char *const rg_store_statements[RG_SQL_STATEMENTS] = {
    [RG_SQL_BEGIN] = "BEGIN IMMEDIATE",
    [RG_SQL_COMMIT] = "COMMIT",
    [RG_SQL_ADD_EXPERIMENT] =
        "INSERT INTO experiment VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [RG_SQL_ADD_FOLD] = "INSERT INTO fold VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [RG_SQL_ADD_CONFIGURATION] = "INSERT INTO configuration VALUES (?, ?, ?, ?)",
    [RG_SQL_ADD_JOB] = "INSERT INTO job (id, configuration, fold, first_run, n_runs, lanes) "
                       "VALUES (?, ?, ?, ?, ?, ?)",
    [RG_SQL_PUT_JOB] = "UPDATE job SET state = ?, message = ?, n_parameters = ?, connections = ?, "
                       "weights_possible = ?, weights_used = ?, build_seconds = ?, seconds = ?, "
                       "cpu_seconds = ?, peak_rss = ?, worker = ?, version = ?, finished = ? "
                       "WHERE id = ?",
    [RG_SQL_PUT_RUN] = "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [RG_SQL_PUT_EPOCH] = "INSERT INTO epoch VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [RG_SQL_PUT_PREDICTION] = "INSERT INTO prediction VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [RG_SQL_PUT_VALIDATION] = "INSERT INTO validation VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [RG_SQL_PUT_TARGET] = "INSERT OR IGNORE INTO target VALUES (?, ?, ?, ?, ?, ?, ?)",
    [RG_SQL_PUT_MODEL] =
        "INSERT OR REPLACE INTO model SELECT configuration, fold, run, ?, ? FROM run "
        "WHERE " OF_RUN,
    [RG_SQL_RETRY] = "UPDATE job SET state = 'waiting', message = NULL WHERE id = ?",
    [RG_SQL_EXPERIMENT] = "SELECT * FROM experiment",
    [RG_SQL_FOLDS] = "SELECT * FROM fold ORDER BY fold",
    [RG_SQL_CONFIGURATIONS] = "SELECT number, choices, digest, recipe FROM configuration "
                              "ORDER BY number",
    [RG_SQL_JOBS] = "SELECT * FROM job ORDER BY id",
    [RG_SQL_RUNS] = "SELECT " RUN_COLUMNS " FROM run" ORDER,
    [RG_SQL_JOB_RUNS] = "SELECT " RUN_COLUMNS " FROM run WHERE configuration = ? AND fold = ? AND "
                        "run >= ? AND run <= ?" ORDER,
    [RG_SQL_EPOCHS] =
        "SELECT configuration, fold, run, epoch, lr, train_loss, train_score, "
        "validation_loss, validation_score FROM epoch WHERE " OF_RUN " ORDER BY epoch",
    [RG_SQL_PREDICTION] =
        "SELECT configuration, fold, run, n_rows, width, samples, classes, numbers "
        "FROM prediction WHERE " OF_RUN,
    [RG_SQL_VALIDATION] =
        "SELECT configuration, fold, run, n_rows, width, samples, classes, numbers "
        "FROM validation WHERE " OF_RUN,
    [RG_SQL_TARGET] = "SELECT fold, part, n_rows, width, samples, classes, numbers FROM target "
                      "WHERE fold = ? AND part = ?",
    [RG_SQL_MODELS] = "SELECT configuration, fold, run, file, digest FROM model" ORDER,
    [RG_SQL_SCHEMA] =
        "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'trigger') "
        "ORDER BY name",
    [RG_SQL_INTEGRITY] = "PRAGMA integrity_check(1)",
    [RG_SQL_KEYS] = "PRAGMA foreign_key_check",
    [RG_SQL_HALF_JOB] = "SELECT id FROM job j WHERE (SELECT count(*) FROM run r WHERE " RUNS_OF_JOB
                        ") <> CASE state WHEN 'done' THEN n_runs ELSE 0 END LIMIT 1",
    [RG_SQL_STRAY_RUN] = "SELECT configuration, fold, run FROM run r WHERE NOT EXISTS "
                         "(SELECT 1 FROM job j WHERE " RUNS_OF_JOB ") LIMIT 1",
    [RG_SQL_HALF_RUN] = "SELECT configuration, fold, run FROM run r WHERE (SELECT count(*) FROM "
                        "epoch e WHERE " RUN_OF_EPOCH " AND e.epoch > 0 AND e.epoch <= r.epochs) "
                        "<> r.epochs LIMIT 1",
    [RG_SQL_STRAY_EPOCH] = "SELECT configuration, fold, run, epoch FROM epoch e WHERE NOT EXISTS "
                           "(SELECT 1 FROM run r WHERE " RUN_OF_EPOCH
                           " AND e.epoch > 0 AND e.epoch <= r.epochs) LIMIT 1",
};
