#include "suites/kv/state_server.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <utility>

#include "gtest_parity/manifest/sha256.h"

namespace parity::kv {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kKeyDigits = 40;

bool StrictlyBegins(const std::vector<std::int32_t>& beginning,
                    const std::vector<std::int32_t>& whole) {
  return beginning.size() < whole.size() &&
         std::equal(beginning.begin(), beginning.end(), whole.begin());
}

void WriteRows(const std::string& path, const std::vector<float>& rows) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(rows.data()),
            static_cast<std::streamsize>(rows.size() * sizeof(float)));
  out.close();
  if (!out) throw std::runtime_error("cannot write logits to " + path);
}

}  // namespace

std::string StateKey(const std::vector<std::int32_t>& tokens) {
  std::string bytes;
  for (const std::int32_t token : tokens) {
    for (int shift = 0; shift < 32; shift += 8) {
      bytes += static_cast<char>(static_cast<std::uint32_t>(token) >> shift & 0xff);
    }
  }
  return Sha256Of(bytes).substr(0, kKeyDigits);
}

StateServer::StateServer(std::unique_ptr<Side> side, StateDriving driving, std::string folder)
    : side_(std::move(side)), engine_(*side_, std::move(driving)), folder_(std::move(folder)) {}

// There is nothing at that path, which a right engine refuses.
void StateServer::ExpectStates() {
  if (engine_.Load(0, folder_ + "/none" + kStateSuffix).offered) return;
  throw NotOffered(
      "the engine does not load states that another process has saved (save_state, load_state)");
}

