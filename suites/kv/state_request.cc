#include "suites/kv/state_request.h"

#include <limits>
#include <stdexcept>

#include "suites/kv/server.h"

namespace parity::kv {
namespace {

using nlohmann::json;

[[noreturn]] void Fail(const std::string& key, const json& got, const std::string& expected) {
  throw std::runtime_error("request: " + key + ": got " + got.dump() + ", expected " + expected);
}

std::uint64_t CountOf(const std::string& key, const json& value, std::uint64_t most) {
  const bool whole =
      value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (whole && value.get<std::uint64_t>() <= most) return value.get<std::uint64_t>();
  Fail(key, value, "a whole number up to " + std::to_string(most));
}

constexpr auto kMostIds = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());

// Ids in lists are a part together: what an answer tells is put into a prompt as it is.
void ReadPart(const json& value, std::vector<PromptPart>& parts) {
  if (value.is_string()) {
    parts.push_back({value.get<std::string>(), {}});
  } else if (value.is_array()) {
    PromptPart& part = parts.emplace_back();
    for (const json& id : value) {
      part.ids.push_back(static_cast<std::int32_t>(CountOf("prompt", id, kMostIds)));
    }
  } else {
    parts.push_back({"", {static_cast<std::int32_t>(CountOf("prompt", value, kMostIds))}});
  }
}

std::vector<PromptPart> ReadPrompt(const json& value) {
  std::vector<PromptPart> parts;
  if (!value.is_array()) {
    if (!value.is_string()) Fail("prompt", value, "text, or a list of texts, ids and lists of ids");
    ReadPart(value, parts);
    return parts;
  }
  for (const json& part : value) ReadPart(part, parts);
  return parts;
}

bool FlagOf(const std::string& key, const json& value) {
  if (!value.is_boolean()) Fail(key, value, "true or false");
  return value.get<bool>();
}

}  // namespace

StateRequest ReadStateRequest(const json& request) {
  const std::string what = request.value("do", "complete");
  if (what != "complete") {
    throw NotAskable(
        "an engine that is served from saved states is asked nothing but completions, "
        "and this is \"" +
        what + "\"");
  }
  StateRequest read;
  for (const auto& [key, value] : request.items()) {
    if (key == "do") continue;
    if (key == "prompt") {
      read.prompt = ReadPrompt(value);
    } else if (key == "max_tokens") {
      read.max_tokens = CountOf(key, value, kMostIds);
    } else if (key == "ignore_end") {
      read.ignore_end = FlagOf(key, value);
    } else if (key == "slot") {
      read.slot = static_cast<std::uint32_t>(CountOf(key, value, kMostIds));
    } else if (key == "store") {
      read.store = FlagOf(key, value);
    } else if (key == "logits") {
      read.logits = value.get<std::string>();
    } else {
      throw NotAskable("an engine that is served from saved states knows no \"" + key +
                       "\" of a request, but prompt, max_tokens, ignore_end, slot and store");
    }
  }
  if (read.prompt.empty()) Fail("prompt", request.value("prompt", json()), "at least one token");
  return read;
}

}  // namespace parity::kv
