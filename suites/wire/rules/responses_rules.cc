// Responses, beyond what their machine sees.
#include <map>

#include "gtest_parity/manifest/json_object.h"
#include "suites/wire/answers/json_parts.h"
#include "suites/wire/answers/read_answer.h"
#include "suites/wire/rules/rule.h"

namespace parity::wire {
namespace {

using nlohmann::json;

std::string EventAt(std::size_t index) { return "event " + std::to_string(index); }

template <typename Visit>
void EachEvent(const AnswerView& answer, Visit visit) {
  for (std::size_t i = 0; i < answer.events.size(); ++i) {
    const json& data = answer.events[i].data;
    if (!data.is_null()) visit(EventAt(i), TextIn(data, "type"), data);
  }
}

bool IsOfItem(const std::string& type) {
  return type.starts_with("response.output_item.") || type.starts_with("response.content_part.") ||
         type.starts_with("response.output_text.") || type.starts_with("response.refusal.") ||
         type.starts_with("response.reasoning_") || type.starts_with("response.function_call_");
}

void CheckSequence(const Subject& subject, Report& report) {
  std::int64_t next = 0;
  EachEvent(subject.answer, [&](const std::string& where, const std::string&, const json& data) {
    const json& number = PartOf(data, "sequence_number");
    report.Expect(number == next, subject.name(), where, "sequence_number " + Shown(number),
                  std::to_string(next));
    next = CountIn(data, "sequence_number").value_or(next) + 1;
  });
}

// Which part an event is of, by the key that says so; empty: of no part.
const char* PartKeyOf(const std::string& type) {
  if (type.starts_with("response.reasoning_summary_")) return "summary_index";
  if (type.starts_with("response.output_item.") || type.starts_with("response.function_call_")) {
    return "";
  }
  return "content_index";
}

void CheckPlaces(const Subject& subject, Report& report) {
  std::map<std::int64_t, std::string> ids;
  EachEvent(subject.answer, [&](const std::string& where, const std::string& type,
                                const json& data) {
    if (!IsOfItem(type)) return;
    const auto index = CountIn(data, "output_index");
    const std::string key = PartKeyOf(type);
    report.Expect(index.has_value(), subject.name(), where, "no output_index", "the item's");
    report.Expect(key.empty() || CountIn(data, key.c_str()).has_value(), subject.name(), where,
                  "no " + key, "the part's");
    if (!index) return;
    const bool of_item = type.starts_with("response.output_item.");
    const std::string id = of_item ? TextIn(PartOf(data, "item"), "id") : TextIn(data, "item_id");
    const auto [known, fresh] = ids.try_emplace(*index, id);
    report.Expect(fresh || known->second == id, subject.name(), where, "item " + Quoted(id),
                  Quoted(known->second) + ", as added");
  });
  const json& output = PartOf(FinalObjectOf(subject.answer.events), "output");
  for (const auto& [index, id] : ids) {
    const json& item = ElementOf(output, static_cast<std::size_t>(index));
    report.Expect(item.is_null() || TextIn(item, "id") == id, subject.name(), "final object",
                  "item " + Quoted(TextIn(item, "id")), Quoted(id) + ", as added");
  }
}

void CheckItemOrder(const Subject& subject, Report& report) {
  CheckMachine(subject, report);
  std::int64_t added = 0;
  EachEvent(
      subject.answer, [&](const std::string& where, const std::string& type, const json& data) {
        if (type != "response.output_item.added") return;
        const auto index = CountIn(data, "output_index");
        report.Expect(!index || *index == added, subject.name(), where,
                      "output_index " + Shown(PartOf(data, "output_index")), std::to_string(added));
        ++added;
      });
}

// What the deltas of each part come to, against what every later event says that they were.
class PartTexts {
 public:
  PartTexts(const Subject& subject, Report& report) : subject_(subject), report_(report) {}

