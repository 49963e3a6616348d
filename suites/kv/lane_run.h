// Everything that is run of one lane: two savers, and four loaders with what each does cold.
#ifndef GTEST_PARITY_SUITES_KV_LANE_RUN_H_
#define GTEST_PARITY_SUITES_KV_LANE_RUN_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gtest_parity/judge/judge.h"
#include "suites/kv/cell.h"
#include "suites/kv/judge_cell.h"
#include "suites/kv/lane.h"
#include "suites/kv/phases.h"

namespace parity::kv {

class LaneRun {
 public:
  // All arguments outlive this object.
  LaneRun(const Lane& lane, const RecordFormat& format, Phases& phases)
      : lane_(lane), format_(format), phases_(phases) {}

  // What the side saves, which its own loads and the other's need. A side that dies in it is told
  // by the cells; any other exception gets out.
  void Save(bool reference);
  // By the cell's loader, of what its saver saved.
  void Load(const CellKey& key);

  // One check of one cell. What was not run is not compared.
  CellResult ResultOf(const CellKey& key, Check check, const Rules& rules) const;
  const Lane& lane() const { return lane_; }
  const Saved* SavedBy(bool reference) const;
  // What a load with nothing to go on from answered, of the cell.
  const Loaded* ColdOf(const CellKey& key) const { return Find(cold_, key); }

 private:
  template <typename Work>
  void Try(const CellKey& key, bool reference, Work work);
  static const Loaded* Find(const std::map<std::string, Loaded>& in, const CellKey& key);

  const Lane& lane_;
  const RecordFormat& format_;
  Phases& phases_;
  std::map<bool, Saved> saved_;  // by whether the reference saved it
  std::map<std::string, Loaded> warm_, cold_;
  struct Failure {
    bool reference = false;
    std::string words;
  };
  std::map<std::string, Failure> failures_;     // by cell
  std::map<std::string, std::string> blocked_;  // by cell: why it cannot be run
};

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_LANE_RUN_H_
