#include "gtest_parity/side/prove_view.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "gtest_parity/engine/error.h"
#include "gtest_parity/judge/finding.h"
#include "gtest_parity/side/region.h"
#include "gtest_parity/side/value_text.h"
#include "gtest_parity/side/view_access.h"
#include "kernels/convert.h"

namespace parity {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kGuardBytes = 64;
constexpr std::uint8_t kGuard = 0xc3;

// 1.0, and the bits of its mantissa: numbers in [1, 2) convert between all floats that hold them.
struct OneAndMantissa {
  ElementBits one, mantissa;
};

OneAndMantissa OneOf(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return {0x3ff0000000000000, 0xfffffffffffff};
    case DType::kF32:
      return {0x3f800000, 0x7fffff};
    case DType::kF16:
      return {0x3c00, 0x3ff};
    default:
      return {0x3f80, 0x7f};
  }
}

class ViewProof {
 public:
  ViewProof(Rank& rank, Device& device, const WatchedTensor& tensor, const View& view,
            const Vars& step)
      : rank_(rank),
        device_(device),
        tensor_(tensor),
        view_(view),
        step_(step),
        access_(rank, device, tensor, view, step) {}

  std::string Run() {
    const Bytes before = Stored();
    std::string words;
    try {
      words = OnContents(before);
      for (int which = 0; which < 3 && words.empty(); ++which) words = OnPattern(which, before);
    } catch (const EngineError& error) {
      words = error.what();
    }
    PutBack(before);
    return words;
  }

 private:
  Bytes Stored() {
    const parity_region region = RegionOf(rank_, device_, tensor_.tensor);
    Bytes bytes(region.live_bytes);
    device_.Fetch(bytes.data(), region.data, bytes.size());
    return bytes;
  }

  void PutBack(const Bytes& bytes) {
    const parity_region region = RegionOf(rank_, device_, tensor_.tensor);
    device_.Put(region.data, bytes.data(), bytes.size());
  }

  // The view's bytes, shown and put through memory of the device.
  Bytes Through(ViewAccess& access, Bytes bytes) {
    DeviceBytes shown;
    shown.Resize(device_, bytes.size());
    device_.Put(shown.data(), bytes.data(), bytes.size());
    access.Export(shown.data());
    device_.Fetch(bytes.data(), shown.data(), bytes.size());
    return bytes;
  }

  std::string Import(const Bytes& bytes) {
    DeviceBytes shown;
    shown.Resize(device_, bytes.size());
    device_.Put(shown.data(), bytes.data(), bytes.size());
    std::string words = access_.Import(shown.data());
    device_.Synchronize();
    return words;
  }

  // What export writes over a buffer of `fill`; words where it writes beyond its end.
  std::string Exported(std::uint8_t fill, Bytes* out) {
    Bytes guarded(access_.bytes() + kGuardBytes, kGuard);
    std::fill(guarded.begin(), guarded.end() - kGuardBytes, fill);
    guarded = Through(access_, std::move(guarded));
    const bool intact = std::all_of(guarded.end() - kGuardBytes, guarded.end(),
                                    [](std::uint8_t byte) { return byte == kGuard; });
    guarded.resize(access_.bytes());
    *out = std::move(guarded);
    return intact ? ""
                  : "export writes beyond the " + std::to_string(access_.bytes()) +
                        " bytes that its description has";
  }

  std::string OnContents(const Bytes& before) {
    Bytes over_zeros, over_ones;
    std::string words = Exported(0x00, &over_zeros);
    if (words.empty()) words = Moved("export moves the engine's own memory", before, Stored());
    if (words.empty()) words = Exported(0xff, &over_ones);
    if (words.empty()) {
      words = Differs("export does not write, or writes another value each time", over_zeros,
                      over_ones);
    }
    contents_ = over_zeros;
    if (!words.empty()) return words;
    Import(contents_);
    return Moved("import of what export gave does not give back the bytes", before, Stored());
  }

