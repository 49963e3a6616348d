/* A complete engine: a recurrent language model of three ops over 32 tokens. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gtest_parity/engine/engine.h"

enum { kVocabulary = 32, kWidth = 8, kRows = 64, kSlots = 4 };

#ifndef EXAMPLE_DECAY
#define EXAMPLE_DECAY 0.5f /* how much a sequence remembers of its past */
#endif

static const char description[] =
    "{\"parity_description\": 1, \"engine\": \"example\", \"context\": 1024,"
    " \"vars\": {\"rows\": {\"max\": 64}, \"seqs\": {\"max\": 4}},"
    " \"buffers\": {"
    "  \"tokens\": {\"dtype\": \"i32\", \"shape\": [\"rows\"], \"role\": \"input\","
    "   \"domain\": {\"min\": 0, \"max\": 31}},"
    "  \"positions\": {\"dtype\": \"i32\", \"shape\": [\"rows\"], \"role\": \"input\"},"
    "  \"slots\": {\"dtype\": \"i32\", \"shape\": [\"rows\"], \"role\": \"input\"},"
    "  \"weights\": {\"dtype\": \"f32\", \"shape\": [32, 8], \"role\": \"constant\"},"
    "  \"embedded\": {\"dtype\": \"f32\", \"shape\": [\"rows\", 8]},"
    "  \"hidden\": {\"dtype\": \"f32\", \"shape\": [\"rows\", 8]},"
    "  \"logits\": {\"dtype\": \"f32\", \"shape\": [\"rows\", 32], \"role\": \"logits\"}},"
    " \"states\": {\"memory\": {\"dtype\": \"f32\", \"shape\": [4, 8]}},"
    " \"programs\": [{\"name\": \"prefill\", \"ops\": ["
    "  {\"op\": \"embed\", \"label\": \"embed\","
    "   \"reads\": [\"tokens\", \"weights\"], \"writes\": [\"embedded\"]},"
    "  {\"op\": \"mix\", \"label\": \"layer0.mix\","
    "   \"reads\": [\"embedded\", \"positions\", \"slots\"],"
    "   \"writes\": [\"hidden\"], \"updates\": [\"memory\"]},"
    "  {\"op\": \"head\", \"label\": \"head\","
    "   \"reads\": [\"hidden\", \"weights\"], \"writes\": [\"logits\"]}]}]}";

struct parity_rank { /* every array is a multiple of 64 bytes, hence aligned to 64 */
  float weights[kVocabulary][kWidth], memory[kSlots][kWidth];
  float embedded[kRows][kWidth], hidden[kRows][kWidth], logits[kRows][kVocabulary];
  int32_t tokens[kRows], positions[kRows], slots[kRows];
  uint64_t rows;
  volatile uint64_t* progress;
};

static const char* error = "no error"; /* one rank, so one thread */

static parity_status fail(parity_status status, const char* words) {
  error = words;
  return status;
}

static parity_status describe(const char* config, const char** text) {
  (void)config;
  *text = description;
  return PARITY_OK;
}

static parity_status create(const parity_create_args* args, parity_rank** out) {
  if (args->rank_count != 1) return fail(PARITY_INVALID, "example runs on 1 rank");
  parity_rank* rank = aligned_alloc(64, (sizeof(*rank) + 63) / 64 * 64);
  if (rank == NULL) return fail(PARITY_OUT_OF_MEMORY, "no memory for a rank");
  memset(rank, 0, sizeof(*rank));
  for (int i = 0; i < kVocabulary * kWidth; ++i)
    rank->weights[i / kWidth][i % kWidth] = sinf((float)(i + 1));
  rank->progress = args->progress;
  *out = rank;
  return PARITY_OK;
}

static void destroy(parity_rank* rank) { free(rank); }

static const char* last_error(parity_rank* rank) {
  (void)rank;
  return error;
}

