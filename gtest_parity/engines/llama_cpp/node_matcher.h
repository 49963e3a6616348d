// Which cut a node of the running graph is.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_NODE_MATCHER_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_NODE_MATCHER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gtest_parity/engines/llama_cpp/description.h"

namespace parity::llama_cpp {

// Told of every node in order. A piece's graph ends for it with the last of the cuts; what follows
// begins another.
class NodeMatcher {
 public:
  explicit NodeMatcher(const std::vector<Cut>& cuts);

  // The cut that this node is, if it is one. Throws EngineError (PARITY_FAILED) where it is not the
  // next: the graph is then not the one that was described.
  std::optional<std::size_t> Match(const char* name, const char* op);
  bool between_pieces() const { return seen_ == 0; }
  void Reset();

 private:
  struct Watch {
    std::size_t cut = 0;
    std::string op;
    std::uint64_t occurrence = 0, seen = 0;
  };

  const std::vector<Cut>& cuts_;
  std::unordered_map<std::string, std::vector<Watch>> watches_;  // by the node's name
  std::size_t seen_ = 0;
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_NODE_MATCHER_H_
