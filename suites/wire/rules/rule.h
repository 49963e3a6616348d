// A rule of the wire: what must hold of one answer, of all that a side said, or of a pair.
#ifndef GTEST_PARITY_SUITES_WIRE_RULES_RULE_H_
#define GTEST_PARITY_SUITES_WIRE_RULES_RULE_H_

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "suites/wire/rules/view.h"

namespace parity::wire {

// kCore: what breaks it breaks clients. kProfile: counts against the candidate only where the
// reference never does it. kStrict: only reported.
enum class Layer { kCore, kProfile, kStrict };

// Where a core rule that the reference breaks too excuses the candidate. kExchange: in that
// exchange. kSide: in all, as the clock decides in which of them it shows.
enum class Basis { kExchange, kSide };

struct Finding {
  std::string rule, exchange;
  std::string where;  // "event 3", "body /choices/0"; empty: all of the exchange
  std::string got, expected;
};

// One line: "chat/plain: C-02: event 0: got text after start, expected role"
std::string TextOf(const Finding& finding);

// A rule that had nothing to look at in an exchange, as the finding of another tells why.
struct Note {
  std::string rule, exchange;
  std::string cause;  // the other's rule: it has a finding in that exchange
  bool operator==(const Note&) const = default;
};

// One line: "chat/plain: C-05: nothing to look at, see W-17"
std::string TextOf(const Note& note);

// How requests of the two sides' servers are told in /metrics; empty: not told.
struct MetricRoles {
  std::string prompt_tokens, output_tokens, active;
  std::vector<std::string> alike;  // series that have counted the same requests, once at rest
  bool operator==(const MetricRoles&) const = default;
};

struct RuleOptions {
  // What no client may see of the model's own markup.
  std::vector<std::string> markup = {"<think>",      "</think>", "<tool_call>",
                                     "</tool_call>", "<|",       "<\xEF\xBD\x9C"};
  MetricRoles metrics;
  bool strict = true;        // what is only reported too
  bool same_metrics = true;  // both sides name their metrics alike
};

// Collects what one rule finds, and how much it looked at: a rule that saw nothing held nothing.
class Report {
 public:
  Report(std::string rule, const RuleOptions& options)
      : rule_(std::move(rule)), options_(&options) {}

  // It applies to one thing more.
  void Look() { ++looked_; }
  void Add(const std::string& exchange, std::string where, std::string got, std::string expected) {
    findings_.push_back({rule_, exchange, std::move(where), std::move(got), std::move(expected)});
  }
  // Looks, and adds a finding unless `holds`.
  void Expect(bool holds, const std::string& exchange, std::string where, std::string got,
              std::string expected);
  // It would apply, but for what `cause` has found in that exchange.
  void Follow(const std::string& exchange, const std::string& cause) {
    notes_.push_back({rule_, exchange, cause});
  }

  const std::string& rule() const { return rule_; }
  const RuleOptions& options() const { return *options_; }
  std::size_t looked() const { return looked_; }
  const std::vector<Finding>& findings() const { return findings_; }
  const std::vector<Note>& notes() const { return notes_; }

 private:
  std::string rule_;
  const RuleOptions* options_;
  std::size_t looked_ = 0;
  std::vector<Finding> findings_;
  std::vector<Note> notes_;
};

// One answer, and what it is part of.
struct Subject {
  const SideView& side;
  const ExchangeView& exchange;
  const AnswerView& answer;

  const std::string& name() const { return exchange.name(); }
  const Exchange& meta() const { return *exchange.exchange; }
};

using AnswerCheck = void (*)(const Subject&, Report&);
using SideCheck = void (*)(const SideView&, Report&);
// The reference's first.
using PairCheck = void (*)(const ExchangeView&, const ExchangeView&, Report&);

// Sets of surfaces.
inline constexpr unsigned Bit(Surface surface) { return 1u << static_cast<unsigned>(surface); }
inline constexpr unsigned kChatOnly = Bit(Surface::kChat);
inline constexpr unsigned kCompletionsOnly = Bit(Surface::kCompletions);
inline constexpr unsigned kMessagesOnly = Bit(Surface::kMessages);
inline constexpr unsigned kResponsesOnly = Bit(Surface::kResponses);
inline constexpr unsigned kChunked = kChatOnly | kCompletionsOnly;
inline constexpr unsigned kGenerating = kChunked | kMessagesOnly | kResponsesOnly;
inline constexpr unsigned kAll = ~0u;

struct Rule {
  std::string_view id;
  Layer layer;
  unsigned surfaces;       // that it is for
  std::string_view needs;  // of a transcript, beyond an answer; empty: nothing
  std::string_view words;  // what must hold, one line
  std::variant<AnswerCheck, SideCheck, PairCheck> check;
  Basis basis = Basis::kExchange;
};

// All of them; ids are unique.
std::vector<Rule> AllRules();
const Rule* FindRule(std::string_view id);

std::string_view NameOf(Layer layer);

// What each room of rules has.
std::span<const Rule> HttpRules();
std::span<const Rule> SseRules();
std::span<const Rule> ChunkRules();
std::span<const Rule> MessagesRules();
std::span<const Rule> ResponsesRules();
std::span<const Rule> TextRules();
std::span<const Rule> TwinRules();
std::span<const Rule> UsageRules();
std::span<const Rule> ErrorRules();
std::span<const Rule> ProbeRules();
std::span<const Rule> SideRules();
std::span<const Rule> MetricsRules();
std::span<const Rule> SchemaRules();
std::span<const Rule> PairRules();

// What the machines found under the rule's id.
void CheckMachine(const Subject& subject, Report& report);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_RULES_RULE_H_
