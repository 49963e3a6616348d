// Random pairs of programs: the plan must make them interchangeable outside of what it compares.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/manifest/small_descriptions.h"

namespace parity {
namespace {

constexpr int kCells = 4;  // a tensor's elements along its sliced axis
using Cell = std::pair<std::string, int>;
using Value = std::uint64_t;

Value Hash(std::initializer_list<Value> parts) {
  Value hash = 1469598103934665603u;
  for (const Value part : parts) hash = (hash ^ part) * 1099511628211u + (hash >> 29);
  return hash;
}

Value Hash(const std::string& text) { return std::hash<std::string>()(text); }

// Elements that an operand names, found without the code under test.
std::vector<Cell> CellsOf(const Description& side, const std::string& operand) {
  const std::size_t slash = operand.find('/');
  const Tensor& tensor = side.tensors.at(operand.substr(0, slash));
  int lo = 0, hi = kCells;
  if (slash != std::string::npos) {
    const Slice& slice = tensor.slices.at(operand.substr(slash + 1));
    lo = std::stoi(slice.start.numerator);
    hi = lo + std::stoi(slice.size.numerator);
  }
  std::vector<Cell> cells;
  for (int i = lo; i < hi; ++i) cells.emplace_back(tensor.name, i);
  return cells;
}

Small Declared(const std::string& engine, bool candidate) {
  Small small(engine);
  small.Buffers("a b c d f").Buffers("in", Role::kInput).Buffers("out", Role::kOutput);
  small.Buffers("carry", Role::kCarry).Buffers("w", Role::kConstant).Buffers("tmp", Role::kScratch);
  small.Buffers(candidate ? "pc qc" : "pr qr").States("s t");
  for (const char* name : {"a", "b", "c", "d", "f", "in", "out", "carry", "w", "tmp", "unlike"}) {
    if (std::string(name) == "unlike") small.Buffers("unlike");
    small[name].shape = {{"rows", ""}, {std::to_string(kCells), ""}};
  }
  small[candidate ? "pc" : "pr"].shape = small["a"].shape;
  small[candidate ? "qc" : "qr"].shape = small["a"].shape;
  if (candidate) small["unlike"].dtype = DType::kBF16;
  for (const char* name : {"s", "t"})
    small[name].shape = {{"64", ""}, {std::to_string(kCells), ""}};
  small.Slices("f", 1, {{"lo", {0, 2}}, {"hi", {2, 2}}});
  if (candidate) small.Slices("f", 1, {{"mid", {1, 2}}});
  small.Slices("s", 1, {{"head", {0, 1}}});
  return small;
}

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}
  int Pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  const std::string& Pick(const std::vector<std::string>& list) {
    return list[static_cast<std::size_t>(Pick(static_cast<int>(list.size())))];
  }

  Op RandomOp(bool candidate) {
    std::vector<std::string> targets = {"a", "b",      "c", "d",   "f",     "f/lo",  "f/hi",
                                        "s", "s/head", "t", "out", "carry", "unlike"};
    targets.push_back(candidate ? "pc" : "pr");
    targets.push_back(candidate ? "qc" : "qr");
    if (candidate) targets.push_back("f/mid");
    std::vector<std::string> sources = targets;
    sources.insert(sources.end(), {"in", "w"});
    Op op{"op" + std::to_string(Pick(5)), "", {}, {}, {}};
    for (int n = Pick(3); n > 0; --n) op.reads.push_back(Pick(sources));
    const int form = Pick(6);
    (form < 4 ? op.writes : op.updates).push_back(Pick(targets));
    if (form == 5) op.writes.push_back(Pick(targets));
    if (Pick(8) == 0) op.updates.push_back("tmp");
    return op;
  }

  // What a rewrite does to a list of ops.
  std::vector<Op> Rewritten(const std::vector<Op>& ops) {
    std::vector<Op> out;
    for (const Op& op : ops) {
      const int what = Pick(12);
      if (what == 0) continue;
      if (what == 1) out.push_back(RandomOp(true));
      out.push_back(op);
      for (auto* list : {&out.back().reads, &out.back().writes, &out.back().updates}) {
        for (std::string& name : *list) {
          if (name == "pr" || name == "qr") name = name == "pr" ? "pc" : "qc";
        }
      }
      if (what == 2) out.back().op += "_fused";
      if (what == 3 && out.size() > 1) std::swap(out[out.size() - 1], out[out.size() - 2]);
      if (what == 4) out.push_back(RandomOp(true));
    }
    return out;
  }