  std::string OnPattern(int which, const Bytes& before) {
    const Bytes pattern = Pattern(which);
    const std::vector<Bytes> others = Others();
    std::string words = Import(pattern);
    if (!words.empty()) return "cannot hold the pattern of the proof: " + words;
    Bytes back;
    words = Exported(0x00, &back);
    const char* what[] = {"a pattern", "the first poison", "the second poison"};
    if (words.empty()) {
      words = Differs(std::string("export of ") + what[which] + " that was imported gives another",
                      pattern, back);
    }
    if (words.empty() && Others() != others) words = "import moves what another view shows";
    if (!words.empty()) return words;
    Import(contents_);
    return Moved(std::string("import of ") + what[which] + " moves what export does not show",
                 before, Stored());
  }

  std::vector<Bytes> Others() {
    std::vector<Bytes> others;
    for (const View& other : tensor_.views) {
      if (other.name == view_.name) continue;
      ViewAccess access(rank_, device_, tensor_, other, step_);
      others.push_back(Through(access, Bytes(access.bytes())));
    }
    return others;
  }

  Bytes Pattern(int which) const {
    const std::uint64_t elements = ElementsIn(view_.dtype, access_.bytes());
    const DType stored = tensor_.tensor.dtype;
    Bytes bytes(access_.bytes());
    if (which == 0) return Distinct(elements);
    const PoisonKind kind = which == 1 ? PoisonKind::kQuietNaN : PoisonKind::kLargeFinite;
    FillPoison(view_.dtype, PoisonThrough(stored, view_.dtype, kind), bytes.data(), elements);
    return bytes;
  }

  // Elements that both dtypes hold and that tell places apart.
  Bytes Distinct(std::uint64_t elements) const {
    std::mt19937_64 random(0x5eed);
    const DType stored = tensor_.tensor.dtype;
    Bytes bytes(access_.bytes());
    if (stored == view_.dtype) {
      const int mask = stored == DType::kBool ? 1 : 0xff;
      for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() & mask);
      return bytes;
    }
    const DType narrow = BitsOf(stored) < BitsOf(view_.dtype) ? stored : view_.dtype;
    const std::uint64_t width = BytesOf(narrow, 1);
    Bytes drawn(elements * width);
    for (std::uint64_t i = 0; i < elements; ++i) {
      ElementBits bits = random() & 0x7f;
      if (IsFloat(narrow)) bits = OneOf(narrow).one | (random() & OneOf(narrow).mantissa);
      std::memcpy(drawn.data() + i * width, &bits, width);
    }
    Convert(narrow, drawn.data(), view_.dtype, bytes.data(), elements);
    return bytes;
  }

  // In the view's coordinates.
  std::string Differs(const std::string& what, const Bytes& expected, const Bytes& got) const {
    const auto index = FirstDifference(view_.dtype, expected, got);
    if (!index) return "";
    return what + ": first at " + access_.Place(*index) + ", " +
           ValueText(view_.dtype, expected.data(), *index) + " and then " +
           ValueText(view_.dtype, got.data(), *index);
  }

  // In the engine's coordinates: it need not be anything that the view shows.
  std::string Moved(const std::string& what, const Bytes& before, const Bytes& after) const {
    const DType dtype = tensor_.tensor.dtype;
    const auto index = FirstDifference(dtype, before, after);
    if (!index) return "";
    return what + ": first at " + tensor_.tensor.name +
           Coordinates(Extents(tensor_.shape, step_), *index) + " of the engine, " +
           ValueText(dtype, before.data(), *index) + " and then " +
           ValueText(dtype, after.data(), *index);
  }

  // The first element in the first byte that differs.
  static std::optional<std::uint64_t> FirstDifference(DType dtype, const Bytes& a, const Bytes& b) {
    const auto at = std::mismatch(a.begin(), a.end(), b.begin()).first;
    if (at == a.end()) return std::nullopt;
    return ElementsIn(dtype, static_cast<std::uint64_t>(at - a.begin()));
  }

  Rank& rank_;
  Device& device_;
  const WatchedTensor& tensor_;
  const View& view_;
  const Vars& step_;
  ViewAccess access_;
  Bytes contents_;  // what the view showed at first
};

}  // namespace

std::string ProveView(Rank& rank, Device& device, const WatchedTensor& tensor, const View& view,
                      const Vars& step) {
  try {
    return ViewProof(rank, device, tensor, view, step).Run();
  } catch (const EngineError& error) {
    return error.what();
  }
}

}  // namespace parity
