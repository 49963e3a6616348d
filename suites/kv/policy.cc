#include "suites/kv/policy.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "suites/kv/random_store.h"

namespace parity::kv {
namespace {

using nlohmann::json;

constexpr std::size_t kBatch = 500;
constexpr std::int64_t kNow = 1'800'000'000;
constexpr std::size_t kToldDifferences = 5;

json Question(std::string_view ask, RandomStore& store) {
  json question = {{"ask", ask}, {"knobs", store.Knobs()}};
  if (ask == "store_len") question["tokens"] = store.Count();
  if (ask == "continued_target") question["live"] = store.Count();
  if (ask == "bank_due") question["committed"] = store.Count();
  if (ask == "continued_target" || ask == "bank_due") question["stored"] = store.Count();
  if (ask == "anchor") question["markers"] = store.Markers();
  // At the budget's edge: a file and 1 % of it.
  if (ask == "fits") {
    const auto budget = question["knobs"]["budget_bytes"].get<std::int64_t>();
    question["bytes"] = std::max<std::int64_t>(1, budget * 100 / 101 + store.Whole(-3, 3));
  }
  if (ask == "compatible") {
    question["present"] = store.Record();
    question["made"] = store.Flag() ? json(question["present"]) : store.Record();
  }
  if (ask == "score" || ask == "evict" || ask == "lookup" || ask == "lcp") {
    question["records"] = store.Records();
    question["asker"] = store.Asker();
  }
  if (ask == "score" || ask == "evict") question["now"] = kNow;
  if (ask == "evict") question["incoming_bytes"] = store.Whole(0, 200'000);
  if (ask == "lookup") question["tier"] = store.Flag() ? "serial" : "bank";
  return question;
}

// The records that go, by what is told of them.
std::vector<std::string> Evicted(const json& question, const json& order) {
  std::vector<std::string> evicted;
  for (const json& index : order) {
    evicted.push_back(question.at("records").at(index.get<std::size_t>()).dump());
  }
  return evicted;
}

bool SameScores(const json& reference, const json& candidate) {
  if (reference.size() != candidate.size()) return false;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double a = reference[i].get<double>(), b = candidate[i].get<double>();
    if (!(std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(a)))) return false;
  }
  return true;
}

}  // namespace

std::vector<json> RandomQuestions(std::string_view ask, std::uint64_t seed, std::uint64_t count) {
  RandomStore store(seed);
  std::vector<json> questions;
  for (std::uint64_t i = 0; i < count; ++i) questions.push_back(Question(ask, store));
  return questions;
}

bool SameAnswer(const json& question, const json& reference, const json& candidate) {
  if (reference == candidate) return true;
  if (question.at("ask") == "score") return SameScores(reference, candidate);
  if (question.at("ask") != "evict") return false;
  return Evicted(question, reference) == Evicted(question, candidate);
}

PolicyAnswers AskPolicy(const std::vector<std::string>& kinds, std::uint64_t seed, Server& server) {
  PolicyAnswers answers;
  for (const std::string& ask : kinds) {
    const std::vector<json> questions = RandomQuestions(ask, seed, kQuestionsOfEach);
    std::vector<json>& of_kind = answers[ask];
    for (std::size_t begin = 0; begin < questions.size(); begin += kBatch) {
      const auto first = questions.begin() + static_cast<std::ptrdiff_t>(begin);
      const std::size_t count = std::min(kBatch, questions.size() - begin);
      const json batch(std::vector<json>(first, first + static_cast<std::ptrdiff_t>(count)));
      const json response =
          json::parse(server.Ask({{"do", "policy"}, {"questions", batch}}), nullptr, false);
      if (!response.is_object() || response.value("answers", json()).size() != count) {
        throw std::runtime_error(ask + ": no answers to " + std::to_string(count) + " questions");
      }
      for (const json& answer : response.at("answers")) of_kind.push_back(answer);
    }
  }
  return answers;
}

Verdict JudgePolicy(const std::string& ask, std::uint64_t seed, const PolicyAnswers& reference,
                    const PolicyAnswers& candidate) {
  Verdict verdict;
  verdict.expected = kQuestionsOfEach;
  const auto theirs = reference.find(ask), ours = candidate.find(ask);
  if (theirs == reference.end() || ours == candidate.end()) return verdict;
  const std::vector<json> questions = RandomQuestions(ask, seed, kQuestionsOfEach);
  std::uint64_t apart = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    ++verdict.compared;
    if (SameAnswer(questions[i], theirs->second[i], ours->second[i])) continue;
    if (++apart > kToldDifferences) continue;
    verdict.findings.push_back("question " + std::to_string(i) + ": got " + ours->second[i].dump() +
                               ", expected " + theirs->second[i].dump() +
                               " as the reference: " + questions[i].dump());
  }
  verdict.outcome = apart == 0 ? Outcome::kPass : Outcome::kFail;
  verdict.summary =
      std::to_string(apart) + " of " + std::to_string(questions.size()) + " answers differ";
  if (apart > 0) verdict.findings.insert(verdict.findings.begin(), verdict.summary);
  return verdict;
}

}  // namespace parity::kv
