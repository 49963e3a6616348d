// Values of a message. Whole numbers that do not fit what they are for are refused: the JSON
// library wraps them, and cuts those with a fraction or makes anything of one out of range.
#ifndef GTEST_PARITY_SIDE_WIRE_JSON_H_
#define GTEST_PARITY_SIDE_WIRE_JSON_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace parity {

// Throw std::invalid_argument or a json exception.
template <typename T>
void Take(const nlohmann::json& in, T& out);
template <typename T>
void Take(const nlohmann::json& in, std::vector<T>& out);
template <typename T, std::size_t n>
void Take(const nlohmann::json& in, std::array<T, n>& out);

template <typename T>
T Taken(const nlohmann::json& in) {
  T value{};
  Take(in, value);
  return value;
}

template <typename T>
void TakeWhole(const nlohmann::json& in, T& out) {
  const bool fits = in.is_number_unsigned()
                        ? std::in_range<T>(in.get<std::uint64_t>())
                        : in.is_number_integer() && std::in_range<T>(in.get<std::int64_t>());
  if (!fits) {
    throw std::invalid_argument(std::string("expected a whole number of ") +
                                std::to_string(8 * sizeof(T)) + " bits");
  }
  out = static_cast<T>(in.get<std::int64_t>());
}

template <typename T>
void Take(const nlohmann::json& in, T& out) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    TakeWhole(in, out);
  } else {
    in.get_to(out);
  }
}

template <typename T>
void Take(const nlohmann::json& in, std::vector<T>& out) {
  if (!in.is_array()) throw std::invalid_argument("expected a list");
  out.resize(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) Take(in[i], out[i]);
}

template <typename T, std::size_t n>
void Take(const nlohmann::json& in, std::array<T, n>& out) {
  if (in.size() != n) throw std::invalid_argument("expected " + std::to_string(n) + " values");
  for (std::size_t i = 0; i < n; ++i) Take(in.at(i), out[i]);
}

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_WIRE_JSON_H_
