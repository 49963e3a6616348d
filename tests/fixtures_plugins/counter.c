/* The least that an engine needs, in C99: one input, one output, one state, one program of two ops.
 *
 * `decode`: op 0 "double" writes doubled[i] = 2 * tokens[i]; op 1 "add" adds the sum over all ranks
 * of doubled[i] to total[i]. How it goes wrong on demand is in moods.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gtest_parity/engine/engine.h"
#include "moods.h"

enum { kMaxRows = 16, kTotals = 16 };

struct parity_rank {
  float total[kTotals];
  float doubled[2 * kMaxRows];
  int32_t tokens[kMaxRows];
  uint64_t rows;
  uint32_t rank;
  const parity_collective* collective;
  volatile uint64_t* progress;
  mood_t mood;
  const char* error;
};

/* Plugins may be called from several threads before there is a rank. */
static const char* create_error = "no error";

static const char description_format[] =
    "{\"parity_description\": 1, \"engine\": \"counter\", \"context\": %d,"
    " \"vars\": {\"rows\": {\"max\": 16}, \"seqs\": {\"max\": 4}},"
    " \"buffers\": {"
    "  \"tokens\": {\"dtype\": \"i32\", \"shape\": [\"rows\"], \"role\": \"input\","
    "   \"domain\": {\"min\": 0, \"max\": 99}},"
    "  \"doubled\": {\"dtype\": \"f32\", \"shape\": [\"rows\"], \"role\": \"output\"}},"
    " \"states\": {\"total\": {\"dtype\": \"f32\", \"shape\": [16]}},"
    " \"programs\": [{\"name\": \"decode\", \"ops\": ["
    "  {\"op\": \"double\", \"label\": \"layer0.double\", \"reads\": [\"tokens\"],"
    "   \"writes\": [\"doubled\"]},"
    "  {\"op\": \"add\", \"label\": \"layer0.add\", \"reads\": [\"doubled\"],"
    "   \"updates\": [\"total\"]}]}]}";

static parity_status describe(const char* config, const char** description) {
  static char text[sizeof(description_format) + 16];
  mood_t mood = mood_of(config);
  if (mood_is(&mood, "no_json")) {
    *description = "a counter";
    return PARITY_OK;
  }
  mood_show(&mood, "describe");
  snprintf(text, sizeof(text), description_format, mood_is(&mood, "other_description") ? 65 : 64);
  *description = text;
  return PARITY_OK;
}

static parity_status create(const parity_create_args* args, parity_rank** out) {
  mood_t mood = mood_of(args->config);
  if (args->rank == mood.rank && mood_show(&mood, "create") != PARITY_OK) {
    create_error = "there is no weight for this";
    return PARITY_FAILED;
  }
  parity_rank* rank = calloc(1, sizeof(*rank));
  if (rank == NULL) {
    create_error = "calloc failed";
    return PARITY_OUT_OF_MEMORY;
  }
  rank->rank = args->rank;
  rank->collective = args->collective;
  rank->progress = args->progress;
  rank->mood = mood;
  rank->error = "no error";
  *out = rank;
  return PARITY_OK;
}

static void destroy(parity_rank* rank) { free(rank); }

static const char* last_error(parity_rank* rank) {
  return rank == NULL ? create_error : rank->error;
}

static parity_status refusal(parity_rank* rank, parity_refusal* out) {
  (void)rank;
  out->guard = "counter.even";
  out->condition = "count % 2 == 0";
  out->operands = "{\"count\": 3}";
  return PARITY_OK;
}

static parity_status region(parity_rank* rank, parity_kind kind, const char* name,
                            parity_region* out) {
  out->memory = PARITY_MEMORY_HOST;
  out->device = -1;
  if (kind == PARITY_STATE && strcmp(name, "total") == 0) {
    out->data = rank->total;
    out->live_bytes = sizeof(rank->total);
  } else if (kind == PARITY_BUFFER && strcmp(name, "tokens") == 0) {
    out->data = rank->tokens;
    out->live_bytes = rank->rows * sizeof(rank->tokens[0]);
  } else if (kind == PARITY_BUFFER && strcmp(name, "doubled") == 0) {
    out->data = rank->doubled;
    out->live_bytes = rank->rows * sizeof(rank->doubled[0]) * (uint64_t)rank->mood.growth;
  } else {
    rank->error = "no such buffer or state";
    return PARITY_INVALID;
  }
  return PARITY_OK;
}

