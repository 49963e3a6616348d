#include "gtest_parity/engines/llama_cpp/rank.h"

#include <algorithm>
#include <numeric>

#include "gtest_parity/engines/llama_cpp/error.h"

namespace parity::llama_cpp {

Rank::Rank(Engine engine, volatile std::uint64_t* progress)
    : engine_(std::move(engine)), limits_(engine_.session->limits()), progress_(progress) {}

void Rank::Stage(const parity_step& step) {
  Step copy = CopyStep(step, limits_);
  slots_.Stage(copy);
  step_ = std::move(copy);
  logits_ = HostBuffer();
  engine_.session->TakeBackCancel();
}

void Rank::ExpectStaged(const std::string& program) const {
  if (step_ && step_->program == program) return;
  throw Invalid("run of \"" + program + "\", but the staged step is for \"" +
                (step_ ? step_->program : "") + "\"");
}

void Rank::Run(const std::string& program, std::uint32_t lo, std::uint32_t hi) {
  ExpectStaged(program);
  if (lo != 0 || hi != engine_.cuts.size()) {
    throw Unsupported("ops [" + std::to_string(lo) + ", " + std::to_string(hi) + ") of " + program +
                      ": only whole programs can be run");
  }
  Compute(nullptr, nullptr);
  Finish();
}

void Rank::RunTapped(const std::string& program, std::span<const parity_tap> taps,
                     parity_tap_callback callback, void* user) {
  ExpectStaged(program);
  const Taps asked(taps, callback, user, engine_.cuts);
  const std::vector<PieceRows>& rows = RowsOfPieces();
  if (rows.size() == 1) {
    ShowingVisitor visitor(asked, engine_.cuts, rows.front(), progress_);
    Observer observer(engine_.cuts, &visitor);
    Compute(&observer, &rows);
  } else {
    RunInPieces(asked, rows);
  }
  Finish();
}

void Rank::RunInPieces(const Taps& taps, const std::vector<PieceRows>& rows) {
  std::map<std::size_t, HostBuffer> values;
  for (const auto& [cut, tap] : taps.by_cut()) {
    values.emplace(cut, HostBuffer(engine_.cuts[cut].RowBytes() * step_->rows()));
  }
  auto next = values.begin();  // the first that has not been shown
  bool changed = true;
  while (changed) {
    const auto forced = static_cast<std::size_t>(std::distance(values.begin(), next));
    ForcingVisitor visitor(taps, engine_.cuts, rows, &values, forced);
    Observer observer(engine_.cuts, &visitor);
    Compute(&observer, &rows);
    // What follows a value stays true for as long as nobody changes that value.
    for (changed = false; next != values.end() && !changed; ++next) {
      const std::vector<std::byte> before(next->second.data(),
                                          next->second.data() + next->second.bytes());
      taps.Show(next->first, &next->second);
      changed = std::memcmp(before.data(), next->second.data(), before.size()) != 0;
    }
  }
}

std::vector<std::span<const StepSequence>> Rank::Decodes() const {
  const std::span<const StepSequence> all = step_->sequences;
  const std::uint32_t wanted = engine_.session->config().sequences_per_decode;
  const std::size_t together = wanted == 0 ? all.size() : wanted;
  std::vector<std::span<const StepSequence>> decodes;
  for (std::size_t first = 0; first < all.size(); first += together) {
    decodes.push_back(all.subspan(first, std::min(together, all.size() - first)));
  }
  return decodes;
}

// Some shapes of a step are computed in pieces and in another order of rows. Which, is seen when
// the step is computed a first time with nobody looking at values, and expected from then on.
const std::vector<PieceRows>& Rank::RowsOfPieces() {
  Shape shape;
  for (const StepSequence& sequence : step_->sequences) {
    shape.emplace_back(sequence.slot, sequence.rows);
  }
  const auto [found, is_new] = rows_of_pieces_.try_emplace(std::move(shape));
  if (!is_new) return found->second;
  if (step_->sequences.size() == 1 && step_->rows() <= engine_.session->config().ubatch) {
    PieceRows& rows = found->second.emplace_back(step_->rows());
    std::iota(rows.begin(), rows.end(), 0U);
    return found->second;
  }
  try {
    Observer observer(engine_.cuts, nullptr);
    Compute(&observer, nullptr);
    found->second = std::move(seen_);
  } catch (...) {
    rows_of_pieces_.erase(found);
    throw;
  }
  return found->second;
}

void Rank::Compute(Observer* observer, const std::vector<PieceRows>* expected) {
  Session& session = *engine_.session;
  for (const StepSequence& sequence : step_->sequences) {
    session.RemoveFrom(sequence.slot, sequence.past);
  }
  logits_ = HostBuffer(step_->rows() * limits_.vocabulary * sizeof(float));
  seen_.clear();
  for (const std::span<const StepSequence> sequences : Decodes()) {
    DecodeRows rows;
    for (const StepSequence& sequence : sequences) {
      for (std::uint64_t row = sequence.first_row; row < sequence.first_row + sequence.rows;
           ++row) {
        rows.tokens.push_back(step_->tokens[row]);
        rows.positions.push_back(step_->positions[row]);
        rows.sequences.push_back(static_cast<llama_seq_id>(sequence.slot));
      }
    }
    ++decodes_;
    rows_ += rows.tokens.size();
    session.Decode(std::move(rows), observer);
    TakeLogits(sequences);
    if (observer == nullptr) continue;
    const std::vector<PieceInputs> pieces = observer->TakePieces();
    pieces_ += pieces.size();
    for (PieceRows& piece : OrderRows(*step_, sequences, pieces, session.stream_cells())) {
      seen_.push_back(std::move(piece));
    }
  }
  if (observer != nullptr) nodes_ += observer->nodes();
  if (expected == nullptr || seen_ == *expected) return;
  throw Failed(
      "llama.cpp computed the rows of a step in another order than of a step alike before");
}

void Rank::TakeLogits(std::span<const StepSequence> decoded) {
  const std::uint64_t row_bytes = limits_.vocabulary * sizeof(float);
  std::size_t index = 0;
  for (const StepSequence& sequence : decoded) {
    for (std::uint64_t row = sequence.first_row; row < sequence.first_row + sequence.rows; ++row) {
      std::memcpy(logits_.data() + row * row_bytes, engine_.session->Logits(index++), row_bytes);
    }
  }
}

void Rank::Finish() {
  ++steps_;
  slots_.Finish(*step_);
}

parity_region Rank::Region(parity_kind kind, const std::string& name) {
  if (kind != PARITY_BUFFER || name != kLogits) {
    throw Unsupported("\"" + name + "\" can only be reached by a tap");
  }
  if (logits_.bytes() == 0) throw Invalid("\"logits\" before a program has run");
  return logits_.Region();
}

void Rank::Reset() {
  engine_.session->Clear();
  engine_.session->TakeBackCancel();
  slots_ = Slots();
  step_.reset();
  logits_ = HostBuffer();
}

std::string Rank::Counters() const {
  return "{\"steps\": " + std::to_string(steps_) + ", \"tokens\": " + std::to_string(rows_) +
         ", \"decodes\": " + std::to_string(decodes_) +
         ", \"ubatches\": " + std::to_string(pieces_) + ", \"nodes\": " + std::to_string(nodes_) +
         "}";
}

}  // namespace parity::llama_cpp
