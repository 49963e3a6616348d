#include "gtest_parity/manifest/data_flow.h"

#include <algorithm>

namespace parity {
namespace {

void Merge(const Access& access, std::vector<Access>* all) {
  for (Access& one : *all) {
    if (one.atom != access.atom) continue;
    one.read |= access.read;
    one.write |= access.write;
    one.kill |= access.kill;
    return;
  }
  all->push_back(access);
}

// How an operand is told apart from every other in a key. Parts of a tensor go by their extent: the
// sides may call the same slice by different names.
std::string OperandKey(const TensorPairs& pairs, int side, const Operand& operand,
                       std::uint32_t index) {
  const TensorPair& pair = pairs.at(index);
  std::string key;
  if (pair.flow == Flow::kConstant || pair.flow == Flow::kIgnored) {
    key = '"' + pair.name;  // each side's own, by name
  } else {
    key = std::to_string(index);
  }
  if (operand.peer) key += '@';
  if (operand.slice != nullptr) {
    const Vars& vars = pairs.vars(side);
    key += '#' + std::to_string(operand.slice->axis) + ':' +
           CanonicalDim(operand.slice->start, vars) + ':' + CanonicalDim(operand.slice->size, vars);
  }
  return key + ',';
}

}  // namespace

DataFlow::DataFlow(const TensorPairs& pairs, int side, const Description& description,
                   const Program& program)
    : program_(&program),
      accesses_(size()),
      writes_(size()),
      constants_(size()),
      keys_(size()),
      matched_(size(), false) {
  for (std::uint32_t i = 0; i < size(); ++i) {
    keys_[i] = program.ops[i].op;
    AddOperands(pairs, side, description, i, program.ops[i].reads, 'r');
    AddOperands(pairs, side, description, i, program.ops[i].updates, 'u');
    AddOperands(pairs, side, description, i, program.ops[i].writes, 'w');
  }
  IndexEvents(pairs.atom_count());
  FindMadeOfInputs(pairs);
}

void DataFlow::AddOperands(const TensorPairs& pairs, int side, const Description& description,
                           std::uint32_t i, const std::vector<std::string>& operands, char list) {
  keys_[i] += '\n';
  keys_[i] += list;
  for (const std::string& text : operands) {
    const Operand operand = Resolve(description, text);
    if (operand.tensor == nullptr) continue;
    const std::uint32_t index = pairs.IndexOf(side, operand.tensor->name);
    const TensorPair& pair = pairs.at(index);
    keys_[i] += OperandKey(pairs, side, operand, index);
    // What a peer's memory goes through is not known here: it may be read and written, in part.
    const bool reads = list != 'w' || operand.peer;
    const bool writes = list != 'r' || operand.peer;
    if (writes) writes_[i].push_back(index);
    if (pair.flow == Flow::kConstant && reads) constants_[i].push_back(index);
    if (pair.flow == Flow::kConstant || pair.flow == Flow::kIgnored) continue;
    const TensorPairs::Range range = pairs.AtomsOf(side, operand);
    const bool kills = list == 'w' && !operand.peer && range.whole_atoms;
    for (std::uint32_t atom = range.lo; atom < range.hi; ++atom) {
      Merge({atom, reads, writes, kills}, &accesses_[i]);
    }
  }
}

void DataFlow::IndexEvents(std::uint32_t atom_count) {
  offsets_.assign(atom_count + 1, 0);
  for (const auto& op : accesses_) {
    for (const Access& access : op) ++offsets_[access.atom + 1];
  }
  for (std::uint32_t atom = 0; atom < atom_count; ++atom) offsets_[atom + 1] += offsets_[atom];
  events_.resize(offsets_[atom_count]);
  std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::uint32_t i = 0; i < size(); ++i) {
    for (const Access& access : accesses_[i]) {
      Event& event = events_[next[access.atom]++];
      event.op = i;
      event.read = access.read;
      event.write = access.write;
      event.kill = access.kill;
    }
  }
  SetMatched(matched_);
}

