#include "gtest_parity/session/case.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace parity {
namespace {

std::string Slug(const std::string& text) {
  std::string slug;
  for (const char c : text) slug += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return slug;
}

bool SeesThroughViews(const Description& side) {
  return std::any_of(side.tensors.begin(), side.tensors.end(),
                     [](const auto& tensor) { return tensor.second.seen != nullptr; });
}

}  // namespace

std::string Case::Fixture() const {
  switch (kind) {
    case CaseKind::kPreflight:
      return "Preflight";
    case CaseKind::kSpan:
      return "SpanParity";
    case CaseKind::kEndToEnd:
      return "EndToEnd";
    case CaseKind::kDomain:
      return "Domain";
    case CaseKind::kReplicated:
      return "Replicated";
    case CaseKind::kAsked:
      return fixture;
  }
  return "";
}

void PrintTo(const Case& parameter, std::ostream* out) {
  *out << parameter.program;
  if (!parameter.tensor.empty()) *out << " " << parameter.tensor;
  if (parameter.kind == CaseKind::kSpan || parameter.kind == CaseKind::kPreflight ||
      parameter.kind == CaseKind::kAsked) {
    *out << (parameter.program.empty() ? "" : " ") << parameter.slug;
  }
}

std::vector<Case> PreflightCases() {
  std::vector<Case> cases;
  for (const char* side : {"reference", "candidate", "sides"}) {
    cases.push_back({CaseKind::kPreflight, side, 0, {}, {}, {}});
  }
  return cases;
}

std::vector<Case> CasesOf(const Plan& plan) {
  std::vector<Case> cases = PreflightCases();
  for (const auto& [side, description] :
       {std::pair{"reference", &plan.reference}, {"candidate", &plan.candidate}}) {
    const bool spans = !plan.spans.empty();
    const bool tapped = description->tap_only && spans;
    for (const auto& [check, asked] :
         {std::pair{"neutrality", spans},
          {"write_back", tapped},
          {"causality", tapped || plan.manifest.judge.causality_probed}}) {
      if (!asked) continue;
      cases.push_back({CaseKind::kPreflight, std::string(side) + "_" + check, 0, {}, {}});
    }
  }
  if (SeesThroughViews(plan.reference)) {
    cases.push_back({CaseKind::kPreflight, "reference_views", 0, {}, {}});
  }
  if (SeesThroughViews(plan.candidate)) {
    cases.push_back({CaseKind::kPreflight, "candidate_views", 0, {}, {}});
  }
  for (std::size_t i = 0; i < plan.spans.size(); ++i) {
    cases.push_back({CaseKind::kSpan, plan.spans[i].slug, i, plan.spans[i].program, {}, {}});
  }
  for (const ProgramPlan& program : plan.programs) {
    cases.push_back({CaseKind::kEndToEnd, Slug(program.name), 0, program.name, {}, {}});
  }
  for (const ProgramPlan& program : plan.programs) {
    std::vector<std::string> names = program.outputs;
    for (const DecisionPlan& decision : program.decisions) names.push_back(decision.name);
    for (const std::string& name : names) {
      if (!plan.reference.tensors.at(name).domain) continue;
      cases.push_back(
          {CaseKind::kDomain, Slug(program.name + "_" + name), 0, program.name, name, {}});
    }
  }
  if (plan.manifest.ranks.count < 2) return cases;
  for (const ProgramPlan& program : plan.programs) {
    for (const std::string& name : program.replicated) {
      cases.push_back(
          {CaseKind::kReplicated, Slug(program.name + "_" + name), 0, program.name, name, {}});
    }
  }
  return cases;
}

}  // namespace parity
