#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "gtest_parity/replay/fields_json.h"
#include "gtest_parity/replay/read_recording.h"
#include "gtest_parity/replay/run_end.h"

namespace parity {
namespace {

// One recording against one plan.
class RecordingCheck {
 public:
  RecordingCheck(const Recording& recording, const Plan& plan, const Workload& workload,
                 const std::vector<std::uint64_t>& data_bytes)
      : recording_(recording),
        plan_(plan),
        workload_(workload),
        data_bytes_(data_bytes),
        ranks_(plan.manifest.ranks.count) {}

  void Run() const {
    ExpectCount("spans", recording_.spans.size(), plan_.spans.size());
    ExpectCount("runs", recording_.runs.size(), workload_.runs.size());
    ExpectCount("bytes", recording_.bytes.size(), ranks_);
    ExpectCount("spilled", recording_.spilled.size(), ranks_);
    ExpectCount("ranks with pages", data_bytes_.size(), ranks_);
    for (std::size_t span = 0; span < plan_.spans.size(); ++span) {
      for (const KeptSpan& kept : recording_.spans[span]) {
        At(plan_.spans[span].slug, [&] { CheckSpan(plan_.spans[span], kept); });
      }
    }
    for (std::size_t run = 0; run < workload_.runs.size(); ++run) {
      At(workload_.runs[run].name, [&] { CheckRunEnd(run); });
    }
    for (const ReferenceFault& fault : recording_.faults) {
      if (fault.span >= plan_.spans.size()) Refuse("a fault of a span that there is not");
    }
    CheckSpreads();
    CheckRepeats();
    CheckTimes();
  }

 private:
  [[noreturn]] static void Refuse(const std::string& words) {
    throw RecordingRefused(": " + words);
  }
  static void ExpectCount(const char* what, std::size_t is, std::size_t should) {
    if (is != should) throw RecordingRefused(what, std::to_string(is), std::to_string(should));
  }

  void CheckSpan(const Span& span, const KeptSpan& kept) const {
    if (kept.run >= workload_.runs.size() || workload_.runs[kept.run].program != span.program) {
      Refuse("kept of run " + std::to_string(kept.run) + ", which is none of its program");
    }
    ExpectCount("ranks", kept.ranks.size(), ranks_);
    const Vars vars = VarsOf(workload_.runs[kept.run], ranks_);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      ExpectCount("tensors", kept.ranks[rank].size(), span.frontier.size());
      for (std::size_t i = 0; i < span.frontier.size(); ++i) {
        const std::string& name = span.frontier[i].name;
        At(name, [&] { CheckTensor(span.frontier[i], vars, rank, kept.ranks[rank][i]); });
      }
    }
  }

  void CheckTensor(const FrontierTensor& tensor, const Vars& vars, std::size_t rank,
                   const KeptTensor& kept) const {
    const std::string& name = tensor.name;
    const bool read = tensor.restored || tensor.write == Write::kUpdate;
    CheckImage(name, vars, rank, kept.before, read);
    CheckImage(name, vars, rank, kept.after, tensor.write != Write::kNone);
    const std::uint64_t elements =
        ElementsIn(plan_.reference.tensors.at(name).dtype, kept.after.bytes);
    for (const ElementRanges* ranges : {&kept.written, &kept.compared}) {
      std::uint64_t at = 0;
      for (const ElementRun& range : *ranges) {
        if (range.first < at || range.count > elements || range.first > elements - range.count) {
          Refuse("elements " + std::to_string(range.first) + " and " + std::to_string(range.count) +
                 " on, of " + std::to_string(elements));
        }
        at = range.first + range.count;
      }
    }
  }

  // `kept`: of all the tensor, else of nothing. A tap-only engine shows some of what it reads only.
  void CheckImage(const std::string& name, const Vars& vars, std::size_t rank, const Image& image,
                  bool kept = true) const {
    const Tensor& tensor = plan_.reference.tensors.at(name);
    const std::vector<std::uint64_t> shape = tensor.Shape(vars);
    const std::uint64_t whole =
        BytesOf(tensor.dtype,
                std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>()));
    const bool unseen = image.bytes == 0 && plan_.reference.tap_only;
    if (image.bytes != (kept ? whole : 0) && !unseen) {
      throw RecordingRefused(": an image", std::to_string(image.bytes) + " bytes",
                             std::to_string(kept ? whole : 0));
    }
    if (image.pages.size() != (image.bytes + kPageBytes - 1) / kPageBytes) {
      Refuse("an image of " + std::to_string(image.bytes) + " bytes with " +
             std::to_string(image.pages.size()) + " pages");
    }
    for (std::size_t i = 0; i < image.pages.size(); ++i) {
      const std::uint64_t page = image.pages[i];
      const std::uint64_t bytes = std::min(kPageBytes, image.bytes - i * kPageBytes);
      if (page > data_bytes_[rank] || bytes > data_bytes_[rank] - page ||
          page % kChunkBytes + bytes > kChunkBytes) {
        Refuse("a page at " + std::to_string(page) + ", outside " +
               std::to_string(data_bytes_[rank]) + " bytes of pages or across a chunk");
      }
    }
  }

