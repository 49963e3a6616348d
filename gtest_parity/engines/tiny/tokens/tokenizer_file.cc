#include "gtest_parity/engines/tiny/tokens/tokenizer_file.h"

#include <fstream>

#include "gtest_parity/engines/tiny/error.h"

namespace parity::tiny {
namespace {

using nlohmann::json;

void Expect(const json& object, const json::json_pointer& at, const json& expected) {
  const json found = object.contains(at) ? object.at(at) : json();
  if (found == expected) return;
  throw Failed("tokenizer.json: " + at.to_string() + " is " + found.dump() + ", expected " +
               expected.dump());
}

}  // namespace

json ReadModelJson(const std::string& model, const std::string& name) {
  const std::string path = model + "/" + name;
  std::ifstream file(path);
  if (!file) throw EngineError(PARITY_UNSUPPORTED, path + " cannot be read");
  json value = json::parse(file, nullptr, false);
  if (!value.is_object()) throw Failed(path + " is not a JSON object");
  return value;
}

void CheckByteLevelBpe(const json& tokenizer) {
  using Pointer = json::json_pointer;
  Expect(tokenizer, Pointer("/model/type"), "BPE");
  Expect(tokenizer, Pointer("/model/byte_fallback"), false);
  Expect(tokenizer, Pointer("/model/ignore_merges"), false);
  Expect(tokenizer, Pointer("/model/dropout"), nullptr);
  Expect(tokenizer, Pointer("/normalizer"), nullptr);
  Expect(tokenizer, Pointer("/post_processor"), nullptr);
  Expect(tokenizer, Pointer("/pre_tokenizer/type"), "ByteLevel");
  Expect(tokenizer, Pointer("/pre_tokenizer/use_regex"), true);
  Expect(tokenizer, Pointer("/pre_tokenizer/add_prefix_space"), false);
  Expect(tokenizer, Pointer("/decoder/type"), "ByteLevel");
}

std::int32_t SpecialIdOf(const json& config, const std::string& key) {
  const auto found = config.find(key);
  return found != config.end() && found->is_number_integer() ? found->get<std::int32_t>() : -1;
}

}  // namespace parity::tiny
