#include "gtest_parity/engines/llama_cpp/taps.h"

#include <iterator>
#include <string>

#include "gtest_parity/engines/llama_cpp/error.h"
#include "gtest_parity/engines/llama_cpp/tap_values.h"

namespace parity::llama_cpp {

Taps::Taps(std::span<const parity_tap> taps, parity_tap_callback callback, void* user,
           const std::vector<Cut>& cuts)
    : taps_(taps), callback_(callback), user_(user) {
  for (std::uint32_t i = 0; i < taps.size(); ++i) {
    const std::string what = "a tap on \"" + std::string(taps[i].name) + "\"";
    if (taps[i].kind != PARITY_BUFFER) throw Unsupported(what + ": states cannot be tapped");
    if (taps[i].op >= cuts.size()) {
      throw Invalid(what + " at op " + std::to_string(taps[i].op) + ", there are " +
                    std::to_string(cuts.size()));
    }
    const Cut& cut = cuts[taps[i].op];
    if (cut.buffer != taps[i].name) {
      throw Invalid(what + ", which op " + cut.label + " does not write");
    }
    if (!by_cut_.emplace(taps[i].op, i).second) throw Invalid(what + " at " + cut.label + " twice");
  }
}

void Taps::Show(std::size_t cut, HostBuffer* values) const {
  const std::uint32_t tap = by_cut_.at(cut);
  const parity_region region = values->Region();
  if (callback_(user_, tap, &region) == PARITY_OK) return;
  throw EngineError(PARITY_CANCELLED,
                    "the tap on \"" + std::string(taps_[tap].name) + "\" ended the run");
}

ShowingVisitor::ShowingVisitor(const Taps& taps, const std::vector<Cut>& cuts,
                               const PieceRows& rows, volatile std::uint64_t* progress)
    : taps_(taps), cuts_(cuts), rows_(rows), progress_(progress) {
  Progress(taps.At(0) ? 1 : 0);
}

void ShowingVisitor::Visit(std::size_t piece, std::size_t cut, ggml_tensor& value) {
  if (piece != 0)
    throw Failed("llama.cpp computed in several graphs what it computed in one before");
  HostBuffer values(cuts_[cut].RowBytes() * rows_.size());
  ReadRows(value, cuts_[cut], rows_, &values);
  taps_.Show(cut, &values);
  WriteRows(values, cuts_[cut], rows_, &value);
  // Where the next op shows nothing, its end is not seen, nor is whose turn it is.
  Progress(taps_.At(cut + 1) ? cut + 2 : 0);
}

ForcingVisitor::ForcingVisitor(const Taps& taps, const std::vector<Cut>& cuts,
                               const std::vector<PieceRows>& rows,
                               std::map<std::size_t, HostBuffer>* values, std::size_t forced)
    : taps_(taps), cuts_(cuts), rows_(rows), values_(values), forced_(forced) {}

void ForcingVisitor::Visit(std::size_t piece, std::size_t cut, ggml_tensor& value) {
  if (piece >= rows_.size()) throw Failed("llama.cpp computed in more graphs than it did before");
  HostBuffer& values = values_->at(cut);
  const auto index = std::distance(taps_.by_cut().begin(), taps_.by_cut().find(cut));
  if (static_cast<std::size_t>(index) < forced_) {
    WriteRows(values, cuts_[cut], rows_[piece], &value);
  } else {
    ReadRows(value, cuts_[cut], rows_[piece], &values);
  }
}

}  // namespace parity::llama_cpp