  const ProgramPlan* FindProgram(const std::string& name) const {
    const auto found = std::find_if(plan_.programs.begin(), plan_.programs.end(),
                                    [&](const ProgramPlan& p) { return p.name == name; });
    return found == plan_.programs.end() ? nullptr : &*found;
  }

  template <typename T>
  static void ExpectNames(const char* what, const std::map<std::string, T>& is,
                          const std::set<std::string>& should) {
    std::set<std::string> names;
    for (const auto& [name, unused] : is) names.insert(name);
    if (names == should) return;
    throw RecordingRefused(what, ToJson(std::vector(names.begin(), names.end())).dump(),
                           ToJson(std::vector(should.begin(), should.end())).dump());
  }

  // What the end of a run is compared with; nothing where no case wants it.
  void CheckRunEnd(std::size_t run_index) const {
    const WorkloadRun& run = workload_.runs[run_index];
    if (recording_.runs[run_index].empty()) return;
    ExpectCount("ranks", recording_.runs[run_index].size(), ranks_);
    const ProgramPlan* program = FindProgram(run.program);
    if (program == nullptr) Refuse("is of program " + run.program + ", which there is not");
    std::set<std::string> images(program->logits.begin(), program->logits.end()), states, domains,
        digests;
    std::vector<std::string> names = program->outputs;
    for (const DecisionPlan& decision : program->decisions) {
      names.push_back(decision.name);
      if (decision.unscored.empty()) images.insert(decision.scores);
    }
    for (const std::string& name : names) {
      images.insert(name);
      if (plan_.reference.tensors.at(name).domain) domains.insert(name);
    }
    for (const std::string& name : program->states) {
      if (IsDue(plan_.reference.tensors.at(name), workload_, run_index)) states.insert(name);
    }
    if (ranks_ > 1) digests.insert(program->replicated.begin(), program->replicated.end());
    const Vars vars = VarsOf(run, ranks_);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      const RunEnd& end = recording_.runs[run_index][rank];
      ExpectNames("images", end.images, images);
      ExpectNames("states", end.states, states);
      ExpectNames("domains", end.domains, domains);
      ExpectNames("checked", end.checked, domains);
      ExpectNames("digests", end.digests, digests);
      for (const auto* kept : {&end.images, &end.states}) {
        for (const auto& [name, image] : *kept) {
          At(name, [&, &name = name, &image = image] { CheckImage(name, vars, rank, image); });
        }
      }
    }
  }

  // A spread that nothing asks for excuses nothing, but says that the file is not what it seems.
  void CheckSpreads() const {
    for (const auto& [key, spread] : recording_.spreads.all()) {
      const auto span =
          std::find_if(plan_.spans.begin(), plan_.spans.end(), [&, &key = key](const Span& s) {
            return s.program == key.program && s.slug == key.span;
          });
      const bool known =
          span != plan_.spans.end() && key.rank >= 0 &&
          static_cast<std::uint32_t>(key.rank) < ranks_ &&
          std::any_of(span->frontier.begin(), span->frontier.end(),
                      [&, &key = key](const FrontierTensor& t) { return t.name == key.tensor; });
      if (!known) {
        Refuse("a spread of " + key.tensor + " in " + key.span + " on rank " +
               std::to_string(key.rank) + ", which there is not");
      }
    }
  }

  void CheckRepeats() const {
    for (const auto& [program, repeats] : recording_.repeats) {
      const std::string of = "repeats of program " + program;
      if (FindProgram(program) == nullptr) Refuse(of + ", which there is not");
      for (const FreeRunEvidence& repeat : repeats) {
        for (const RowsComparison& rows : repeat.rows) CheckPlace(of, rows.rank, rows.tensor);
        for (const FinalComparison& final : repeat.finals) CheckPlace(of, final.rank, final.tensor);
        for (const DecisionComparison& made : repeat.decisions) {
          CheckPlace(of, made.values.rank, made.values.tensor);
        }
      }
    }
  }

  void CheckPlace(const std::string& of, int rank, const std::string& tensor) const {
    if (rank < 0 || static_cast<std::uint32_t>(rank) >= ranks_) {
      Refuse(of + " on rank " + std::to_string(rank) + ", of " + std::to_string(ranks_));
    }
    if (!plan_.reference.tensors.contains(tensor)) {
      Refuse(of + " with " + tensor + ", which the reference does not have");
    }
  }

  void CheckTimes() const {
    if (!recording_.copy_rates.empty()) {
      ExpectCount("copy_rates", recording_.copy_rates.size(), ranks_);
    }
    for (const auto& [ops, times] : recording_.times.all()) {
      for (const auto& [run, ranks] : times) {
        if (ranks.size() > ranks_) Refuse("times of " + std::to_string(ranks.size()) + " ranks");
      }
    }
  }

  const Recording& recording_;
  const Plan& plan_;
  const Workload& workload_;
  const std::vector<std::uint64_t>& data_bytes_;
  const std::size_t ranks_;
};

}  // namespace

void CheckRecording(const Recording& recording, const Plan& plan, const Workload& workload,
                    const std::vector<std::uint64_t>& data_bytes) {
  RecordingCheck(recording, plan, workload, data_bytes).Run();
}

}  // namespace parity
