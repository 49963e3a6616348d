// One program of one side: what each op reads and writes, and what is live where.
#ifndef GTEST_PARITY_MANIFEST_DATA_FLOW_H_
#define GTEST_PARITY_MANIFEST_DATA_FLOW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "gtest_parity/manifest/description.h"
#include "gtest_parity/manifest/tensor_pairs.h"

namespace parity {

struct Access {
  std::uint32_t atom = 0;
  bool read = false;  // before the op's own writes
  bool write = false;
  bool kill = false;  // a write of all of it: what was there is dead
};

class DataFlow {
 public:
  DataFlow(const TensorPairs& pairs, int side, const Description& description,
           const Program& program);

  std::uint32_t size() const { return static_cast<std::uint32_t>(program_->ops.size()); }
  const Op& op(std::uint32_t i) const { return program_->ops[i]; }
  const std::vector<Access>& accesses(std::uint32_t i) const { return accesses_[i]; }
  // Every tensor that the op may touch by writing, scratch, sync and peers' targets included.
  const std::vector<std::uint32_t>& writes(std::uint32_t i) const { return writes_[i]; }
  // Op and operands: equal for two ops, of either side, that say the same of the same memory.
  const std::string& key(std::uint32_t i) const { return keys_[i]; }
  // Constants that the op reads, and those that it writes, by index.
  const std::vector<std::uint32_t>& constants_read(std::uint32_t i) const { return constants_[i]; }

  // Ops that have a counterpart on the other side; until told, none has.
  void SetMatched(const std::vector<bool>& matched);

  // Before op p: some op from p on reads the atom's present content.
  bool ReadLater(std::uint32_t atom, std::uint32_t p) const;
  // Before op p: no op from p on overwrites all of it.
  bool Survives(std::uint32_t atom, std::uint32_t p) const;
  bool WritesAnywhere(std::uint32_t atom) const;
  // One op alone writes it, all of it, and makes it of inputs, constants and what this side alone
  // makes of them: whatever was put in other places, it holds what it would hold anyway.
  bool IsMadeOfInputs(std::uint32_t atom) const { return made_of_inputs_[atom]; }
  // The last op before p, or the first from p on, that writes the atom; size() when there is none.
  std::uint32_t LastWriteBefore(std::uint32_t atom, std::uint32_t p) const;
  std::uint32_t NextWrite(std::uint32_t atom, std::uint32_t p) const;

  // In-place writes by unmatched ops around p, up to a full write or a matched op: those from p on,
  // and all of them. Two sides hold the same value of a name only if they are equally far along.
  struct Pending {
    std::uint32_t left = 0, total = 0;
  };
  Pending PendingUpdates(std::uint32_t atom, std::uint32_t p) const;

 private:
  struct Event {
    std::uint32_t op = 0;
    bool read = false, write = false, kill = false;
    bool read_later = false, survives = false;  // before this event
    std::uint32_t updates_left = 0, updates_before = 0;
  };
  using Events = std::vector<Event>;

  void AddOperands(const TensorPairs& pairs, int side, const Description& description,
                   std::uint32_t i, const std::vector<std::string>& operands, char list);
  void IndexEvents(std::uint32_t atom_count);
  void FindMadeOfInputs(const TensorPairs& pairs);
  // The atom's events lie at [offsets_[atom], offsets_[atom + 1]); the first with op >= p.
  std::uint32_t FirstFrom(std::uint32_t atom, std::uint32_t p) const;
  bool IsUpdate(const Event& event) const;

  const Program* program_;
  std::vector<std::vector<Access>> accesses_;
  std::vector<std::vector<std::uint32_t>> writes_, constants_;
  std::vector<std::string> keys_;
  std::vector<bool> matched_, made_of_inputs_;
  std::vector<std::uint32_t> offsets_;
  Events events_;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_DATA_FLOW_H_