static parity_status region(parity_rank* r, parity_kind kind, const char* name,
                            parity_region* out) {
  const struct {
    const char* name;
    void* data;
    uint64_t bytes;
  } tensors[] = {{"memory", r->memory, sizeof(r->memory)}, /* the one state, then the buffers */
                 {"weights", r->weights, sizeof(r->weights)},
                 {"tokens", r->tokens, r->rows * sizeof(r->tokens[0])},
                 {"positions", r->positions, r->rows * sizeof(r->positions[0])},
                 {"slots", r->slots, r->rows * sizeof(r->slots[0])},
                 {"embedded", r->embedded, r->rows * sizeof(r->embedded[0])},
                 {"hidden", r->hidden, r->rows * sizeof(r->hidden[0])},
                 {"logits", r->logits, r->rows * sizeof(r->logits[0])}};
  for (size_t i = 0; i < sizeof(tensors) / sizeof(tensors[0]); ++i) {
    if (strcmp(name, tensors[i].name) != 0 || (kind == PARITY_STATE) != (i == 0)) continue;
    out->memory = PARITY_MEMORY_HOST;
    out->device = -1;
    out->data = tensors[i].data;
    out->live_bytes = tensors[i].bytes;
    return PARITY_OK;
  }
  return fail(PARITY_INVALID, "no such buffer or state");
}

static parity_status stage(parity_rank* rank, const parity_step* step) {
  if (step->rows > kRows) return fail(PARITY_INVALID, "more than 64 rows");
  rank->rows = step->rows;
  memcpy(rank->tokens, step->tokens, step->rows * sizeof(rank->tokens[0]));
  memcpy(rank->positions, step->positions, step->rows * sizeof(rank->positions[0]));
  uint64_t row = 0;
  for (uint64_t s = 0; s < step->sequence_count; ++s) {
    for (uint64_t i = 0; i < step->sequences[s].rows; ++i) {
      rank->slots[row++] = (int32_t)step->sequences[s].slot;
    }
  }
  return PARITY_OK;
}

static void embed(parity_rank* rank, uint64_t row) {
  memcpy(rank->embedded[row], rank->weights[rank->tokens[row]], sizeof(rank->embedded[row]));
}

static void mix(parity_rank* rank, uint64_t row) {
  float* memory = rank->memory[rank->slots[row]];
  for (int i = 0; i < kWidth; ++i) {
    const float past = rank->positions[row] == 0 ? 0 : memory[i];
    rank->hidden[row][i] = memory[i] = EXAMPLE_DECAY * past + rank->embedded[row][i];
  }
}

static void head(parity_rank* rank, uint64_t row) {
  for (int token = 0; token < kVocabulary; ++token) {
    float sum = 0;
    for (int i = 0; i < kWidth; ++i) sum += rank->hidden[row][i] * rank->weights[token][i];
    rank->logits[row][token] = sum;
  }
}

static parity_status run(parity_rank* rank, const char* program, uint32_t lo, uint32_t hi) {
  static void (*const ops[])(parity_rank*, uint64_t) = {embed, mix, head};
  if (strcmp(program, "prefill") != 0 || lo > hi || hi > 3) {
    return fail(PARITY_INVALID, "no such program or ops");
  }
  for (uint32_t op = lo; op < hi; ++op) {
    *rank->progress = op + 1;
    for (uint64_t row = 0; row < rank->rows; ++row) ops[op](rank, row);
  }
  *rank->progress = 0;
  return PARITY_OK;
}

static parity_status synchronize(parity_rank* rank) {
  (void)rank;
  return PARITY_OK;
}

static parity_status reset(parity_rank* rank) {
  memset(rank->memory, 0, sizeof(rank->memory));
  return PARITY_OK;
}

PARITY_EXPORT const parity_plugin_table* parity_plugin(void) {
  static const parity_engine_api api = {.struct_size = sizeof(api),
                                        .name = "example",
                                        .describe = describe,
                                        .create = create,
                                        .destroy = destroy,
                                        .last_error = last_error,
                                        .region = region,
                                        .stage = stage,
                                        .run = run,
                                        .synchronize = synchronize,
                                        .reset = reset};
  static const parity_engine_api* const engines[] = {&api};
  static const parity_plugin_table table = {PARITY_ABI_VERSION, sizeof(table), 1, engines};
  return &table;
}
