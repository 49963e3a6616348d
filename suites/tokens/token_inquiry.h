// What the suite asks of both sides about tokens.
#ifndef GTEST_PARITY_SUITES_TOKENS_TOKEN_INQUIRY_H_
#define GTEST_PARITY_SUITES_TOKENS_TOKEN_INQUIRY_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/session/inquiry.h"
#include "gtest_parity/replay/greedy.h"
#include "suites/tokens/token_questions.h"

namespace parity {

class TokenInquiry : public Inquiry {
 public:
  // Reads the fixture, if the manifest names one: throws InvalidInput. Throws std::runtime_error
  // where the manifest asks for what the sides do not declare.
  TokenInquiry(const Plan& plan, const Workload& workload);

  std::vector<Case> Cases() const override;
  void AskReference(Side& reference, const std::vector<Case>& selected) override;
  Verdict Judge(const Case& which, Side& candidate, const Rules& rules) override;

 private:
  struct Generated {
    GreedyScenario scenario;
    std::vector<std::vector<GreedyToken>> repeats;
  };

  void FindEnd(Side& reference);
  Generated Generate(const std::string& scenario, Side& reference) const;
  Verdict JudgeScenario(const Generated& generated, Side& candidate, const Rules& rules) const;
  const AskedCase& AskedAs(const Case& which) const;
  // [rank]
  std::vector<TokenAnswers> Ask(const AskedCase& asked, Side& side) const;

  const Plan& plan_;
  const Workload& workload_;
  GreedyReads reads_;
  std::vector<AskedCase> asked_;
  std::vector<std::int32_t> end_;
  std::map<std::string, Generated> generated_;                // by scenario
  std::map<std::string, std::vector<TokenAnswers>> answers_;  // by "Encode/emoji"; [rank]
};

}  // namespace parity

#endif  // GTEST_PARITY_SUITES_TOKENS_TOKEN_INQUIRY_H_
