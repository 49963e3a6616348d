// What an op declares is what it does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/engines/tiny_driver.h"

namespace parity {
namespace {

using nlohmann::json;
using Contents = std::map<std::string, std::string>;

enum class Poison { kNan, kLarge };

std::set<std::string> Names(const json& op, std::initializer_list<const char*> accesses) {
  std::set<std::string> names;
  for (const char* access : accesses) {
    for (const std::string name : op[access]) names.insert(name.substr(0, name.find('/')));
  }
  return names;
}

Contents Snapshot(TinySession& session, const std::vector<std::string>& tensors) {
  Contents contents;
  for (const std::string& tensor : tensors) contents[tensor] = session.Bytes(tensor);
  return contents;
}

void Restore(TinySession& session, const Contents& contents) {
  for (const auto& [tensor, bytes] : contents) session.SetBytes(tensor, bytes);
}

// Bytes that are NaN, or large, in every dtype that the engines store; indices far out of range.
std::string PoisonOf(std::size_t bytes, Poison poison) {
  return std::string(bytes, poison == Poison::kNan ? '\xff' : '\x7e');
}

// Runs one op after everything that it does not declare to read was poisoned; everything that it
// does not declare to touch must be left alone.
Contents RunPoisoned(TinySession& session, const std::string& program, std::uint32_t index,
                     const Contents& before, Poison poison) {
  const json& op = session.Ops(program)[index];
  const std::set<std::string> read = Names(op, {"reads", "updates"});
  const std::set<std::string> written = Names(op, {"writes", "updates"});
  Contents set = before;
  for (auto& [tensor, bytes] : set) {
    if (!read.contains(tensor)) bytes = PoisonOf(bytes.size(), poison);
  }
  Restore(session, set);
  session.RunOps(program, index, index + 1);
  Contents results;
  for (const auto& [tensor, bytes] : set) {
    const std::string after = session.Bytes(tensor);
    if (written.contains(tensor)) {
      results[tensor] = after;
    } else {
      EXPECT_EQ(after == bytes, true) << op["label"] << " stored into " << tensor;
    }
  }
  return results;
}

struct Case {
  TinyLibrary library;
  const char* dtype;
  std::uint32_t ranks;
};

class TinyDataflow : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    All, TinyDataflow,
    testing::Values(Case{kPaged, "f32", 1}, Case{kPaged, "bf16", 2}, Case{kPorted, "f32", 2},
                    Case{kPorted, "bf16", 1}, Case{kFused, "f32", 1}, Case{kFused, "bf16", 2},
                    Case{kRebuilt, "f32", 2}, Case{kContiguous, "f32", 2},
                    Case{kContiguous, "bf16", 1}, Case{kRouted, "f32", 4}, Case{kRouted, "bf16", 1},
                    Case{kRoutedPorted, "f32", 2}, Case{kRoutedReordered, "bf16", 2}),
    [](const auto& test) {
      return std::string(test.param.library.path == kRebuilt.path ? "rebuilt"
                                                                  : test.param.library.engine) +
             "_" + test.param.dtype + "_" + std::to_string(test.param.ranks);
    });

TEST_P(TinyDataflow, IsAsDeclared) {
  const TinyRun run{
      .library = GetParam().library, .config = Config(GetParam().dtype), .ranks = GetParam().ranks};
  ForRanks(run, [&](TinySession& session) {
    const std::vector<std::string> tensors = session.Tensors();
    int step = 0;
    RaggedWorkload(session, 2, [&](const std::string& program) {
      const std::uint32_t ops = static_cast<std::uint32_t>(session.Ops(program).size());
      const bool checked = ++step == 2 || program == "decode";
      if (!checked) return session.RunOps(program, 0, ops);
      for (std::uint32_t i = 0; i < ops; ++i) {
        const Contents before = Snapshot(session, tensors);
        session.RunOps(program, i, i + 1);
        const Contents after = Snapshot(session, tensors);
        for (const Poison poison : {Poison::kNan, Poison::kLarge}) {
          const Contents poisoned = RunPoisoned(session, program, i, before, poison);
          ASSERT_FALSE(poisoned.empty());
          for (const auto& [tensor, bytes] : poisoned) {
            EXPECT_EQ(bytes == after.at(tensor), true)
                << session.Ops(program)[i]["label"] << " to " << tensor
                << " depends on what it does not declare to read";
          }
        }
        Restore(session, after);
      }
    });
  });
}

// Every operand is declared, and every buffer is of use.
TEST_P(TinyDataflow, OperandsAndTensorsCorrespond) {
  ForRanks({.library = GetParam().library}, [&](TinySession& session) {
    std::set<std::string> declared, used;
    for (const char* group : {"buffers", "states"}) {
      for (const auto& entry : session.description()[group].items()) declared.insert(entry.key());
    }
    for (const json& program : session.description()["programs"]) {
      std::set<std::string> labels;
      for (const json& op : program["ops"]) {
        used.merge(Names(op, {"reads", "writes", "updates"}));
        EXPECT_TRUE(labels.insert(op["label"]).second) << op["label"] << " twice";
      }
    }
    EXPECT_EQ(declared, used);
  });
}

}  // namespace
}  // namespace parity
