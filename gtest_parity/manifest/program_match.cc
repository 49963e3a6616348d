#include "gtest_parity/manifest/program_match.h"

#include <unordered_map>

#include "gtest_parity/manifest/align.h"

namespace parity {
namespace {

bool ReadsUnlike(const TensorPairs& pairs, const std::set<std::uint32_t>& unlike,
                 const DataFlow& flow, std::uint32_t op) {
  for (const std::uint32_t constant : flow.constants_read(op)) {
    if (!pairs.at(constant).constant_alike || unlike.contains(constant)) return true;
  }
  for (const Access& access : flow.accesses(op)) {
    if (access.read && unlike.contains(pairs.TensorOfAtom(access.atom))) return true;
  }
  return false;
}

std::vector<std::vector<std::uint32_t>> InternKeys(const DataFlow& reference,
                                                   const DataFlow& candidate) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  std::vector<std::vector<std::uint32_t>> keys(2);
  for (const DataFlow* flow : {&reference, &candidate}) {
    std::vector<std::uint32_t>& out = keys[flow == &candidate ? 1 : 0];
    for (std::uint32_t i = 0; i < flow->size(); ++i) {
      const auto number = static_cast<std::uint32_t>(numbers.size());
      out.push_back(numbers.try_emplace(flow->key(i), number).first->second);
    }
  }
  return keys;
}

void TaintWrites(const DataFlow& flow, std::uint32_t op, std::set<std::uint32_t>* unlike) {
  unlike->insert(flow.writes(op).begin(), flow.writes(op).end());
}

}  // namespace

std::vector<OpMatch> MatchPrograms(const TensorPairs& pairs, const ImplementationPair& identities,
                                   const std::set<std::uint32_t>& unlike, DataFlow* reference,
                                   DataFlow* candidate) {
  std::unordered_map<std::string, bool> same_code;
  const auto keys = InternKeys(*reference, *candidate);
  std::vector<bool> matched[] = {std::vector<bool>(reference->size()),
                                 std::vector<bool>(candidate->size())};
  std::vector<OpMatch> matches;
  for (const auto& [i, j] : Align(keys[0], keys[1])) {
    const std::string& op = reference->op(i).op;
    const auto [known, fresh] = same_code.try_emplace(op, false);
    if (fresh) known->second = identities[0]->Of(op) == identities[1]->Of(op);
    const bool same = known->second && !ReadsUnlike(pairs, unlike, *reference, i) &&
                      !ReadsUnlike(pairs, unlike, *candidate, j);
    matches.push_back({i, j, same});
    matched[0][i] = matched[1][j] = true;
  }
  reference->SetMatched(matched[0]);
  candidate->SetMatched(matched[1]);
  return matches;
}

std::set<std::uint32_t> UnlikeConstants(const TensorPairs& pairs, const DescriptionPair& sides,
                                        const ImplementationPair& identities, bool* unchanged) {
  std::set<std::uint32_t> unlike;
  const auto taint_all = [&](std::size_t side, const Program& program) {
    const DataFlow flow(pairs, static_cast<int>(side), *sides[side], program);
    for (std::uint32_t i = 0; i < flow.size(); ++i) TaintWrites(flow, i, &unlike);
    *unchanged = *unchanged && flow.size() == 0;
  };
  for (const Program& program : sides[1]->programs) {
    const Program* other = sides[0]->FindProgram(program.name);
    if (program.once && (other == nullptr || !other->once)) taint_all(1, program);
  }
  for (const Program& program : sides[0]->programs) {
    if (!program.once) continue;
    const Program* other = sides[1]->FindProgram(program.name);
    if (other == nullptr || !other->once) {
      taint_all(0, program);
      continue;
    }
    DataFlow flows[] = {DataFlow(pairs, 0, *sides[0], program),
                        DataFlow(pairs, 1, *sides[1], *other)};
    std::uint32_t i = 0, j = 0;
    std::vector<OpMatch> matches = MatchPrograms(pairs, identities, unlike, &flows[0], &flows[1]);
    matches.push_back({flows[0].size(), flows[1].size(), true});
    for (const OpMatch& match : matches) {
      const bool end = match.reference == flows[0].size();
      *unchanged = *unchanged && i == match.reference && j == match.candidate && match.same;
      for (; i < match.reference; ++i) TaintWrites(flows[0], i, &unlike);
      for (; j < match.candidate; ++j) TaintWrites(flows[1], j, &unlike);
      // What was tainted on the way counts too, so the pair's own answer is not enough.
      if (!end && (!match.same || ReadsUnlike(pairs, unlike, flows[0], i) ||
                   ReadsUnlike(pairs, unlike, flows[1], j))) {
        TaintWrites(flows[0], i, &unlike);
        TaintWrites(flows[1], j, &unlike);
      }
      ++i, ++j;
    }
  }
  return unlike;
}

}  // namespace parity