 private:
  std::mt19937_64 random_;
};

void Label(std::vector<Op>* ops) {
  for (std::size_t i = 0; i < ops->size(); ++i) (*ops)[i].label = "l" + std::to_string(i);
}

// Runs both programs, each span an opaque function of what its frontier provides.
class Simulation {
 public:
  explicit Simulation(const Plan& plan) : plan_(plan) {
    for (int side = 0; side < 2; ++side) {
      for (const auto& [name, tensor] : Side(side).tensors) {
        for (int i = 0; i < kCells; ++i) {
          stores_[side][{name, i}] = Hash({Hash(name), Value(i), Value(Shared(name) ? 2 : side)});
        }
      }
    }
    initial_[0] = stores_[0];
    initial_[1] = stores_[1];
    for (int side = 0; side < 2; ++side) FindMadeOfInputs(side);
  }

  void Run() {
    std::uint32_t i = 0, j = 0;
    for (const Span& span : plan_.spans) {
      ASSERT_LE(i, span.reference.lo) << span.slug;
      ASSERT_EQ(span.reference.lo - i, span.candidate.lo - j) << "gaps match one to one";
      for (; i < span.reference.lo; ++i, ++j) RunGap(i, j);
      RunSpan(span);
      i = span.reference.hi;
      j = span.candidate.hi;
    }
    const std::size_t rest = Ops(0).size() - i;
    ASSERT_EQ(rest, Ops(1).size() - j);
    for (std::size_t k = 0; k < rest; ++k) RunGap(i++, j++);
    CheckEnd();
  }

 private:
  const Description& Side(int side) const { return side == 0 ? plan_.reference : plan_.candidate; }
  const std::vector<Op>& Ops(int side) const { return Side(side).programs.at(0).ops; }

  bool Shared(const std::string& name) const {
    return name != "unlike" && plan_.reference.tensors.contains(name) &&
           plan_.candidate.tensors.contains(name);
  }
  static bool Tracked(const std::string& name) { return name != "w" && name != "tmp"; }

  static std::vector<std::string> Inputs(const Op& op) {
    std::vector<std::string> inputs = op.reads;
    inputs.insert(inputs.end(), op.updates.begin(), op.updates.end());
    return inputs;
  }

  Value Compute(int side, const Op& op, const std::map<Cell, Value>& store) const {
    Value value = Hash({Hash(op.op)});
    for (const std::string& operand : Inputs(op)) {
      for (const Cell& cell : CellsOf(Side(side), operand)) {
        if (cell.first != "tmp") value = Hash({value, store.at(cell)});
      }
    }
    return value;
  }

  std::vector<Cell> Outputs(int side, const Op& op) const {
    std::vector<Cell> cells;
    for (const auto* list : {&op.updates, &op.writes}) {
      for (const std::string& operand : *list) {
        for (const Cell& cell : CellsOf(Side(side), operand)) cells.push_back(cell);
      }
    }
    return cells;
  }

  bool IsGiven(int side, const Cell& cell) const {
    return cell.first == "in" || cell.first == "w" || made_of_inputs_[side].contains(cell);
  }

  // Cells of one side alone that one op writes, from nothing but inputs and others of that kind.
  void FindMadeOfInputs(int side) {
    std::map<Cell, int> writers;
    for (const Op& op : Ops(side)) {
      for (const Cell& cell : Outputs(side, op)) ++writers[cell];
    }
    for (const Op& op : Ops(side)) {
      bool given = true;
      for (const std::string& operand : Inputs(op)) {
        if (operand == "tmp") continue;
        for (const Cell& cell : CellsOf(Side(side), operand)) given &= IsGiven(side, cell);
      }
      for (const Cell& cell : Outputs(side, op)) {
        if (given && !Shared(cell.first) && writers[cell] == 1) made_of_inputs_[side].insert(cell);
      }
    }
  }

  bool StandsAnyway(int side, const Cell& cell) const {
    return plan_.candidate.sequential && made_of_inputs_[side].contains(cell);
  }

