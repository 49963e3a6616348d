#include "gtest_parity/manifest/token_fixture.h"

#include <limits>
#include <optional>
#include <utility>

#include "gtest_parity/manifest/json_object.h"

namespace parity {
namespace {

using nlohmann::json;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

class FixtureReader {
 public:
  explicit FixtureReader(JsonSource source) : source_(std::move(source)) {}

  TokenFixture Read() {
    const JsonObject top(source_.root(), "",
                         {{"parity_tokens", true},
                          {"source", true},
                          {"special", true},
                          {"texts", true},
                          {"decodes"},
                          {"frames"}},
                         &source_);
    std::uint64_t version = 1;
    top.Read("parity_tokens", 0, &version);
    if (version != 1) {
      source_.Add("/parity_tokens", "wrong version", std::to_string(version), "1");
    }
    top.Read("source", &fixture_.source);
    for (const auto& [name, value] : top.Object("special").items()) {
      const json ids = value.is_array() ? value : json::array({value});
      fixture_.special.push_back({name, IdsOf(ids, Pointer("/special", name))});
    }
    for (const auto& [name, value] : top.Object("texts").items()) ReadText(name, value);
    for (const auto& [name, value] : top.Object("decodes").items()) ReadDecode(name, value);
    for (const auto& [name, value] : top.Object("frames").items()) ReadFrame(name, value);
    source_.ThrowIfAny();
    return std::move(fixture_);
  }

 private:
  TokenFixture::Ids IdsOf(const json& value, const std::string& pointer) {
    TokenFixture::Ids ids;
    for (const json& id : value) {
      if (id.is_number_unsigned() &&
          id.get<std::uint64_t>() <= std::numeric_limits<std::int32_t>::max()) {
        ids.push_back(id.get<std::int32_t>());
      } else {
        source_.Add(pointer, "wrong value", Shown(id), "ids, whole numbers from 0");
        break;
      }
    }
    return ids;
  }

  // A text may be empty.
  void TextAt(const JsonObject& object, const std::string& key, std::string* out) {
    const json* value = object.Find(key);
    if (value == nullptr) return;
    if (value->is_string()) {
      value->get_to(*out);
    } else {
      source_.Add(object.PointerOf(key), "wrong value", Shown(*value), "a string");
    }
  }

  TokenFixture::Ids IdsAt(const JsonObject& object, const std::string& key) {
    return IdsOf(object.Array(key), object.PointerOf(key));
  }

  // Names become part of GoogleTest's.
  void CheckName(const std::string& name, const std::string& pointer) {
    if (!name.empty() &&
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos) {
      return;
    }
    source_.Add(pointer, "name", Quoted(name), "[a-z0-9_]+");
  }

  std::string BytesOf(const JsonObject& object) {
    std::string text, hex;
    TextAt(object, "text", &text);
    TextAt(object, "hex", &hex);
    if ((object.Find("text") == nullptr) == (object.Find("hex") == nullptr)) {
      source_.Add(object.pointer(), "bytes", "", "either \"text\" or \"hex\"");
    }
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      const int high = HexDigit(hex[i]), low = i + 1 < hex.size() ? HexDigit(hex[i + 1]) : -1;
      if (high < 0 || low < 0) {
        source_.Add(object.PointerOf("hex"), "wrong value", Quoted(hex),
                    "pairs of the digits 0 to 9 and a to f");
        break;
      }
      text += static_cast<char>(high << 4 | low);
    }
    return text;
  }

  void ReadText(const std::string& name, const json& value) {
    const std::string pointer = Pointer("/texts", name);
    CheckName(name, pointer);
    const JsonObject object(value, pointer,
                            {{"text"},
                             {"hex"},
                             {"ids", true},
                             {"with_special", true},
                             {"parsed", true},
                             {"decoded", true}},
                            &source_);
    TokenFixture::Text& text = fixture_.texts.emplace_back();
    text.name = name;
    text.bytes = BytesOf(object);
    text.ids = IdsAt(object, "ids");
    text.with_special = IdsAt(object, "with_special");
    text.parsed = IdsAt(object, "parsed");
    TextAt(object, "decoded", &text.decoded);
  }

  void ReadDecode(const std::string& name, const json& value) {
    const std::string pointer = Pointer("/decodes", name);
    CheckName(name, pointer);
    for (const TokenFixture::Text& text : fixture_.texts) {
      if (text.name == name) source_.Add(pointer, "name", Quoted(name), "another than of a text");
    }
    const JsonObject object(value, pointer, {{"ids", true}, {"decoded", true}, {"shown", true}},
                            &source_);
    TokenFixture::Decode& decode = fixture_.decodes.emplace_back();
    decode.name = name;
    decode.ids = IdsAt(object, "ids");
    TextAt(object, "decoded", &decode.decoded);
    TextAt(object, "shown", &decode.shown);
  }

  void ReadFrame(const std::string& name, const json& value) {
    const std::string pointer = Pointer("/frames", name);
    CheckName(name, pointer);
    const JsonObject object(value, pointer, {{"messages", true}, {"ids", true}}, &source_);
    const json& messages = object.Array("messages");
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const JsonObject message(messages[i],
                               Pointer(object.PointerOf("messages"), std::to_string(i)),
                               {{"role", true}, {"content", true}}, &source_);
      std::string ignored;
      TextAt(message, "role", &ignored);
      TextAt(message, "content", &ignored);
    }
    fixture_.frames.push_back({name, messages.dump(), IdsAt(object, "ids")});
  }

  JsonSource source_;
  TokenFixture fixture_;
};

}  // namespace

TokenFixture ReadTokenFixture(JsonSource source) { return FixtureReader(std::move(source)).Read(); }

}  // namespace parity
