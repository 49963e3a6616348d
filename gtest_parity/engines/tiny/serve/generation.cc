#include "gtest_parity/engines/tiny/serve/generation.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "gtest_parity/engines/tiny/error.h"
#include "gtest_parity/engines/tiny/serve/transcript.h"

namespace parity::tiny {
namespace {

using Json = nlohmann::ordered_json;

void WriteRows(const std::string& path, const std::vector<float>& rows) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(rows.data()),
             static_cast<std::streamsize>(rows.size() * sizeof(float)));
  file.close();
  if (!file) throw Invalid("request.logits: \"" + path + "\" cannot be written");
}

// Whether more bytes could make a character of the last ones.
bool EndsInsideCharacter(const std::string& bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::size_t end = bytes.size();
  U8_TRUNCATE_IF_INCOMPLETE(data, std::size_t{0}, end);
  return end != bytes.size();
}

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

}  // namespace

Json RestoredOf(const Admission& admission) {
  if (admission.restored_key.empty() || admission.session->IsFree()) return nullptr;
  return {{"key", admission.restored_key},
          {"tokens", admission.session->tokens.size()},
          {"from", admission.from_disk ? "disk" : "memory"}};
}

Generation::Generation(const Parts& parts, ServeRequest request, const std::string& prompt,
                       Lane& lane)
    : parts_(parts), request_(std::move(request)), lane_(lane) {
  CheckRoom(parts_.driver.pieces().Of(prompt, 0).size());
  const Admission admission = lane_.Admit(prompt, request_.pin);
  session_ = admission.session;
  cached_ = session_->tokens.size();
  computed_ = admission.rest.size();
  restored_ = RestoredOf(admission);
  CheckRoom(cached_ + computed_);
  lane_.Fill(admission);
  thinking_ = request_.think_tokens != 0;
  if (thinking_) marker_ = parts_.tokenizer.Encode(kThinkingEnd, false, false);
  const Ids forced = parts_.tokenizer.Encode(request_.forced, false, false);
  forced_.assign(forced.begin(), forced.end());
  Count(admission);
  if (IsComplete()) Finish();
  session_->in_use = true;
}

Generation::~Generation() { session_->in_use = false; }

void Generation::CheckRoom(std::size_t tokens) const {
  const auto context = static_cast<std::size_t>(parts_.driver.knobs().context);
  if (tokens < context) return;
  throw RefusedError({"context_limit", "prompt < context",
                      "{\"prompt\": " + std::to_string(tokens) +
                          ", \"context\": " + std::to_string(context) + "}"},
                     "serve: the prompt has " + std::to_string(tokens) +
                         " tokens, expected fewer than the context of " + std::to_string(context));
}

// Every token that is told is computed too, so that the session's text is the prompt and the
// answer. There is no store behind the last one.
std::string Generation::Step() {
  if (over_) return "";
  lane_.AtFrontier(*session_);
  const std::int32_t id = Choose();
  ended_ = parts_.driver.pieces().Ends(id);
  if (!ended_) {
    if (!request_.logits.empty()) {
      logits_.insert(logits_.end(), session_->logits.begin(), session_->logits.end());
    }
    parts_.driver.Decode(*session_, id);
    ids_.push_back(id);
    bytes_ += parts_.driver.pieces().TextOf(id);
    ++parts_.counters["decoded"];
  }
  if (ended_ || IsComplete()) Finish();
  return Tell();
}

std::vector<std::int32_t> Generation::last_ids() const {
  if (ids_.empty() || ended_) return {};
  return {ids_.back()};
}

std::int32_t Generation::Choose() {
  const bool ends = parts_.driver.pieces().Ends(session_->next);
  if (thinking_ && MayClose() && (ends || ids_.size() >= request_.think_tokens)) CloseThinking();
  if (!thinking_ && !forced_.empty()) {
    const std::int32_t id = forced_.front();
    forced_.pop_front();
    return id;
  }
  return request_.ignore_end && ends ? BestOther() : session_->next;
}

// The best token that ends nothing, the lowest of equals.
std::int32_t Generation::BestOther() const {
  std::int32_t best = -1;
  for (std::size_t i = 0; i < session_->logits.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    if (parts_.driver.pieces().Ends(id)) continue;
    if (best < 0 || session_->logits[i] > session_->logits[static_cast<std::size_t>(best)]) {
      best = id;
    }
  }
  return best;
}

