#include "suites/tokens/token_inquiry.h"

#include <algorithm>
#include <optional>

#include "gtest_parity/judge/judge_greedy.h"
#include "gtest_parity/judge/judge_tokens.h"

namespace parity {
namespace {

constexpr char kGreedy[] = "Greedy";

std::vector<AskedCase> CasesOfFixture(const std::string& path) {
  if (path.empty()) return AskedCasesOf(nullptr);
  const TokenFixture fixture = ReadTokenFixture(JsonSource(path));
  return AskedCasesOf(&fixture);
}

std::string NameOf(const AskedCase& asked) { return asked.fixture + "/" + asked.slug; }

}  // namespace

TokenInquiry::TokenInquiry(const Plan& plan, const Workload& workload)
    : plan_(plan),
      workload_(workload),
      reads_(GreedyReadsOf(plan)),
      asked_(CasesOfFixture(plan.manifest.tokens.fixture)) {}

std::vector<Case> TokenInquiry::Cases() const {
  std::vector<Case> cases;
  for (const std::string& scenario : ScenariosOf(workload_)) {
    cases.push_back({CaseKind::kAsked, scenario, 0, {}, {}, kGreedy});
  }
  for (const AskedCase& asked : asked_) {
    cases.push_back({CaseKind::kAsked, asked.slug, 0, {}, {}, asked.fixture});
  }
  return cases;
}

void TokenInquiry::AskReference(Side& reference, const std::vector<Case>& selected) {
  FindEnd(reference);
  for (const Case& which : selected) {
    if (which.fixture == kGreedy) {
      generated_.emplace(which.slug, Generate(which.slug, reference));
    } else {
      const AskedCase& asked = AskedAs(which);
      answers_.emplace(NameOf(asked), Ask(asked, reference));
    }
  }
}

void TokenInquiry::FindEnd(Side& reference) {
  if (plan_.manifest.tokens.end) {
    end_ = *plan_.manifest.tokens.end;
    return;
  }
  std::vector<Script> scripts(plan_.manifest.ranks.count);
  scripts[0].Ask({TokenQuestion::Call::kSpecialIds, {}, {}, 0});
  const TokenAnswer answer = reference.Run(scripts)[0][0].answer.value_or(TokenAnswer());
  for (std::size_t i = 0; i < answer.texts.size(); ++i) {
    if (answer.texts[i] == "eos") end_.push_back(answer.ids[i]);
  }
}

TokenInquiry::Generated TokenInquiry::Generate(const std::string& scenario, Side& reference) const {
  Generated generated;
  generated.scenario = RecordGreedy(plan_, workload_, scenario, end_, reference);
  for (std::uint32_t repeat = 0; repeat < plan_.manifest.judge.repeats; ++repeat) {
    generated.repeats.push_back(
        CompareGreedy(plan_, workload_, generated.scenario, plan_.reference, reference));
  }
  return generated;
}

Verdict TokenInquiry::Judge(const Case& which, Side& candidate, const Rules& rules) {
  if (which.fixture == kGreedy) return JudgeScenario(generated_.at(which.slug), candidate, rules);
  const AskedCase& asked = AskedAs(which);
  return JudgeTokens(EvidenceOf(asked, answers_.at(NameOf(asked)), Ask(asked, candidate)));
}

Verdict TokenInquiry::JudgeScenario(const Generated& generated, Side& candidate,
                                    const Rules& rules) const {
  const GreedyScenario& scenario = generated.scenario;
  GreedyEvidence evidence;
  evidence.scenario = scenario.name;
  evidence.asked = scenario.asked;
  evidence.least = plan_.manifest.tokens.least.value_or(scenario.asked);
  evidence.end = end_;
  evidence.chosen_by = reads_.Text();
  evidence.sequences = scenario.sequences;
  for (const GreedySequence& sequence : scenario.sequences) {
    evidence.expected += sequence.ids.size() * plan_.manifest.ranks.count;
  }
  evidence.repeats = generated.repeats;
  evidence.candidate = CompareGreedy(plan_, workload_, scenario, plan_.candidate, candidate);
  return JudgeGreedy(evidence, rules);
}

const AskedCase& TokenInquiry::AskedAs(const Case& which) const {
  return *std::find_if(asked_.begin(), asked_.end(), [&](const AskedCase& asked) {
    return asked.fixture == which.fixture && asked.slug == which.slug;
  });
}

std::vector<TokenAnswers> TokenInquiry::Ask(const AskedCase& asked, Side& side) const {
  std::vector<Script> scripts(plan_.manifest.ranks.count);
  for (Script& script : scripts) {
    for (const AskedQuestion& question : asked.questions) script.Ask(question.question);
  }
  std::vector<TokenAnswers> answers;
  for (const Results& rank : side.Run(scripts)) {
    TokenAnswers& of_rank = answers.emplace_back();
    for (const Result& result : rank) of_rank.push_back(result.answer.value_or(TokenAnswer()));
  }
  return answers;
}

}  // namespace parity