  void RunGap(std::uint32_t i, std::uint32_t j) {
    const Op &ours = Ops(0)[i], &theirs = Ops(1)[j];
    ASSERT_EQ(ours.op, theirs.op);
    ASSERT_TRUE(ours.op == "op0" || ours.op == "op1") << "a changed op in a gap: " << ours.op;
    for (int side = 0; side < 2; ++side) {
      const Op& op = side == 0 ? ours : theirs;
      const Value value = Compute(side, op, stores_[side]);
      Value n = 0;
      for (const Cell& cell : Outputs(side, op)) stores_[side][cell] = Hash({value, ++n});
    }
    for (const Cell& cell : Outputs(0, ours)) {
      if (Tracked(cell.first)) {
        EXPECT_EQ(stores_[0][cell], stores_[1][cell])
            << "gap op " << ours.label << " works on other values: " << cell.first;
      }
    }
  }

  bool ListedAsReadBefore(const Span& span, const std::string& name) const {
    return std::any_of(span.not_compared.begin(), span.not_compared.end(),
                       [&](const auto& t) { return t.name == name && t.read_before_span; });
  }

  // An op of a span reads `cell`, which the span has not written.
  void CheckProvided(const Span& span, int side, const Cell& cell) {
    if (!Tracked(cell.first)) return;
    if (!Shared(cell.first)) {
      EXPECT_TRUE(ListedAsReadBefore(span, cell.first)) << cell.first;
      EXPECT_TRUE(stores_[side][cell] == initial_[side][cell] || StandsAnyway(side, cell))
          << span.slug << " does not hold the op that made private " << cell.first;
      return;
    }
    const FrontierTensor* tensor = Find(span, cell.first);
    ASSERT_NE(tensor, nullptr) << span.slug << " reads " << cell.first;
    EXPECT_TRUE(tensor->restored) << span.slug << " reads " << cell.first;
    EXPECT_NE(tensor->write, Write::kPure) << cell.first;
    EXPECT_EQ(stores_[0][cell], stores_[1][cell])
        << span.slug << " is given another value than its side would have: " << cell.first;
  }

  std::set<Cell> Execute(const Span& span, int side, OpRange range) {
    std::set<Cell> written;
    for (std::uint32_t i = range.lo; i < range.hi; ++i) {
      const Op& op = Ops(side)[i];
      for (const std::string& operand : Inputs(op)) {
        for (const Cell& cell : CellsOf(Side(side), operand)) {
          if (!written.contains(cell)) CheckProvided(span, side, cell);
        }
      }
      for (const Cell& cell : Outputs(side, op)) {
        written.insert(cell);
        const auto& legal = side == 0 ? span.reference_writes : span.candidate_writes;
        EXPECT_NE(std::find(legal.begin(), legal.end(), cell.first), legal.end()) << cell.first;
      }
    }
    return written;
  }

  static bool IsCompared(const FrontierTensor* tensor, int cell) {
    if (tensor == nullptr || !tensor->compared) return false;
    if (tensor->compared_parts.empty()) return true;
    return std::any_of(tensor->compared_parts.begin(), tensor->compared_parts.end(),
                       [&](const TensorPart& part) {
                         const auto index = static_cast<std::uint64_t>(cell);
                         return index >= part.start && index < part.start + part.size;
                       });
  }

  void RunSpan(const Span& span) {
    const std::set<Cell> written[] = {Execute(span, 0, span.reference),
                                      Execute(span, 1, span.candidate)};
    for (int side = 0; side < 2; ++side) {
      for (const Cell& cell : written[side]) {
        const bool compared = Shared(cell.first) && IsCompared(Find(span, cell.first), cell.second);
        // Compared and found equal, or something that only this side has.
        stores_[side][cell] = Hash(
            {Hash(span.slug), Hash(cell.first), Value(cell.second), Value(compared ? 2 : side)});
      }
    }
    for (const FrontierTensor& tensor : span.frontier) {
      if (tensor.write != Write::kPure) continue;
      for (int side = 0; side < 2; ++side) {
        int count = 0;
        for (const Cell& cell : written[side]) count += cell.first == tensor.name;
        EXPECT_TRUE(count == kCells || (count == 0 && !tensor.compared)) << tensor.name;
      }
    }
  }

  std::set<Cell> WrittenAnywhere(int side) const {
    std::set<Cell> cells;
    for (const Op& op : Ops(side)) {
      for (const Cell& cell : Outputs(side, op)) cells.insert(cell);
    }
    return cells;
  }