std::string StateServer::Ask(const json& request) {
  if (request.value("do", "") == "stop") return R"({"events": []})";
  const StateRequest asked = ReadStateRequest(request);
  const std::uint64_t rows = engine_.rows(), ops = engine_.ops();
  events_ = json::array();
  names_refusals_ = true;
  const Tokens prompt = PromptOf(asked);
  const Beginning begun = Begin(asked, prompt);
  const auto rest = prompt.begin() + static_cast<std::ptrdiff_t>(begun.tokens);
  std::vector<float> logits = engine_.Run(asked.slot, begun.tokens, {rest, prompt.end()});
  live_[asked.slot] = prompt;
  const std::uint64_t computed = engine_.rows() - rows;
  Continued continued = Continue(asked, std::move(logits));
  if (!asked.logits.empty()) WriteRows(asked.logits, continued.logits);
  if (asked.store) Store(asked.slot);
  json answer = {{"ids", continued.ids},        {"text", engine_.TextOf(continued.ids)},
                 {"finish", continued.finish},  {"tool_calls", json::array()},
                 {"restored", begun.restored},  {"events", events_},
                 {"tokens", live_[asked.slot]}, {"untold", {"route"}}};
  answer["usage"] = {{"prompt", prompt.size()},
                     {"cached", begun.tokens},
                     {"computed", computed},
                     {"output", continued.ids.size()}};
  answer["ran"] = {{"ops", engine_.ops() - ops}, {"rows", engine_.rows() - rows}};
  if (!names_refusals_) answer["untold"].push_back("refusal names");
  return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

StateServer::Tokens StateServer::PromptOf(const StateRequest& request) {
  Tokens tokens;
  for (const PromptPart& part : request.prompt) {
    const Tokens ids = part.text.empty() ? part.ids : engine_.Tokenize(part.text, tokens.empty());
    tokens.insert(tokens.end(), ids.begin(), ids.end());
  }
  if (tokens.empty()) throw std::runtime_error("a prompt of no tokens, expected at least one");
  if (tokens.size() < engine_.room()) return tokens;
  throw std::runtime_error("a prompt of " + std::to_string(tokens.size()) +
                           " tokens, expected fewer than the " + std::to_string(engine_.room()) +
                           " of a slot");
}

StateServer::Beginning StateServer::Begin(const StateRequest& request, const Tokens& prompt) {
  Tokens& live = live_[request.slot];
  if (!live.empty() && StrictlyBegins(live, prompt)) {
    return {live.size(), {{"key", StateKey(live)}, {"tokens", live.size()}, {"from", "memory"}}};
  }
  std::uint64_t tokens = 0;
  if (const std::optional<std::string> key = FindRecord(prompt, &tokens)) {
    live.clear();
    return LoadRecord(request.slot, *key, tokens);
  }
  if (!live.empty() && engine_.BeginsAnewTogether()) {
    engine_.Reset();
    live_.clear();
  }
  return {};
}

// Whatever lies there under that name is for the engine to judge.
std::optional<std::string> StateServer::FindRecord(const Tokens& prompt,
                                                   std::uint64_t* tokens) const {
  for (std::size_t count = prompt.size() - 1; count > 0; --count) {
    std::string key =
        StateKey({prompt.begin(), prompt.begin() + static_cast<std::ptrdiff_t>(count)});
    std::error_code ignored;
    const fs::file_status status = fs::symlink_status(folder_ + "/" + key + kStateSuffix, ignored);
    if (!fs::exists(status)) continue;
    *tokens = count;
    return key;
  }
  return std::nullopt;
}

StateServer::Beginning StateServer::LoadRecord(std::uint32_t slot, const std::string& key,
                                               std::uint64_t tokens) {
  StateAnswer answer = engine_.Load(slot, folder_ + "/" + key + kStateSuffix);
  if (!answer.offered) throw NotOffered("the engine does not load states: " + answer.refusal.words);
  if (!answer.refused && answer.tokens != tokens) {
    answer.refused = true;
    answer.refusal = {"token_count", "", "", ""};
    answer.refusal.words = "load_state tells " + std::to_string(answer.tokens) +
                           " tokens of a record that has " + std::to_string(tokens);
  }
  if (answer.refused) {
    Tell("refuse", "load", key, tokens, &answer);
    return {};
  }
  Tell("hit", "load", key, tokens);
  return {tokens, {{"key", key}, {"tokens", tokens}, {"from", "disk"}}};
}

StateServer::Continued StateServer::Continue(const StateRequest& request,
                                             std::vector<float> logits) {
  Continued continued;
  Tokens& live = live_[request.slot];
  continued.finish = "length";
  while (continued.ids.size() < request.max_tokens && live.size() + 1 < engine_.room()) {
    if (request.ignore_end) {
      for (const std::int32_t end : engine_.Ends()) {
        if (static_cast<std::size_t>(end) < logits.size()) {
          logits[static_cast<std::size_t>(end)] = -std::numeric_limits<float>::infinity();
        }
      }
    }
    const auto best = std::max_element(logits.begin(), logits.end());
    const auto id = static_cast<std::int32_t>(best - logits.begin());
    if (engine_.Ends().contains(id)) {
      continued.finish = "stop";
      break;
    }
    continued.ids.push_back(id);
    continued.logits.insert(continued.logits.end(), logits.begin(), logits.end());
    logits = engine_.Run(request.slot, live.size(), {id});
    live.push_back(id);
  }
  return continued;
}

void StateServer::Store(std::uint32_t slot) {
  const Tokens& tokens = live_[slot];
  const std::string key = StateKey(tokens);
  const StateAnswer answer = engine_.Save(slot, folder_ + "/" + key + kStateSuffix);
  if (!answer.offered) throw NotOffered("the engine does not save states: " + answer.refusal.words);
  if (answer.refused) {
    Tell("refuse", "save", key, tokens.size(), &answer);
  } else {
    Tell("store", "save", key, tokens.size());
  }
}

void StateServer::Tell(const char* event, const char* reason, const std::string& key,
                       std::uint64_t tokens, const StateAnswer* refusal) {
  json told = {{"event", event}, {"reason", reason}, {"tokens", tokens}, {"key", key}};
  if (refusal != nullptr) {
    const std::string& guard = refusal->refusal.guard;
    names_refusals_ &= !guard.empty();
    told["why"] = guard.empty() ? "not named" : guard;
    told["words"] = refusal->refusal.words;
  }
  events_.push_back(std::move(told));
}

}  // namespace parity::kv