// A marker that would be cut short is not begun.
bool Generation::MayClose() const {
  const auto room =
      static_cast<std::size_t>(parts_.driver.knobs().context - 1 - session_->Length());
  return marker_.size() <= std::min<std::size_t>(request_.max_tokens - ids_.size(), room);
}

void Generation::CloseThinking() {
  thinking_ = false;
  forced_.insert(forced_.begin(), marker_.begin(), marker_.end());
  thought_ids_ = ids_.size() + marker_.size();
  thought_bytes_ = bytes_.size() + std::string_view(kThinkingEnd).size();
}

bool Generation::IsComplete() const {
  if (ids_.size() >= request_.max_tokens) return true;
  if (session_->Length() >= parts_.driver.knobs().context - 1) return true;
  return request_.tools && request_.call_tokens != 0 && !thinking_ &&
         ids_.size() >= thought_ids_ + request_.call_tokens;
}

bool Generation::Called() const {
  if (!request_.tools || thinking_ || bytes_.size() <= thought_bytes_) return false;
  return ended_ || request_.call_tokens == 0 || ids_.size() >= thought_ids_ + request_.call_tokens;
}

void Generation::Finish() {
  over_ = true;
  lane_.Settle(*session_);
  if (!request_.logits.empty()) WriteRows(request_.logits, logits_);
  if (!Called()) return;
  const auto begin = ids_.begin() + static_cast<std::ptrdiff_t>(thought_ids_);
  const std::string said = parts_.tokenizer.Decode({begin, ids_.end()}, false);
  tool_calls_.push_back({{"id", parts_.tools.Add(bytes_.substr(thought_bytes_))},
                         {"name", "pair_values"},
                         {"arguments", ArgumentsOf(said)}});
}

// What will stay as it is, whatever comes: no beginning of a character, and nothing that may turn
// out to be a call.
std::string Generation::TextToTell() const {
  std::size_t told = ids_.size();
  if (request_.tools && (!over_ || Called())) told = std::min(told, thought_ids_);
  if (request_.tools && thinking_) told = ids_.size();
  const std::span<const std::int32_t> ids(ids_.data(), told);
  std::string text = parts_.tokenizer.Decode(ids, false);
  const bool held = told == ids_.size() && !over_ && EndsInsideCharacter(bytes_);
  if (held && text.ends_with(kReplacement)) text.resize(text.size() - kReplacement.size());
  // The template writes the space behind "assistant:" itself when the turn becomes history.
  const bool plain = request_.chat && request_.think && request_.think_tokens == 0;
  return plain && text.starts_with(' ') ? text.substr(1) : text;
}

std::string Generation::Tell() {
  std::string text = TextToTell();
  std::string added = text.size() > text_.size() ? text.substr(text_.size()) : "";
  text_ = std::move(text);
  return added;
}

Json Generation::Usage() const {
  return {{"prompt", cached_ + computed_},
          {"cached", cached_},
          {"computed", computed_},
          {"output", ids_.size()}};
}

Json Generation::Opening() const {
  return {{"usage", Usage()},
          {"route", {{"surface", request_.surface()}, {"lane", request_.lane()}}},
          {"restored", restored_}};
}

Json Generation::Ending() const {
  const char* finish = ended_ ? "stop" : "length";
  return {{"finish", Called() ? "tool_calls" : finish},
          {"tool_calls", tool_calls_},
          {"usage", Usage()}};
}

Json Generation::Answer() const {
  const Json opening = Opening(), ending = Ending();
  return {{"ids", ids_},
          {"text", text_},
          {"finish", ending["finish"]},
          {"tool_calls", tool_calls_},
          {"usage", ending["usage"]},
          {"route", opening["route"]},
          {"restored", restored_}};
}

void Generation::Count(const Admission& admission) {
  const auto add = [this](const std::string& name, std::uint64_t count) {
    parts_.counters[name] += count;
  };
  add("requests", 1);
  add("prefill_cached", cached_);
  add("prefill_computed", computed_);
  add("decoded", 0);
  add("misses", admission.missed ? 1 : 0);
  add("reuses_memory", !admission.restored_key.empty() && !admission.from_disk ? 1 : 0);
  add(std::string("routes_") + request_.surface() + "_" + request_.lane(), 1);
}

}  // namespace parity::tiny
