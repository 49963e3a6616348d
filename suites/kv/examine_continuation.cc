#include "suites/kv/examine.h"

#include <algorithm>
#include <iterator>

#include "gtest_parity/judge/number_text.h"

namespace parity::kv {
namespace {

std::string ApartText(const Continuation& apart) {
  std::string text = std::to_string(apart.rows) +
                     " rows: " + std::to_string(apart.elements.different) + " of " +
                     std::to_string(apart.elements.compared) + " logits differ, KL " +
                     ShortText(apart.worst_kl) + " nats in row " + std::to_string(apart.worst_row);
  if (apart.first_apart) text += ", ids from " + std::to_string(*apart.first_apart) + " on";
  return text;
}

// Another's record is taken up: the reference goes on otherwise than without it, which is the risk,
// and every cell as the reference does.
Checked ExamineSharedRisk(const Cell& cell, const Rules& rules) {
  Checked checked;
  const Answer &answer = cell.warm->answer, &expected = cell.reference_warm->answer;
  const Continuation risk =
      CompareContinuations(cell.reference_cold->generated, cell.reference_warm->generated);
  const Continuation apart =
      CompareContinuations(cell.reference_warm->generated, cell.warm->generated);
  checked.properties.emplace_back("kl", NumberText(apart.worst_kl));
  checked.properties.emplace_back("shared_risk", ApartText(risk));
  checked.Expect(apart.rows != 0, "continuation: nothing to compare",
                 Got("rows of logits", apart.rows, answer.output));
  checked.Expect(!risk.Identical(), "continuation: no risk",
                 "the reference's answer is that without the record: what it took up is its own");
  const bool holds = rules.exact ? apart.Identical() : apart.worst_kl <= rules.kl_limit;
  checked.Expect(holds, "continuation: logits",
                 ApartText(apart) + " from what the reference made of its own record");
  checked.Expect(answer.finish == expected.finish, "continuation: finish",
                 Got("finish", answer.finish, expected.finish));
  return checked;
}

bool ShowsLogits(const Cell& cell) {
  const Loaded* runs[] = {cell.cold, cell.warm, cell.reference_cold, cell.reference_warm};
  return std::all_of(std::begin(runs), std::end(runs),
                     [](const Loaded* run) { return run->answer.ShowsLogits(); });
}

void ExpectFinish(const Cell& cell, Checked& checked) {
  const std::string& got = cell.warm->answer.finish;
  const std::string& declared = cell.lane->answer.finish;
  const std::string& finish = declared.empty() ? cell.cold->answer.finish : declared;
  checked.Expect(got == finish, "continuation: finish", Got("finish", got, finish));
}

std::string TextOf(const Answer& answer) {
  const nlohmann::json text = answer.text;
  return text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
         (answer.calls.empty() ? "" : " with calls " + answer.calls.dump());
}

// Without logits on every side there is no measure but the words themselves, in every mode.
Checked ExamineWords(const Cell& cell) {
  Checked checked;
  const Answer &cold = cell.cold->answer, &warm = cell.warm->answer;
  checked.properties.emplace_back("compared", "text, as a side shows no logits");
  checked.Expect(warm.output != 0 && (!warm.text.empty() || !warm.calls.empty()),
                 "continuation: nothing to compare", Got("text", TextOf(warm), "some"));
  checked.Expect(SayTheSame(cold, warm), "continuation: text",
                 Got("text", TextOf(warm), TextOf(cold) + " as without the record"));
  ExpectFinish(cell, checked);
  return checked;
}

}  // namespace

Checked ExamineContinuation(const Cell& cell, const Rules& rules) {
  if (!ShowsLogits(cell)) {
    if (!cell.lane->answer.shared_risk) return ExamineWords(cell);
    Checked checked;
    checked.CannotTell("a side shows no logits, by which a shared risk is known");
    return checked;
  }
  if (cell.lane->answer.shared_risk) return ExamineSharedRisk(cell, rules);
  Checked checked;
  const Answer& answer = cell.warm->answer;
  const Continuation apart = CompareContinuations(cell.cold->generated, cell.warm->generated);
  const Continuation own =
      CompareContinuations(cell.reference_cold->generated, cell.reference_warm->generated);
  checked.properties.emplace_back("kl", NumberText(apart.worst_kl));
  checked.Expect(apart.rows != 0, "continuation: nothing to compare",
                 Got("rows of logits", apart.rows, answer.output));
  // Another engine's state, saved where sums are taken in another order, is within the limit of an
  // engine that takes them so; its own is held to what the reference's own repeats.
  const bool crossed = cell.key.saver_reference != cell.key.loader_reference && !cell.IsDeclined();
  double allowed = own.Identical() ? 0 : rules.spread_factor * rules.spread_factor * own.worst_kl;
  std::string from = own.Identical() ? "the reference repeats its own bit for bit"
                                     : "the reference's own warm and cold runs";
  if (crossed && !rules.exact && rules.kl_limit > allowed) {
    allowed = rules.kl_limit;
    from = "judge.kl, as the state is another engine's";
  }
  if (cell.key.IsOwnCheck()) {
    checked.Expect(own.worst_kl <= rules.kl_limit, "continuation: no spread",
                   ApartText(own) + ": warm and cold are not the same thing, allowed judge.kl, " +
                       ShortText(rules.kl_limit));
  }
  const bool holds = allowed == 0 ? apart.Identical() : apart.worst_kl <= allowed;
  checked.Expect(holds, "continuation: logits",
                 ApartText(apart) + ", allowed KL " + ShortText(allowed) + " (" + from + ")");
  if (allowed == 0) {
    checked.Expect(!apart.first_apart, "continuation: ids", ApartText(apart));
  }
  ExpectFinish(cell, checked);
  return checked;
}

}  // namespace parity::kv
