#include "gtest_parity/engines/tiny/serve/workers.h"

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/serve/cache_rows.h"

namespace parity::tiny {
namespace {

void CheckCollective(parity_status status) {
  if (status != PARITY_OK) throw EngineError(status, "serve: a collective failed");
}

}  // namespace

Workers::Workers(Rank& rank, CacheRow row, std::uint64_t sessions)
    : rank_(rank), row_(row), sessions_(sessions) {}

void Workers::Broadcast(void* data, std::uint64_t bytes) {
  const parity_collective* all = rank_.collective();
  if (all != nullptr && bytes != 0) CheckCollective(all->broadcast(all->context, 0, data, bytes));
}

void Workers::Send(Order order) { Broadcast(&order, sizeof(order)); }

StagedSequence Workers::SequenceAt(std::uint32_t slot, std::uint64_t length) const {
  StagedSequence sequence{slot, length, {}};
  for (std::uint64_t page = 0; page * kPageTokens < length; ++page) {
    sequence.pages.push_back(static_cast<std::int32_t>(page * sessions_ + slot));
  }
  return sequence;
}

StepResult Workers::Step(const std::string& program, std::uint32_t slot, std::uint64_t past,
                         std::span<const std::int32_t> tokens) {
  const Order order{program == "decode" ? Kind::kDecode : Kind::kPrefill, slot, past,
                    tokens.size()};
  Send(order);
  std::vector<std::int32_t> sent(tokens.begin(), tokens.end());
  Broadcast(sent.data(), sent.size() * sizeof(std::int32_t));
  RunStep(order, sent);
  const Operand logits = rank_.memory().Get(PARITY_BUFFER, "logits");
  const float* row = logits.As<float>() + (tokens.size() - 1) * logits.dims[1];
  StepResult result;
  result.next = *rank_.memory().Get(PARITY_BUFFER, "next_token").As<std::int32_t>();
  result.logits.assign(row, row + logits.dims[1]);
  return result;
}

void Workers::RunStep(const Order& order, const std::vector<std::int32_t>& tokens) {
  const char* program = order.kind == Kind::kDecode ? "decode" : "prefill";
  const StagedSequence at = SequenceAt(order.slot, order.past + order.tokens);
  std::vector<std::int32_t> positions;
  for (std::uint64_t i = 0; i < order.tokens; ++i) {
    positions.push_back(static_cast<std::int32_t>(order.past + i));
  }
  const parity_sequence sequence = {
      sizeof(parity_sequence), order.slot,     order.past, order.tokens,
      at.pages.data(),         at.pages.size()};
  rank_.Stage({sizeof(parity_step), program, "serve", order.tokens, tokens.data(), positions.data(),
               1, &sequence});
  rank_.RunGraph(program);
  ops_ += rank_.spec().FindProgram(program)->ops.size();
  rows_ += order.tokens;
}

std::vector<std::byte> Workers::Export(std::uint32_t slot, std::uint64_t tokens) {
  Send({Kind::kExport, slot, 0, tokens});
  std::vector<std::byte> rows(CacheRowsBytes(rank_, tokens));
  GatherRows(rank_, row_, SequenceAt(slot, tokens), rows.data());
  return rows;
}

void Workers::Import(std::uint32_t slot, std::uint64_t tokens, const std::vector<std::byte>& rows) {
  Send({Kind::kImport, slot, 0, tokens});
  std::vector<std::byte> sent = rows;
  Broadcast(sent.data(), sent.size());
  ScatterRows(rank_, row_, SequenceAt(slot, tokens), sent.data());
}

void Workers::Finish() { Send({Kind::kFinish, 0, 0, 0}); }

void Workers::Follow() {
  for (;;) {
    Order order{};
    Broadcast(&order, sizeof(order));
    if (order.kind == Kind::kFinish) return;
    if (order.kind == Kind::kExport) {
      GatherRows(rank_, row_, SequenceAt(order.slot, order.tokens), nullptr);
    } else if (order.kind == Kind::kImport) {
      std::vector<std::byte> rows(CacheRowsBytes(rank_, order.tokens));
      Broadcast(rows.data(), rows.size());
      ScatterRows(rank_, row_, SequenceAt(order.slot, order.tokens), rows.data());
    } else {
      std::vector<std::int32_t> tokens(order.tokens);
      Broadcast(tokens.data(), tokens.size() * sizeof(std::int32_t));
      RunStep(order, tokens);
    }
  }
}

}  // namespace parity::tiny
