// Types that fields.h takes apart, to JSON and back, bit for bit.
//
// Numbers that JSON cannot say are strings ("inf", "-inf", "nan"); lists, maps and texts that are
// empty are left out. An image is [bytes, page, ...], element ranges are [first, count, ...].
#ifndef GTEST_PARITY_REPLAY_FIELDS_JSON_H_
#define GTEST_PARITY_REPLAY_FIELDS_JSON_H_

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest_parity/replay/fields.h"
#include "gtest_parity/replay/refused.h"

namespace parity {

using Json = nlohmann::json;

// Writing: Json ToJson(value).

template <typename T>
Json ToJson(const T& of);
template <typename T>
Json ToJson(const std::vector<T>& of);
template <typename A, typename B>
Json ToJson(const std::pair<A, B>& of);
template <typename T>
Json ToJson(const std::map<std::string, T>& of);

inline Json ToJson(const Json& of) { return of; }
inline Json ToJson(const std::string& of) { return of; }
inline Json ToJson(DType of) { return std::string(NameOf(of)); }
template <std::integral T>
Json ToJson(const T& of) {
  return of;
}
template <std::floating_point T>
Json ToJson(const T& of) {
  if (std::isfinite(of)) return static_cast<double>(of);
  return std::isnan(of) ? "nan" : of > 0 ? "inf" : "-inf";
}
inline Json ToJson(const Image& of) {
  Json list = Json::array({of.bytes});
  for (const std::uint64_t page : of.pages) list.push_back(page);
  return list;
}
inline Json ToJson(const ElementRanges& of) {
  Json list = Json::array();
  for (const ElementRun& range : of) {
    list.push_back(range.first);
    list.push_back(range.count);
  }
  return list;
}
template <typename A, typename B>
Json ToJson(const std::pair<A, B>& of) {
  return Json::array({ToJson(of.first), ToJson(of.second)});
}
template <typename T>
Json ToJson(const std::vector<T>& of) {
  Json list = Json::array();
  for (const T& one : of) list.push_back(ToJson(one));
  return list;
}
template <typename T, std::size_t n>
Json ToJson(const std::array<T, n>& of) {
  return ToJson(std::vector<T>(of.begin(), of.end()));
}
template <typename T>
Json ToJson(const std::map<std::string, T>& of) {
  Json object = Json::object();
  for (const auto& [key, one] : of) object[key] = ToJson(one);
  return object;
}
Json ToJson(const SpreadPool& of);
Json ToJson(const TimeLog& of);

struct FieldWriter {
  template <typename T>
  void operator()(const char* key, const T& value) {
    Json json = ToJson(value);
    const bool text = json.is_string() && json.get_ref<const std::string&>().empty();
    if (!text && (!json.is_structured() || !json.empty())) object[key] = std::move(json);
  }
  Json object = Json::object();
};

template <typename T>
Json ToJson(const T& of) {
  FieldWriter writer;
  Fields(writer, of);
  return std::move(writer.object);
}

// Reading: FromJson(json, value). Each throws RecordingRefused that names the place.

template <typename T>
void FromJson(const Json& json, T& of);
template <typename T>
void FromJson(const Json& json, std::vector<T>& of);
template <typename A, typename B>
void FromJson(const Json& json, std::pair<A, B>& of);
template <typename T>
void FromJson(const Json& json, std::map<std::string, T>& of);

// A recording's object. Throws RecordingRefused for a text that is none, or that is nested deeper
// than any: values are copied and shown by recursion.
Json ParseRecordingJson(std::string_view text);

[[noreturn]] inline void Unlike(const Json& json, const char* expected) {
  throw RecordingRefused("", json.dump().substr(0, 40), expected);
}

inline void FromJson(const Json& json, Json& of) { of = json; }
inline void FromJson(const Json& json, std::string& of) {
  if (!json.is_string()) Unlike(json, "a text");
  of = json.get<std::string>();
}
inline void FromJson(const Json& json, bool& of) {
  if (!json.is_boolean()) Unlike(json, "true or false");
  of = json.get<bool>();
}
inline void FromJson(const Json& json, DType& of) {
  const auto dtype = json.is_string() ? ParseDType(json.get<std::string>()) : std::nullopt;
  if (!dtype) Unlike(json, "a dtype");
  of = *dtype;
}
template <std::integral T>
void FromJson(const Json& json, T& of) {
  bool fits = false;
  if (json.is_number_unsigned()) {
    fits = std::in_range<T>(json.get<std::uint64_t>());
  } else if (json.is_number_integer()) {
    fits = std::in_range<T>(json.get<std::int64_t>());
  }
  if (!fits) Unlike(json, "a whole number within its type");
  of = json.get<T>();
}
template <std::floating_point T>
void FromJson(const Json& json, T& of) {
  if (json.is_number()) {
    of = static_cast<T>(json.get<double>());
  } else if (json == "nan") {
    of = std::numeric_limits<T>::quiet_NaN();
  } else if (json == "inf" || json == "-inf") {
    of = json == "inf" ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
  } else {
    Unlike(json, "a number");
  }
}

// Calls `read` and puts `place` before what it refuses.
template <typename Read>
void At(const std::string& place, const Read& read) {
  try {
    read();
  } catch (const RecordingRefused& refused) {
    const std::string words = refused.what();
    throw RecordingRefused(place + (words.starts_with(":") || words.starts_with("/") ? "" : "/") +
                           words);
  }
}

template <typename T>
void FromJson(const Json& json, std::vector<T>& of) {
  if (!json.is_array()) Unlike(json, "a list");
  of.clear();
  for (std::size_t i = 0; i < json.size(); ++i) {
    T one{};
    At(std::to_string(i), [&] { FromJson(json[i], one); });
    of.push_back(std::move(one));
  }
}
template <typename T, std::size_t n>
void FromJson(const Json& json, std::array<T, n>& of) {
  if (!json.is_array() || json.size() != n) Unlike(json, "a list of its length");
  for (std::size_t i = 0; i < n; ++i) At(std::to_string(i), [&] { FromJson(json[i], of[i]); });
}
template <typename A, typename B>
void FromJson(const Json& json, std::pair<A, B>& of) {
  if (!json.is_array() || json.size() != 2) Unlike(json, "a pair");
  FromJson(json[0], of.first);
  FromJson(json[1], of.second);
}
template <typename T>
void FromJson(const Json& json, std::map<std::string, T>& of) {
  if (!json.is_object()) Unlike(json, "an object");
  of.clear();
  for (const auto& [key, one] : json.items()) {
    At(key, [&, &one = one, &key = key] { FromJson(one, of[key]); });
  }
}
inline void FromJson(const Json& json, Image& of) {
  std::vector<std::uint64_t> words;
  FromJson(json, words);
  if (words.empty()) Unlike(json, "an image: its bytes, then its pages");
  of.bytes = words[0];
  of.pages.assign(words.begin() + 1, words.end());
}
inline void FromJson(const Json& json, ElementRanges& of) {
  std::vector<std::uint64_t> words;
  FromJson(json, words);
  if (words.size() % 2 != 0) Unlike(json, "ranges: pairs of first and count");
  of.clear();
  for (std::size_t i = 0; i < words.size(); i += 2) of.push_back({words[i], words[i + 1]});
}
void FromJson(const Json& json, SpreadPool& of);
void FromJson(const Json& json, TimeLog& of);

struct FieldReader {
  template <typename T>
  void operator()(const char* key, T& value) {
    const auto found = object.find(key);
    constexpr bool scalar = std::is_arithmetic_v<T> || std::same_as<T, DType>;
    if (found == object.end()) {
      if constexpr (scalar) throw RecordingRefused(std::string(key) + ": is missing");
      value = T{};
      return;
    }
    ++known;
    At(key, [&] { FromJson(*found, value); });
  }
  const Json& object;
  std::size_t known = 0;
};

template <typename T>
void FromJson(const Json& json, T& of) {
  if (!json.is_object()) Unlike(json, "an object");
  FieldReader reader{json};
  Fields(reader, of);
  if (reader.known != json.size()) Unlike(json, "no other keys than it has members");
}

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_FIELDS_JSON_H_
