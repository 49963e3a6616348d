/* A plugin whose table is wrong in the way that the environment variable BAD_TABLE names. Each call
 * of `parity_plugin` reads it anew. */
#include <stdlib.h>
#include <string.h>

#include "gtest_parity/engine/engine.h"

static parity_status describe(const char* config, const char** description) {
  (void)config;
  (void)description;
  return PARITY_FAILED;
}
static parity_status create(const parity_create_args* args, parity_rank** out) {
  (void)args;
  (void)out;
  return PARITY_FAILED;
}
static void destroy(parity_rank* rank) { (void)rank; }
static const char* last_error(parity_rank* rank) {
  (void)rank;
  return "nothing works here";
}
static parity_status region(parity_rank* rank, parity_kind kind, const char* name,
                            parity_region* out) {
  (void)rank;
  (void)kind;
  (void)name;
  (void)out;
  return PARITY_FAILED;
}
static parity_status stage(parity_rank* rank, const parity_step* step) {
  (void)rank;
  (void)step;
  return PARITY_FAILED;
}
static parity_status run(parity_rank* rank, const char* program, uint32_t lo, uint32_t hi) {
  (void)rank;
  (void)program;
  (void)lo;
  (void)hi;
  return PARITY_FAILED;
}
static parity_status of_rank(parity_rank* rank) {
  (void)rank;
  return PARITY_FAILED;
}

static parity_engine_api first, second;
static const parity_engine_api* engines[] = {&first, &second};
static parity_plugin_table table;

static void make_good(void) {
  const parity_engine_api good = {.struct_size = sizeof(good),
                                  .name = "first",
                                  .describe = describe,
                                  .create = create,
                                  .destroy = destroy,
                                  .last_error = last_error,
                                  .region = region,
                                  .stage = stage,
                                  .run = run,
                                  .synchronize = of_rank,
                                  .reset = of_rank};
  const parity_plugin_table two = {PARITY_ABI_VERSION, sizeof(two), 2, engines};
  first = good;
  second = good;
  second.name = "second";
  engines[1] = &second;
  table = two;
}

PARITY_EXPORT const parity_plugin_table* parity_plugin(void) {
  const char* bad = getenv("BAD_TABLE");
  make_good();
  if (bad == NULL) return &table;
  if (strcmp(bad, "none") == 0) return NULL;
  if (strcmp(bad, "abi") == 0) table.abi_version = 99;
  if (strcmp(bad, "short_table") == 0) table.struct_size = 4;
  if (strcmp(bad, "no_list") == 0) table.engines = NULL;
  if (strcmp(bad, "empty") == 0) table.engine_count = 0;
  if (strcmp(bad, "null_engine") == 0) engines[1] = NULL;
  if (strcmp(bad, "short_engine") == 0) second.struct_size = 40;
  if (strcmp(bad, "no_name") == 0) second.name = NULL;
  if (strcmp(bad, "tap_only") == 0) second.traits = PARITY_TAP_ONLY;
  if (strcmp(bad, "describe") == 0) second.describe = NULL;
  if (strcmp(bad, "create") == 0) second.create = NULL;
  if (strcmp(bad, "destroy") == 0) second.destroy = NULL;
  if (strcmp(bad, "last_error") == 0) second.last_error = NULL;
  if (strcmp(bad, "region") == 0) second.region = NULL;
  if (strcmp(bad, "stage") == 0) second.stage = NULL;
  if (strcmp(bad, "run") == 0) second.run = NULL;
  if (strcmp(bad, "reset") == 0) second.reset = NULL;
  if (strcmp(bad, "synchronize") == 0) second.synchronize = NULL;
  return &table;
}
