// A lane's two phases on one side, each in a fresh process.
#ifndef GTEST_PARITY_SUITES_KV_PHASES_H_
#define GTEST_PARITY_SUITES_KV_PHASES_H_

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suites/kv/answer.h"
#include "suites/kv/continuation.h"
#include "suites/kv/formats/record_format.h"
#include "suites/kv/lane.h"
#include "suites/kv/server.h"
#include "suites/kv/store_folder.h"
#include "suites/kv/variants.h"

namespace parity::kv {

// What a saver came to: its folder stays until this object goes.
struct Saved {
  std::unique_ptr<TemporaryFolder> folder;
  std::vector<Answer> answers;
  FolderState files;
  std::vector<std::string> fit;  // names of records that the lane's `choose` singles out
  RecordFile record;             // decoded, where exactly one is fit

  bool HasRecord() const { return fit.size() == 1; }
  std::string RecordPath() const { return folder->Path(fit.front()); }
};

// What a loader came to with one record, or with none.
struct Loaded {
  Answer answer;  // to the last request
  // Of all requests.
  std::uint64_t hits = 0;
  bool hits_told = true;  // false: neither by answers nor by counters
  std::vector<std::string> events;
  Generated generated;
  nlohmann::json counters_before, counters_after;  // of the last request
  // Of the folder, around the whole phase; `before` as it was meddled with, where it was.
  FolderState before, after;
  std::string record_after;  // the record's bytes, where they are asked for; empty where it is gone
};

// What a loader finds, and what happens to it.
struct Given {
  // Puts the one record into an empty folder and returns its path there; null: there is none.
  std::function<std::string(const std::string& folder)> place;
  std::vector<nlohmann::json> first;  // requests before the lane's own
  // Before the last request, of the record's path; null: nothing happens.
  std::function<void(const std::string& path)> meddle;
  bool keeps_bytes = true;  // record_after
};

class Phases {
 public:
  // All arguments outlive this object. `ranks`: of the manifest.
  Phases(Servers& servers, Variants& variants, const RecordFormat& format, std::uint32_t ranks)
      : servers_(servers), variants_(variants), format_(format), ranks_(ranks) {}

  // Runs the lane's requests and stops the side, which stores what it holds.
  Saved Save(const Lane& lane, bool reference);
  Loaded Load(const Lane& lane, bool reference, const Saved& saved, const Given& given);
  // The last request, or the lane's `cold` one, alone: by a process that has nothing to go on from.
  Loaded Cold(const Lane& lane, bool reference, const Saved& saved);

  std::unique_ptr<Server> Start(const Phase& phase, bool reference, const std::string& folder);
  // Remembers what is asked below, before the server ends.
  void Know(const Server& server);

  // Nothing is known of a side that never got through a phase.
  void Forget();

  // Of the last side that was started.
  const std::string& provenance() const { return provenance_; }
  const std::vector<std::string>& objects() const { return objects_; }
  std::string OutputTail() const { return tail_; }

 private:
  Loaded Take(const Lane& lane, bool reference, const std::vector<nlohmann::json>& requests,
              const std::string& folder, const std::function<void()>& before_last);

  Servers& servers_;
  Variants& variants_;
  const RecordFormat& format_;
  std::uint32_t ranks_;
  std::string provenance_, tail_;
  std::vector<std::string> objects_;
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_PHASES_H_