  void CheckEnd() {
    std::set<std::string> excused;
    const std::set<Cell> written[] = {WrittenAnywhere(0), WrittenAnywhere(1)};
    for (const Span& span : plan_.spans) {
      for (const PrivateTensor& tensor : span.not_compared) {
        excused.insert(tensor.name);
        if (!Shared(tensor.name)) continue;
        bool alone = false;
        for (int i = 0; i < kCells; ++i) {
          alone |= written[0].contains({tensor.name, i}) != written[1].contains({tensor.name, i});
        }
        EXPECT_TRUE(alone) << tensor.name << " could have been compared: " << tensor.reason;
      }
    }
    for (const char* name : {"out", "carry", "s", "t"}) {
      if (excused.contains(name)) continue;
      for (int i = 0; i < kCells; ++i) {
        EXPECT_EQ(stores_[0].at({name, i}), stores_[1].at({name, i})) << name << " at the end";
      }
    }
  }

  const Plan& plan_;
  std::map<Cell, Value> stores_[2], initial_[2];
  std::set<Cell> made_of_inputs_[2];
};

std::string DescribeLists(const std::vector<Op>& ours, const std::vector<Op>& theirs) {
  std::string text;
  for (const auto* list : {&ours, &theirs}) {
    for (const Op& op : *list) text += op.op + (op.writes.empty() ? "" : ">" + op.writes[0]) + " ";
    text += "| ";
  }
  return text;
}

// What is excused must not swallow everything that there is to check.
struct Totals {
  int spans = 0, gaps = 0, excused = 0, grown = 0, compared = 0;
};

void CheckOne(std::uint64_t seed, Totals* totals) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Generator random(seed);
  std::vector<Op> ours;
  for (int n = random.Pick(12); n > 0; --n) ours.push_back(random.RandomOp(false));
  std::vector<Op> theirs = random.Rewritten(ours);
  Label(&ours);
  Label(&theirs);
  Description reference = Declared("one", false), candidate = Declared("two", true);
  reference.programs = {{"p", false, ours}};
  candidate.programs = {{"p", false, theirs}};
  candidate.sequential = seed % 2 == 1;
  const Plan plan = PlanOf(reference, candidate, "op2 op3 op4");
  Simulation(plan).Run();
  std::set<std::string> slugs;
  int covered = 0;
  for (const Span& span : plan.spans) {
    EXPECT_TRUE(slugs.insert(span.slug).second) << span.slug;
    totals->excused += !span.not_compared.empty();
    totals->grown += !span.grown_over.empty();
    totals->compared += !Compared(span).empty();
    covered += static_cast<int>(span.reference.size());
  }
  totals->spans += static_cast<int>(plan.spans.size());
  totals->gaps += static_cast<int>(ours.size()) - covered;
}

TEST(PlanProperty, SpansAreClosedAndGapsAreTheSame) {
  Totals totals;
  for (std::uint64_t seed = 0; seed < 4000 && !testing::Test::HasFailure(); ++seed) {
    CheckOne(seed, &totals);
  }
  EXPECT_GT(totals.spans, 4000);
  EXPECT_GT(totals.gaps, 400);
  EXPECT_GT(totals.grown, 100);
  EXPECT_GT(totals.compared, totals.spans / 3);
  EXPECT_LT(totals.excused, totals.spans);
}

// Every pair of lists of up to three ops out of these.
TEST(PlanProperty, AllShortPrograms) {
  const std::vector<Op> alphabet = Ops(R"(
    op0 x: in -> a
    op2 x: a -> b
    op1 x: b -> out
    op3 x: -> ~ a
    op0 y: in -> out
  )");
  std::vector<std::vector<Op>> lists = {{}};
  for (std::size_t from = 0, length = 0; length < 3; ++length) {
    const std::size_t to = lists.size();
    for (; from < to; ++from) {
      for (const Op& op : alphabet) {
        lists.push_back(lists[from]);
        lists.back().push_back(op);
      }
    }
  }
  for (auto& list : lists) Label(&list);
  Description reference = Declared("one", false), candidate = Declared("two", true);
  for (const auto& ours : lists) {
    for (const auto& theirs : lists) {
      reference.programs = {{"p", false, ours}};
      candidate.programs = {{"p", false, theirs}};
      const Plan plan = PlanOf(reference, candidate, "op2 op3");
      Simulation(plan).Run();
      ASSERT_FALSE(testing::Test::HasFailure()) << DescribeLists(ours, theirs);
    }
  }
}

}  // namespace
}  // namespace parity
