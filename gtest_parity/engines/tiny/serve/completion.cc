#include "gtest_parity/engines/tiny/serve/completion.h"

#include <fstream>

#include "gtest_parity/engines/tiny/error.h"

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

// The template writes the space behind "assistant:" itself when the turn becomes history.
std::string WithoutTemplateSpace(const ServeRequest& request, const std::string& text) {
  const bool written = request.chat && request.think && text.starts_with(' ');
  return written ? text.substr(1) : text;
}

}  // namespace

Json RestoredOf(const Admission& admission) {
  if (admission.restored_key.empty() || admission.session->IsFree()) return nullptr;
  return {{"key", admission.restored_key},
          {"tokens", admission.session->tokens.size()},
          {"from", admission.from_disk ? "disk" : "memory"}};
}

void Completion::CheckRoom(std::size_t tokens) const {
  const auto context = static_cast<std::size_t>(parts_.driver.knobs().context);
  if (tokens < context) return;
  throw RefusedError({"context_limit", "prompt < context",
                      "{\"prompt\": " + std::to_string(tokens) +
                          ", \"context\": " + std::to_string(context) + "}"},
                     "serve: the prompt has " + std::to_string(tokens) +
                         " tokens, expected fewer than the context of " + std::to_string(context));
}

Json Completion::Run(const ServeRequest& request, const std::string& prompt, Lane& lane) {
  CheckRoom(parts_.driver.pieces().Of(prompt, 0).size());
  const Admission admission = lane.Admit(prompt, request.pin);
  Session& session = *admission.session;
  const std::size_t cached = session.tokens.size(), computed = admission.rest.size();
  const Json restored = RestoredOf(admission);
  CheckRoom(cached + computed);
  lane.Fill(admission);
  const Generated generated = Generate(request, lane, session);
  lane.Settle(session);
  if (!request.logits.empty()) WriteRows(request.logits, generated.logits);
  Json answer = Json::object();
  answer["ids"] = generated.ids;
  Describe(request, generated, answer);
  answer["usage"] = {{"prompt", cached + computed},
                     {"cached", cached},
                     {"computed", computed},
                     {"output", generated.ids.size()}};
  answer["route"] = {{"surface", request.surface()}, {"lane", request.lane()}};
  answer["restored"] = restored;
  Count(request, admission, answer["usage"]);
  return answer;
}

// Every token that is told is computed too, so that the session's text is the prompt and the
// answer. There is no store behind the last one.
Completion::Generated Completion::Generate(const ServeRequest& request, Lane& lane,
                                           Session& session) {
  Generated generated;
  const std::int32_t last = parts_.driver.knobs().context - 1;
  while (generated.ids.size() < request.max_tokens && session.Length() < last) {
    lane.AtFrontier(session);
    std::int32_t id = session.next;
    if (request.ignore_end && parts_.driver.pieces().Ends(id)) id = BestOther(session);
    generated.ended = parts_.driver.pieces().Ends(id);
    if (generated.ended) break;
    generated.ids.push_back(id);
    generated.bytes += parts_.driver.pieces().TextOf(id);
    if (!request.logits.empty()) {
      generated.logits.insert(generated.logits.end(), session.logits.begin(), session.logits.end());
    }
    parts_.driver.Decode(session, id);
  }
  return generated;
}

// The best token that ends nothing, the lowest of equals.
std::int32_t Completion::BestOther(const Session& session) const {
  std::int32_t best = -1;
  for (std::size_t i = 0; i < session.logits.size(); ++i) {
    const auto id = static_cast<std::int32_t>(i);
    if (parts_.driver.pieces().Ends(id)) continue;
    if (best < 0 || session.logits[i] > session.logits[static_cast<std::size_t>(best)]) best = id;
  }
  return best;
}

void Completion::Describe(const ServeRequest& request, const Generated& generated, Json& answer) {
  const std::string text = parts_.tokenizer.Decode(generated.ids, false);
  const bool called = request.tools && !generated.bytes.empty();
  answer["text"] = called ? "" : WithoutTemplateSpace(request, text);
  answer["finish"] = generated.ended ? "stop" : "length";
  answer["tool_calls"] = Json::array();
  if (!called) return;
  answer["finish"] = "tool_calls";
  answer["tool_calls"].push_back({{"id", parts_.tools.Add(generated.bytes)},
                                  {"name", "pair_values"},
                                  {"arguments", ArgumentsOf(text)}});
}

void Completion::Count(const ServeRequest& request, const Admission& admission, const Json& usage) {
  const auto add = [this](const std::string& name, std::uint64_t count) {
    parts_.counters[name] += count;
  };
  add("requests", 1);
  add("prefill_cached", usage["cached"].get<std::uint64_t>());
  add("prefill_computed", usage["computed"].get<std::uint64_t>());
  add("decoded", usage["output"].get<std::uint64_t>());
  add("misses", admission.missed ? 1 : 0);
  add("reuses_memory", !admission.restored_key.empty() && !admission.from_disk ? 1 : 0);
  add(std::string("routes_") + request.surface() + "_" + request.lane(), 1);
}

}  // namespace parity::tiny
