#include "gtest_parity/report/record.h"

#include <fcntl.h>

#include <map>
#include <optional>

#include "gtest_parity/report/error.h"
#include "gtest_parity/report/tally.h"

namespace parity {
namespace {

using Json = nlohmann::ordered_json;

CaseResult EndedDuring(const std::string& suite, const std::string& test, const std::string& time) {
  CaseResult result;
  result.suite = suite;
  result.test = test;
  result.started = time;
  result.outcome = result.verdict.outcome = Outcome::kError;
  result.verdict.summary = "the process ended during this case";
  result.verdict.findings = {result.verdict.summary};
  return result;
}

// Gathers lines into one result per case.
class Gatherer {
 public:
  void Take(const Json& line) {
    const std::string event = line.at("event").get<std::string>();
    if (event == "selected") {
      for (const Json& one : line.at("cases")) {
        const CaseResult unreached =
            NotReached(one.at(0).get<std::string>(), one.at(1).get<std::string>());
        CaseOf(unreached.FullName()).unreached = unreached;
      }
    } else if (event == "started") {
      const CaseResult open =
          EndedDuring(line.at("suite").get<std::string>(), line.at("test").get<std::string>(),
                      line.at("started").get<std::string>());
      CaseOf(open.FullName()).open.push_back(open);
    } else if (event == "finished") {
      const CaseResult result = CaseResultFromJson(line);
      Case& at = CaseOf(result.FullName());
      if (!at.open.empty()) at.open.pop_back();
      at.ended.push_back(result);
    } else {
      throw ReportError("unknown event '" + event + "'");
    }
  }

  void Finish(RecordedCases& recorded) const {
    for (const Case& one : cases_) {
      if (!one.open.empty()) recorded.unfinished.push_back(one.open.front().FullName());
      const CaseResult* worst = nullptr;
      for (const auto* list : {&one.ended, &one.open}) {
        for (const CaseResult& result : *list) {
          if (worst == nullptr || !Worse(worst->outcome, result.outcome)) worst = &result;
        }
      }
      if (worst != nullptr) {
        recorded.results.push_back(*worst);
      } else if (one.unreached) {
        recorded.results.push_back(*one.unreached);
      }
    }
  }

 private:
  struct Case {
    std::optional<CaseResult> unreached;
    std::vector<CaseResult> open, ended;
  };

  Case& CaseOf(const std::string& name) {
    const auto [at, fresh] = places_.emplace(name, cases_.size());
    if (fresh) cases_.emplace_back();
    return cases_[at->second];
  }

  std::vector<Case> cases_;
  std::map<std::string, std::size_t> places_;
};

}  // namespace

CaseResult NotReached(const std::string& suite, const std::string& test) {
  CaseResult result;
  result.suite = suite;
  result.test = test;
  result.verdict.summary = "not reached: the run ended before this case";
  return result;
}

CaseRecord::CaseRecord(const std::string& path, Mode mode)
    : path_(path),
      file_(::open(path.c_str(),
                   O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (mode == Mode::kFresh ? O_TRUNC : 0),
                   0666)) {
  if (file_.get() < 0) ThrowSystemError("open the record of cases", path_);
  if (mode == Mode::kAppend) {
    const std::string held = ReadFileIfThere(path_).value_or("");
    torn_ = !held.empty() && held.back() != '\n';
  }
}

void CaseRecord::Selected(const std::vector<std::pair<std::string, std::string>>& cases) {
  Append(Json{{"event", "selected"}, {"cases", cases}});
}

void CaseRecord::Started(const std::string& suite, const std::string& test,
                         const std::string& time) {
  Append(Json{{"event", "started"}, {"suite", suite}, {"test", test}, {"started", time}});
}

void CaseRecord::Finished(const CaseResult& result) {
  Json line{{"event", "finished"}};
  line.update(ToJson(result));
  Append(line);
}

void CaseRecord::Append(const Json& line) {
  const std::string text = (torn_ ? "\n" : "") + JsonLine(line) + "\n";
  torn_ = true;  // until all of it is written
  WriteAll(file_, text, path_);
  torn_ = false;
}

RecordedCases ParseRecord(std::string_view text) {
  RecordedCases recorded;
  Gatherer gatherer;
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      recorded.torn = true;
      break;
    }
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    try {
      gatherer.Take(Json::parse(line));
    } catch (const Json::exception&) {
      recorded.unreadable.push_back(number);
    } catch (const ReportError&) {
      recorded.unreadable.push_back(number);
    }
  }
  gatherer.Finish(recorded);
  return recorded;
}

RecordedCases ReadRecord(const std::string& path) {
  const std::optional<std::string> text = ReadFileIfThere(path);
  if (!text) throw ReportError("there is no record of cases '" + path + "'");
  return ParseRecord(*text);
}

}  // namespace parity
