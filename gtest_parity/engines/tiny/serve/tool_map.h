// Which id of a tool call stands for which sampled bytes.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVE_TOOL_MAP_H_
#define GTEST_PARITY_ENGINES_TINY_SERVE_TOOL_MAP_H_

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/serve/kv_record.h"

namespace parity::tiny {

class ToolMap {
 public:
  // "call_" and 32 hexadecimal digits, which no other call of this process has.
  std::string Add(const std::string& block);
  // An id that is known already now stands for the new block.
  void Learn(const ToolBlock& block);
  // NULL where the id is not known.
  const std::string* Find(const std::string& id) const;
  const std::vector<ToolBlock>& blocks() const { return blocks_; }

 private:
  std::vector<ToolBlock> blocks_;
  std::random_device random_;
};

// What a block says: {"a": ..., "b": ...}, its two halves, divided before a word.
nlohmann::ordered_json ArgumentsOf(const std::string& text);
// What arguments say: their values, in the order in which they are given.
std::string BlockOf(const nlohmann::ordered_json& arguments);

}  // namespace parity::tiny

#endif  // GTEST_PARITY_ENGINES_TINY_SERVE_TOOL_MAP_H_
