#include "tests/engines/serving/serving_driver.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "gtest_parity/engine/collective.h"

namespace parity {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

std::string ConfigOf(const Serving& serving) {
  json config = {{"model", serving.model}, {"dtype", serving.dtype}, {"kv", serving.kv}};
  if (!serving.mutant.empty()) config["mutant"] = {{"name", serving.mutant}};
  return config.dump();
}

// A request is one call on every rank, each from that rank's own thread.
class Side {
 public:
  explicit Side(const Serving& serving)
      : config_(ConfigOf(serving)), collective_(serving.ranks), threads_(serving.ranks) {
    OnAll([&](std::uint32_t index) {
      parity_create_args args = {sizeof(parity_create_args)};
      args.rank = index;
      args.rank_count = serving.ranks;
      args.device = -1;
      args.config = config_.c_str();
      args.collective = collective_.ForRank(index);
      ranks_[index] = std::make_unique<Rank>(Api(serving.library), args);
    });
  }

  json Ask(const json& request) {
    std::vector<std::string> answers(threads_);
    OnAll([&](std::uint32_t index) { answers[index] = ranks_[index]->Serve(request.dump()); });
    return json::parse(answers[0]);
  }
  json Counters() { return json::parse(ranks_[0]->Counters()); }

 private:
  void OnAll(const std::function<void(std::uint32_t)>& body) {
    std::vector<std::exception_ptr> thrown(threads_);
    ranks_.resize(threads_);
    {
      std::vector<std::jthread> threads;
      for (std::uint32_t index = 0; index < threads_; ++index) {
        threads.emplace_back([&, index] {
          try {
            body(index);
          } catch (...) {
            thrown[index] = std::current_exception();
          }
        });
      }
    }
    for (const std::exception_ptr& exception : thrown) {
      if (exception) std::rethrow_exception(exception);
    }
  }

  std::string config_;
  ThreadCollective collective_;
  std::uint32_t threads_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

}  // namespace

Folder::Folder() {
  std::string name = (fs::temp_directory_path() / "parity_kv_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp " + name + " failed");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<fs::path> Folder::Records() const {
  std::vector<fs::path> records;
  for (const auto& entry : fs::directory_iterator(path_)) {
    if (entry.path().extension() == ".kv") records.push_back(entry.path());
  }
  std::sort(records.begin(), records.end());
  return records;
}

fs::path Folder::Only() const {
  const std::vector<fs::path> records = Records();
  if (records.size() != 1) {
    throw std::runtime_error(std::to_string(records.size()) + " records, expected 1");
  }
  return records[0];
}

json OnFreshSide(const Serving& serving, const std::function<void(const Ask&)>& script) {
  Side side(serving);
  script([&](const json& request) { return side.Ask(request); });
  return side.Counters();
}

std::vector<json> Answers(const Serving& serving, const std::vector<json>& requests) {
  std::vector<json> answers;
  OnFreshSide(serving, [&](const Ask& ask) {
    for (const json& request : requests) answers.push_back(ask(request));
  });
  return answers;
}

json Complete(json fields) {
  fields["do"] = "complete";
  return fields;
}

json Stop() { return {{"do", "stop"}}; }

std::vector<json> EventsOf(const json& answer, const std::string& event) {
  std::vector<json> found;
  for (const json& told : answer.at("events")) {
    if (told.at("event") == event) found.push_back(told);
  }
  return found;
}

std::string ReadBytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteBytes(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << bytes;
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

std::string Masked(std::string record) {
  std::fill_n(record.begin() + 12, 4, '\0');
  std::fill_n(record.begin() + 24, 16, '\0');
  for (std::size_t at = record.find("call_"); at != std::string::npos;
       at = record.find("call_", at + 1)) {
    if (at + 37 <= record.size()) std::fill_n(record.begin() + static_cast<long>(at) + 5, 32, '?');
  }
  return record;
}

}  // namespace parity
