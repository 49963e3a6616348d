#include "gtest_parity/manifest/resolve.h"

#include <stdexcept>
#include <string>

namespace parity {
namespace {

using nlohmann::json;

const json& ValueAt(const std::string& pointer, const json& known) {
  try {
    return known.at(json::json_pointer(pointer));
  } catch (const json::exception&) {
    throw std::runtime_error("${" + pointer + "}: nothing is there");
  }
}

std::string TextAt(const std::string& pointer, const json& known) {
  const json& value = ValueAt(pointer, known);
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  throw std::runtime_error("${" + pointer + "}: " + value.type_name() +
                           ", expected text or a number within a string");
}

json ResolveText(const std::string& text, const json& known) {
  std::string resolved;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = text.find("${", at);
    if (begin == std::string::npos) break;
    const std::size_t end = text.find('}', begin);
    if (end == std::string::npos) throw std::runtime_error("no } behind " + text.substr(begin));
    const std::string pointer = text.substr(begin + 2, end - begin - 2);
    if (begin == 0 && end + 1 == text.size()) return ValueAt(pointer, known);
    resolved += text.substr(at, begin - at) + TextAt(pointer, known);
    at = end + 1;
  }
  return resolved + text.substr(at);
}

}  // namespace

json Resolve(const json& request, const json& known) {
  if (request.is_string()) return ResolveText(request.get<std::string>(), known);
  if (!request.is_structured()) return request;
  json resolved = request;
  for (json& value : resolved) value = Resolve(value, known);
  return resolved;
}

}  // namespace parity
