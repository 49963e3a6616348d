// Descriptions in a few lines, for tests.
#ifndef GTEST_PARITY_TESTS_MANIFEST_SMALL_DESCRIPTIONS_H_
#define GTEST_PARITY_TESTS_MANIFEST_SMALL_DESCRIPTIONS_H_

#include <sstream>
#include <string>
#include <vector>

#include "gtest_parity/manifest/make_plan.h"
#include "gtest_parity/manifest/read_description.h"

namespace parity {

inline std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// One op a line: "op label: reads -> writes ~ updates", names apart by spaces.
inline std::vector<Op> Ops(const std::string& text) {
  std::vector<Op> ops;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (Words(line).empty()) continue;
    const std::size_t colon = line.find(':'), arrow = line.find("->"), tilde = line.find('~');
    const std::vector<std::string> head = Words(line.substr(0, colon));
    Op op{head.at(0), head.at(1), {}, {}, {}};
    op.reads = Words(line.substr(colon + 1, arrow - colon - 1));
    op.writes = Words(line.substr(arrow + 2, tilde - arrow - 2));
    if (tilde != std::string::npos) op.updates = Words(line.substr(tilde + 1));
    ops.push_back(op);
  }
  return ops;
}

// f32 workspaces of shape [rows, 64] unless changed afterwards.
class Small {
 public:
  explicit Small(const std::string& engine) {
    description_.engine = engine;
    description_.var_max = {{"rows", 256}, {"seqs", 8}};
    description_.context = 256;
    description_.paging = Paging{16, 64};
  }
  Small& Buffers(const std::string& names, Role role = Role::kWorkspace) {
    for (const std::string& name : Words(names)) {
      Tensor tensor;
      tensor.name = name;
      tensor.dtype = DType::kF32;
      tensor.shape = {{"rows", ""}, {"64", ""}};
      tensor.role = role;
      description_.tensors[name] = tensor;
    }
    return *this;
  }
  Small& States(const std::string& names) {
    for (const std::string& name : Words(names)) {
      Tensor tensor;
      tensor.name = name;
      tensor.kind = Kind::kState;
      tensor.dtype = DType::kF32;
      tensor.shape = {{"64", ""}, {"16", ""}, {"2", ""}};
      tensor.paged = true;
      description_.tensors[name] = tensor;
    }
    return *this;
  }
  Small& Slices(const std::string& name, std::uint32_t axis,
                const std::vector<std::pair<std::string, std::pair<int, int>>>& slices) {
    for (const auto& [slice, range] : slices) {
      description_.tensors.at(name).slices[slice] = {
          axis, {std::to_string(range.first), ""}, {std::to_string(range.second), ""}};
    }
    return *this;
  }
  Small& Peer(const std::string& name, const std::string& of) {
    description_.peers[name] = of;
    return *this;
  }
  Small& Run(const std::string& program, const std::string& ops, bool once = false) {
    description_.programs.push_back({program, once, Ops(ops)});
    return *this;
  }
  Tensor& operator[](const std::string& name) { return description_.tensors.at(name); }
  operator Description() const { return description_; }

 private:
  Description description_;
};

// A plan for descriptions at hand. Ops whose name is in `changed` have another implementation; of
// all others it is the same on both sides.
inline Plan PlanOf(const Description& reference, const Description& candidate,
                   const std::string& changed = "",
                   SpanSelection selection = SpanSelection::kDiff) {
  Plan plan;
  plan.manifest.name = "small";
  plan.manifest.selection = selection;
  plan.reference = reference;
  plan.candidate = candidate;
  std::unordered_map<std::string, std::string> others;
  for (const std::string& op : Words(changed)) others[op] = "another";
  PlanSpans(Implementation({}, "one"), Implementation(others, "one"), &plan);
  return plan;
}

inline const FrontierTensor* Find(const Span& span, const std::string& name) {
  for (const FrontierTensor& tensor : span.frontier) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

inline std::vector<std::string> Compared(const Span& span) {
  std::vector<std::string> names;
  for (const FrontierTensor& tensor : span.frontier) {
    if (tensor.compared) names.push_back(tensor.name);
  }
  return names;
}

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_MANIFEST_SMALL_DESCRIPTIONS_H_