  void Take(const std::string& where, const std::string& type, const json& data) {
    if (!IsOfItem(type)) return;
    const Key key = {CountIn(data, "output_index").value_or(-1),
                     CountIn(data, "content_index").value_or(-1),
                     CountIn(data, "summary_index").value_or(-1)};
    if (type.ends_with(".delta")) {
      texts_[key] += TextIn(data, "delta");
    } else if (type == "response.output_item.done") {
      Item(where, std::get<0>(key), PartOf(data, "item"));
    } else if (type.ends_with("_part.done")) {
      Expect(where, TextOfPart(PartOf(data, "part")), texts_[key]);
    } else if (type.ends_with(".done")) {
      Expect(where, TextOfPart(data) + TextIn(data, "arguments"), texts_[key]);
    }
  }

  void Item(const std::string& where, std::int64_t index, const json& item) {
    std::string all;
    bool told = false;
    for (const auto& [key, text] : texts_) {
      if (std::get<0>(key) != index) continue;
      all += text;
      told = true;
    }
    const std::string type = TextIn(item, "type");
    // A call may be sent whole, in no deltas.
    if (type == "message" || type == "reasoning" || (type == "function_call" && told)) {
      Expect(where, TextOfItem(item), all);
    }
  }

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

  static std::string TextOfPart(const json& part) {
    return TextIn(part, "text") + TextIn(part, "refusal");
  }

  static std::string TextOfItem(const json& item) {
    std::string text = TextIn(item, "arguments");
    for (const char* list : {"content", "summary"}) {
      const json& parts = PartOf(item, list);
      for (std::size_t i = 0; i < parts.size(); ++i) text += TextOfPart(ElementOf(parts, i));
    }
    return text;
  }

  void Expect(const std::string& where, const std::string& got, const std::string& deltas) {
    report_.Expect(got == deltas, subject_.name(), where, Quoted(got),
                   Quoted(deltas) + ", as its deltas");
  }

