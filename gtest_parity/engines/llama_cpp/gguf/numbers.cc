#include "gtest_parity/engines/llama_cpp/gguf/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "gtest_parity/engines/llama_cpp/gguf/types.h"
#include "kernels/formats.h"

namespace parity::gguf {
namespace {

void Put(std::uint32_t bits, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i) *out += static_cast<char>(bits >> (8 * i));
}

std::uint32_t Take(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < width; ++i) {
    bits |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return bits;
}

void PutQ8Block(std::span<const float> values, std::string* out) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  const float scale = largest / 127;
  // ggml multiplies by the inverse; a division rounds otherwise now and then.
  const float inverse = scale == 0 ? 0 : 1 / scale;
  Put(F16Of(scale), 2, out);
  for (const float value : values) {
    *out += static_cast<char>(static_cast<std::int8_t>(std::round(value * inverse)));
  }
}

void TakeQ8Block(std::string_view block, std::vector<float>* out) {
  const float scale = OfF16(static_cast<std::uint16_t>(Take(block, 0, 2)));
  for (const char quant : block.substr(2)) {
    out->push_back(scale * static_cast<float>(static_cast<std::int8_t>(quant)));
  }
}

void CheckComputed(std::uint32_t type, std::uint64_t count, std::uint64_t unit) {
  if (!IsComputed(type)) {
    throw std::invalid_argument("tensor type " + std::to_string(type) + " is not computed with");
  }
  if (count % unit != 0) throw std::invalid_argument("no whole blocks");
}

}  // namespace

std::uint16_t F16Of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7e00u);
  if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00u);  // rounds beyond 65504
  // The step between f16 neighbours there: 2^-24 below the least normal number, 2^-14.
  const int exponent = magnitude < 0x1p-14f ? -14 : std::ilogb(magnitude);
  // nearbyint rounds ties to even; scaling by a power of 2 is exact. A carry into the next power
  // of 2 is a carry of the bits, too.
  const auto steps =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return static_cast<std::uint16_t>(sign |
                                    ((static_cast<std::uint32_t>(exponent + 14) << 10) + steps));
}

std::uint16_t BF16Of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

float OfF16(std::uint16_t bits) { return F16::Decode(bits); }

float OfBF16(std::uint16_t bits) { return BF16::Decode(bits); }

bool IsComputed(std::uint32_t type) {
  return type == kF32 || type == kF16 || type == kBF16 || type == kQ8_0;
}

std::string Encode(std::span<const float> values, std::uint32_t type) {
  CheckComputed(type, values.size(), type == kQ8_0 ? kQ8_0Block : 1);
  std::string out;
  if (type == kQ8_0) {
    for (std::size_t at = 0; at < values.size(); at += kQ8_0Block) {
      PutQ8Block(values.subspan(at, kQ8_0Block), &out);
    }
    return out;
  }
  for (const float value : values) {
    if (type == kF32) Put(std::bit_cast<std::uint32_t>(value), 4, &out);
    if (type == kF16) Put(F16Of(value), 2, &out);
    if (type == kBF16) Put(BF16Of(value), 2, &out);
  }
  return out;
}

std::vector<float> Decode(std::string_view bytes, std::uint32_t type) {
  const std::size_t unit = type == kQ8_0 ? kQ8_0BlockBytes : type == kF32 ? 4 : 2;
  CheckComputed(type, bytes.size(), unit);
  std::vector<float> out;
  for (std::size_t at = 0; at < bytes.size(); at += unit) {
    if (type == kQ8_0) {
      TakeQ8Block(bytes.substr(at, unit), &out);
      continue;
    }
    const std::uint32_t bits = Take(bytes, at, unit);
    if (type == kF32) out.push_back(std::bit_cast<float>(bits));
    if (type == kF16) out.push_back(OfF16(static_cast<std::uint16_t>(bits)));
    if (type == kBF16) out.push_back(OfBF16(static_cast<std::uint16_t>(bits)));
  }
  return out;
}

bool Holds(std::span<const float> values, std::uint32_t type) {
  // A block's scale is the only f16 in it.
  const float most = type == kF16 ? 65504.0f : type == kQ8_0 ? 65504.0f * 127 : 0;
  return std::all_of(values.begin(), values.end(), [&](float value) {
    if (!std::isfinite(value)) return false;
    if (type == kBF16) return std::isfinite(OfBF16(BF16Of(value)));
    return most == 0 || std::fabs(value) <= most;
  });
}

}  // namespace parity::gguf