void DataFlow::FindMadeOfInputs(const TensorPairs& pairs) {
  made_of_inputs_.assign(pairs.atom_count(), false);
  const auto is_given = [&](const Access& access) {
    const TensorPair& pair = pairs.at(pairs.TensorOfAtom(access.atom));
    return !access.read || pair.flow == Flow::kInput || made_of_inputs_[access.atom];
  };
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (!std::all_of(accesses_[i].begin(), accesses_[i].end(), is_given)) continue;
    for (const Access& access : accesses_[i]) {
      if (!access.kill || access.read) continue;
      if (pairs.at(pairs.TensorOfAtom(access.atom)).shared()) continue;
      const bool alone =
          LastWriteBefore(access.atom, i) == size() && NextWrite(access.atom, i + 1) == size();
      made_of_inputs_[access.atom] = alone;
    }
  }
}

bool DataFlow::IsUpdate(const Event& event) const {
  return event.write && !event.kill && !matched_[event.op];
}

void DataFlow::SetMatched(const std::vector<bool>& matched) {
  matched_ = matched;
  for (std::size_t atom = 0; atom + 1 < offsets_.size(); ++atom) {
    const std::uint32_t lo = offsets_[atom], hi = offsets_[atom + 1];
    bool read_later = false, survives = true;
    std::uint32_t left = 0;
    for (std::uint32_t e = hi; e-- > lo;) {
      Event& event = events_[e];
      read_later = event.read || (read_later && !event.kill);
      survives = survives && !event.kill;
      // Reads do not move the value on, and do not end a row of updates either.
      left = IsUpdate(event) ? left + 1 : (event.write ? 0 : left);
      event.read_later = read_later;
      event.survives = survives;
      event.updates_left = left;
    }
    std::uint32_t before = 0;
    for (std::uint32_t e = lo; e < hi; ++e) {
      events_[e].updates_before = before;
      before = IsUpdate(events_[e]) ? before + 1 : (events_[e].write ? 0 : before);
    }
  }
}

std::uint32_t DataFlow::FirstFrom(std::uint32_t atom, std::uint32_t p) const {
  const auto lo = events_.begin() + offsets_[atom], hi = events_.begin() + offsets_[atom + 1];
  const auto found = std::lower_bound(
      lo, hi, p, [](const Event& event, std::uint32_t op) { return event.op < op; });
  return static_cast<std::uint32_t>(found - events_.begin());
}

bool DataFlow::ReadLater(std::uint32_t atom, std::uint32_t p) const {
  const std::uint32_t e = FirstFrom(atom, p);
  return e < offsets_[atom + 1] && events_[e].read_later;
}

bool DataFlow::Survives(std::uint32_t atom, std::uint32_t p) const {
  const std::uint32_t e = FirstFrom(atom, p);
  return e >= offsets_[atom + 1] || events_[e].survives;
}

bool DataFlow::WritesAnywhere(std::uint32_t atom) const { return NextWrite(atom, 0) < size(); }

std::uint32_t DataFlow::LastWriteBefore(std::uint32_t atom, std::uint32_t p) const {
  for (std::uint32_t e = FirstFrom(atom, p); e > offsets_[atom];) {
    if (events_[--e].write) return events_[e].op;
  }
  return size();
}

std::uint32_t DataFlow::NextWrite(std::uint32_t atom, std::uint32_t p) const {
  for (std::uint32_t e = FirstFrom(atom, p); e < offsets_[atom + 1]; ++e) {
    if (events_[e].write) return events_[e].op;
  }
  return size();
}

DataFlow::Pending DataFlow::PendingUpdates(std::uint32_t atom, std::uint32_t p) const {
  const std::uint32_t e = FirstFrom(atom, p), lo = offsets_[atom], hi = offsets_[atom + 1];
  Pending pending;
  if (e < hi) {
    pending.left = events_[e].updates_left;
    pending.total = pending.left + events_[e].updates_before;
  } else if (e > lo) {
    const Event& last = events_[e - 1];
    pending.total =
        IsUpdate(last) ? last.updates_before + 1 : (last.write ? 0 : last.updates_before);
  }
  return pending;
}

}  // namespace parity