  const Subject& subject_;
  Report& report_;
  std::map<Key, std::string> texts_;
};

// Without its index no delta belongs to an item.
bool NamesItsItems(const AnswerView& answer) {
  bool all = true;
  EachEvent(answer, [&](const std::string&, const std::string& type, const json& data) {
    all = all && (!IsOfItem(type) || CountIn(data, "output_index"));
  });
  return all;
}

void CheckTexts(const Subject& subject, Report& report) {
  if (!NamesItsItems(subject.answer)) return report.Follow(subject.name(), "R-03");
  PartTexts texts(subject, report);
  EachEvent(subject.answer, [&](const std::string& where, const std::string& type,
                                const json& data) { texts.Take(where, type, data); });
  const json& output = PartOf(FinalObjectOf(subject.answer.events), "output");
  for (std::size_t i = 0; i < output.size(); ++i) {
    texts.Item("final object", static_cast<std::int64_t>(i), ElementOf(output, i));
  }
}

void CheckLogprobs(const Subject& subject, Report& report) {
  EachEvent(subject.answer, [&](const std::string& where, const std::string& type,
                                const json& data) {
    if (!type.starts_with("response.output_text.d")) return;
    report.Expect(PartOf(data, "logprobs").is_array(), subject.name(), where,
                  "logprobs " + Shown(PartOf(data, "logprobs")), "a list, empty where not asked");
  });
}

// The whole object, streamed or not.
const json& ObjectOf(const AnswerView& answer) {
  return answer.is_stream ? FinalObjectOf(answer.events) : answer.body;
}

void CheckIncomplete(const Subject& subject, Report& report) {
  const json& object = ObjectOf(subject.answer);
  if (TextIn(object, "status") != "incomplete") return;
  const std::string reason = TextIn(PartOf(object, "incomplete_details"), "reason");
  report.Expect(reason == "max_output_tokens" || reason == "content_filter", subject.name(),
                "incomplete_details", "reason " + Quoted(reason),
                "max_output_tokens or content_filter");
  const json& output = PartOf(object, "output");
  for (std::size_t i = 0; i < output.size(); ++i) {
    const json& status = PartOf(ElementOf(output, i), "status");
    const bool last = i + 1 == output.size();
    if (!status.is_string()) continue;
    report.Expect((status == "incomplete") == last, subject.name(), "output " + std::to_string(i),
                  "status " + Shown(status),
                  last ? "incomplete" : "completed, as only the last is cut");
  }
}

void CheckUsage(const Subject& subject, Report& report) {
  const json& object = ObjectOf(subject.answer);
  const std::string status = TextIn(object, "status");
  if (status != "completed" && status != "incomplete") return;
  const json& usage = PartOf(object, "usage");
  const bool whole = CountIn(usage, "input_tokens") && CountIn(usage, "output_tokens") &&
                     CountIn(usage, "total_tokens") &&
                     CountIn(PartOf(usage, "input_tokens_details"), "cached_tokens") &&
                     CountIn(PartOf(usage, "output_tokens_details"), "reasoning_tokens");
  report.Expect(whole, subject.name(), "usage", Shown(usage),
                "input, cached, output, reasoning and total tokens");
}

void CheckEcho(const Subject& subject, Report& report) {
  EachEvent(
      subject.answer, [&](const std::string& where, const std::string& type, const json& data) {
        if (type != "response.created") return;
        for (const char* key : {"tools", "tool_choice", "parallel_tool_calls", "instructions"}) {
          report.Expect(Holds(PartOf(data, "response"), key), subject.name(), where,
                        std::string("no ") + key, "the request's fields, told back");
        }
      });
}

void CheckCallIds(const Subject& subject, Report& report) {
  const json& output = PartOf(ObjectOf(subject.answer), "output");
  for (std::size_t i = 0; i < output.size(); ++i) {
    const json& item = ElementOf(output, i);
    if (TextIn(item, "type") != "function_call") continue;
    const std::string id = TextIn(item, "id"), call_id = TextIn(item, "call_id");
    report.Expect(!id.empty() && !call_id.empty() && id != call_id, subject.name(),
                  "output " + std::to_string(i),
                  "id " + Quoted(id) + ", call_id " + Quoted(call_id), "two ids of their own");
  }
}

constexpr Rule kRules[] = {
    {"R-01", Layer::kCore, kResponsesOnly, "a stream", "sequence_number counts from 0",
     CheckSequence},
    {"R-02", Layer::kCore, kResponsesOnly, "a stream", "response.created is first", CheckMachine},
    {"R-03", Layer::kCore, kResponsesOnly, "a stream", "events name their item and part",
     CheckPlaces},
    {"R-04", Layer::kCore, kResponsesOnly, "a stream", "one item at a time, in order",
     CheckItemOrder},
    {"R-05", Layer::kCore, kResponsesOnly, "a stream",
     "deltas, done, part, item and final object say the same", CheckTexts},
    {"R-06", Layer::kCore, kResponsesOnly, "a stream", "what is added is done, and only that",
     CheckMachine},
    {"R-07", Layer::kProfile, kResponsesOnly, "a stream", "output_text events carry logprobs",
     CheckLogprobs},
    {"R-08", Layer::kCore, kResponsesOnly, "", "incomplete says why, and the last item is cut",
     CheckIncomplete},
    {"R-09", Layer::kCore, kResponsesOnly, "", "usage has every count", CheckUsage},
    {"R-10", Layer::kProfile, kResponsesOnly, "a stream", "response.created echoes the request",
     CheckEcho},
    {"R-12", Layer::kCore, kResponsesOnly, "", "call_id is not the item's id", CheckCallIds},
    {"W-20", Layer::kCore, kResponsesOnly, "a stream", "the machine of Responses accepts it",
     CheckMachine},
};

}  // namespace

std::span<const Rule> ResponsesRules() { return kRules; }

}  // namespace parity::wire