static parity_status stage(parity_rank* rank, const parity_step* step) {
  if (step->rows > kMaxRows) {
    rank->error = "more than 16 rows";
    return PARITY_INVALID;
  }
  rank->rows = step->rows;
  memcpy(rank->tokens, step->tokens, step->rows * sizeof(rank->tokens[0]));
  return PARITY_OK;
}

static void run_double(parity_rank* rank) {
  for (uint64_t i = 0; i < rank->rows; ++i) rank->doubled[i] = 2 * (float)rank->tokens[i];
}

static parity_status run_add(parity_rank* rank) {
  float sum[kMaxRows];
  memcpy(sum, rank->doubled, sizeof(sum));
  const parity_collective* all = rank->collective;
  const mood_t* mood = &rank->mood;
  const int odd = rank->rank == mood->rank && strcmp(mood->at, "add") == 0;
  if (odd && mood_is(mood, "skip_collective")) return PARITY_OK;
  parity_status status = PARITY_OK;
  if (odd && mood_is(mood, "other_collective")) {
    status = all->barrier(all->context);
  } else {
    const parity_dtype dtype = odd && mood_is(mood, "other_dtype") ? PARITY_I32 : PARITY_F32;
    const int fewer = mood_is(mood, "other_size") || mood_is(mood, "other_size_unnoticed");
    const uint64_t rows = odd && fewer ? rank->rows - 1 : rank->rows;
    status = all->all_reduce_sum(all->context, dtype, sum, rows);
  }
  if (mood_is(mood, "other_size_unnoticed")) status = PARITY_OK;
  if (status != PARITY_OK) {
    rank->error = "all_reduce_sum ended";
    return status;
  }
  for (uint64_t i = 0; i < rank->rows; ++i) rank->total[i] += sum[i];
  return PARITY_OK;
}

static parity_status run(parity_rank* rank, const char* program, uint32_t lo, uint32_t hi) {
  if (strcmp(program, "decode") != 0 || lo > hi || hi > 2) {
    rank->error = "no such program or ops";
    return PARITY_INVALID;
  }
  parity_status status = PARITY_OK;
  for (uint32_t op = lo; op < hi && status == PARITY_OK; ++op) {
    *rank->progress = op + 1;
    if (rank->rank == rank->mood.rank) {
      status = mood_show(&rank->mood, op == 0 ? "double" : "add");
      if (status != PARITY_OK) rank->error = "the counter lost count";
    }
    if (status == PARITY_OK && op == 0) run_double(rank);
    if (status == PARITY_OK && op == 1) status = run_add(rank);
  }
  if (status == PARITY_OK) *rank->progress = 0;
  return status;
}

static parity_status synchronize(parity_rank* rank) {
  (void)rank;
  return PARITY_OK;
}

static parity_status reset(parity_rank* rank) {
  memset(rank->total, 0, sizeof(rank->total));
  memset(rank->doubled, 0, sizeof(rank->doubled));
  rank->rows = 0;
  return PARITY_OK;
}

PARITY_EXPORT const parity_plugin_table* parity_plugin(void) {
  static parity_engine_api counter = {.struct_size = sizeof(counter),
                                      .name = "counter",
                                      .describe = describe,
                                      .create = create,
                                      .destroy = destroy,
                                      .last_error = last_error,
                                      .refusal = refusal,
                                      .region = region,
                                      .stage = stage,
                                      .run = run,
                                      .synchronize = synchronize,
                                      .reset = reset};
  static const parity_engine_api* const engines[] = {&counter};
  static const parity_plugin_table table = {PARITY_ABI_VERSION, sizeof(table), 1, engines};
  return &table;
}
