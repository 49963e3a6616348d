// Parts that several messages are made of.
#ifndef GTEST_PARITY_SIDE_WIRE_PARTS_H_
#define GTEST_PARITY_SIDE_WIRE_PARTS_H_

#include <nlohmann/json.hpp>

#include "gtest_parity/side/script.h"
#include "gtest_parity/side/wire_json.h"

namespace parity {

// Fields at their default value are not sent.
template <typename T>
void Put(nlohmann::json& out, const char* key, const T& value, const T& absent = T{}) {
  if (!(value == absent)) out[key] = value;
}

template <typename T>
void Get(const nlohmann::json& in, const char* key, T& value) {
  if (const auto found = in.find(key); found != in.end()) Take(*found, value);
}

nlohmann::json RangesToWire(const ElementRanges& ranges);
nlohmann::json ImageToWire(const Image& image);
nlohmann::json TensorToWire(const TensorRef& tensor);

// Throw std::invalid_argument or nlohmann::json::exception for what is none.
ElementRanges RangesFromWire(const nlohmann::json& in);
Image ImageFromWire(const nlohmann::json& in);
DType DTypeFromWire(const nlohmann::json& in);
TensorRef TensorFromWire(const nlohmann::json& in);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_WIRE_PARTS_H_
