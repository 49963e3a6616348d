#include "gtest_parity/engines/tiny/serve/policy_questions.h"

#include <limits>
#include <optional>
#include <utility>

#include "gtest_parity/engines/tiny/json_fields.h"

namespace parity::tiny {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
T Whole(const Json& object, const char* key, T otherwise, const std::string& where) {
  const auto found =
      Find<std::int64_t>(object, key, &Json::is_number_integer, "a whole number", where);
  if (!found) return otherwise;
  const bool fits = std::in_range<T>(*found);
  if (!fits) {
    throw Invalid(where + "." + key + " is " + std::to_string(*found) + ", expected " +
                  std::to_string(std::numeric_limits<T>::min()) + " to " +
                  std::to_string(std::numeric_limits<T>::max()));
  }
  return static_cast<T>(*found);
}

// One question, with what most of them have.
class Question {
 public:
  Question(const Json& object, const KvPolicy& policy, std::string where)
      : object_(object), policy_(policy), where_(std::move(where)) {
    CheckKeys(object, where_,
              {"ask", "knobs", "tokens", "live", "stored", "committed", "markers", "records",
               "asker", "tier", "incoming_bytes", "now", "bytes", "present", "made"});
    if (object.contains("knobs")) ReadKnobs(object["knobs"]);
  }

  Json Answer() const;

 private:
  void ReadKnobs(const Json& from) {
    const std::string where = where_ + ".knobs";
    CheckKeys(
        from, where,
        {"budget_bytes", "min_tokens", "cold_max_tokens", "continued_interval_tokens",
         "boundary_trim_tokens", "boundary_align_tokens", "min_lcp", "reject_different_quant"});
    const auto read = [&](const char* key, auto& value) { value = Whole(from, key, value, where); };
    read("budget_bytes", knobs_.budget_bytes);
    read("min_tokens", knobs_.min_tokens);
    read("cold_max_tokens", knobs_.cold_max_tokens);
    read("continued_interval_tokens", knobs_.continued_interval_tokens);
    read("boundary_trim_tokens", knobs_.boundary_trim_tokens);
    read("boundary_align_tokens", knobs_.boundary_align_tokens);
    read("min_lcp", knobs_.min_lcp);
    knobs_.reject_different_quant =
        FindFlag(from, "reject_different_quant", where).value_or(knobs_.reject_different_quant);
  }

  template <typename T>
  T Number(const char* key) const {
    return Whole<T>(object_, key, 0, where_);
  }

  KvRecord Record(const Json& from, const std::string& where) const;
  std::vector<KvRecord> Records() const;
  KvRecord RecordAt(const char* key) const {
    return Record(object_.value(key, Json::object()), where_ + "." + key);
  }
  KvAsker Asker() const;
  KvTier Tier() const;
  std::vector<ChatMarker> Markers() const;
  Json Found(const std::optional<std::size_t>& found) const {
    return found ? Json(*found) : Json(nullptr);
  }
  Json Overlap() const;
  Json Scores() const;
  std::optional<Json> AnswerCounts(const std::string& ask) const;

  const Json& object_;
  const KvPolicy& policy_;
  std::string where_;
  KvKnobs knobs_;
};

KvRecord Question::Record(const Json& from, const std::string& where) const {
  CheckKeys(from, where,
            {"text", "tokens", "hits", "context", "created", "last_used", "file_bytes", "reason",
             "ext", "model", "quant"});
  KvRecord record;
  record.text = FindText(from, "text", where).value_or("");
  record.key = policy_.Hash(record.text);
  record.text_bytes = record.text.size();
  const auto read = [&](const char* key, auto& value) { value = Whole(from, key, value, where); };
  read("tokens", record.tokens);
  read("hits", record.hits);
  read("context", record.context);
  read("created", record.created);
  read("last_used", record.last_used);
  read("file_bytes", record.file_bytes);
  read("reason", record.reason);
  read("ext", record.ext);
  read("model", record.model);
  read("quant", record.quant);
  return record;
}

std::vector<KvRecord> Question::Records() const {
  std::vector<KvRecord> records;
  const auto found = Find<Json>(object_, "records", &Json::is_array, "an array", where_);
  for (std::size_t i = 0; found && i < found->size(); ++i) {
    records.push_back(Record((*found)[i], where_ + ".records[" + std::to_string(i) + "]"));
  }
  return records;
}

KvAsker Question::Asker() const {
  const Json from = object_.value("asker", Json::object());
  const std::string where = where_ + ".asker";
  CheckKeys(from, where, {"text", "context", "model", "quant"});
  KvAsker asker;
  asker.text = FindText(from, "text", where).value_or("");
  asker.context = Whole(from, "context", asker.context, where);
  asker.model = Whole(from, "model", asker.model, where);
  asker.quant = Whole(from, "quant", asker.quant, where);
  return asker;
}

KvTier Question::Tier() const {
  const std::string tier = FindText(object_, "tier", where_).value_or("serial");
  if (tier == "serial") return KvTier::kSerial;
  if (tier == "bank") return KvTier::kBank;
  throw Invalid(where_ + ".tier is \"" + tier + "\", expected \"serial\" or \"bank\"");
}

std::vector<ChatMarker> Question::Markers() const {
  std::vector<ChatMarker> markers;
  const auto found = Find<Json>(object_, "markers", &Json::is_array, "an array", where_);
  for (std::size_t i = 0; found && i < found->size(); ++i) {
    const std::string where = where_ + ".markers[" + std::to_string(i) + "]";
    CheckKeys((*found)[i], where, {"at", "role"});
    const std::string role = FindText((*found)[i], "role", where).value_or("");
    if (role != "user" && role != "assistant") {
      throw Invalid(where + ".role is \"" + role + "\", expected \"user\" or \"assistant\"");
    }
    markers.push_back({Whole<std::int32_t>((*found)[i], "at", 0, where), role == "user"});
  }
  return markers;
}

Json Question::Overlap() const {
  const auto found = policy_.LongestOverlap(knobs_, Records(), Asker());
  if (!found) return nullptr;
  return {{"record", found->record}, {"lcp", found->lcp}};
}

Json Question::Scores() const {
  Json scores = Json::array();
  for (const KvRecord& record : Records()) {
    scores.push_back(policy_.Score(knobs_, record, Asker(), Number<std::uint64_t>("now")));
  }
  return scores;
}

// Of counts alone; null where it is none of these.
std::optional<Json> Question::AnswerCounts(const std::string& ask) const {
  const auto tokens = [this](const char* key) { return Number<std::int32_t>(key); };
  if (ask == "store_len") return policy_.StoreLength(knobs_, tokens("tokens"));
  if (ask == "continued_target") {
    return policy_.ContinuedTarget(knobs_, tokens("live"), tokens("stored"));
  }
  if (ask == "bank_due") return policy_.BankDue(knobs_, tokens("committed"), tokens("stored"));
  if (ask == "anchor") return policy_.Anchor(knobs_, Markers());
  if (ask == "fits") return policy_.Fits(knobs_, Number<std::uint64_t>("bytes"));
  return std::nullopt;
}

Json Question::Answer() const {
  const std::string ask = FindText(object_, "ask", where_).value_or("");
  if (const auto counted = AnswerCounts(ask)) return *counted;
  if (ask == "score") return Scores();
  if (ask == "lookup") return Found(policy_.Lookup(knobs_, Records(), Asker(), Tier()));
  if (ask == "lcp") return Overlap();
  if (ask == "compatible") {
    return policy_.Compatible(knobs_, RecordAt("present"), RecordAt("made"));
  }
  if (ask == "evict") {
    return policy_.Evict(knobs_, Records(), Asker(), Number<std::uint64_t>("incoming_bytes"),
                         Number<std::uint64_t>("now"));
  }
  throw Invalid(where_ + ".ask is \"" + ask +
                "\", known are store_len, continued_target, bank_due, anchor, fits, score, evict, "
                "lookup, lcp, compatible");
}

}  // namespace

Json AnswerPolicy(const Json& request, const KvPolicy& policy) {
  CheckKeys(request, "request", {"do", "questions"});
  const auto questions = Find<Json>(request, "questions", &Json::is_array, "an array", "request");
  if (!questions) throw Invalid("request.questions is missing, expected an array");
  Json answers = Json::array();
  for (std::size_t i = 0; i < questions->size(); ++i) {
    const std::string where = "request.questions[" + std::to_string(i) + "]";
    answers.push_back(Question((*questions)[i], policy, where).Answer());
  }
  return {{"answers", answers}};
}

}  // namespace parity::tiny
