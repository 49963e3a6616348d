#include "gtest_parity/engines/tiny/serve/tool_map.h"

#include <algorithm>

namespace parity::tiny {

std::string ToolMap::Add(const std::string& block) {
  std::string id = "call_";
  while (id.size() < 5 + 32) id += "0123456789abcdef"[random_() & 15];
  if (Find(id) != nullptr) return Add(block);
  blocks_.push_back({id, block});
  return id;
}

void ToolMap::Learn(const ToolBlock& block) {
  const auto known = std::find_if(blocks_.begin(), blocks_.end(),
                                  [&](const ToolBlock& other) { return other.id == block.id; });
  if (known != blocks_.end()) {
    known->block = block.block;
  } else {
    blocks_.push_back(block);
  }
}

const std::string* ToolMap::Find(const std::string& id) const {
  const auto found = std::find_if(blocks_.begin(), blocks_.end(),
                                  [&](const ToolBlock& block) { return block.id == id; });
  return found == blocks_.end() ? nullptr : &found->block;
}

nlohmann::ordered_json ArgumentsOf(const std::string& text) {
  std::size_t middle = text.find(' ', text.size() / 2);
  if (middle == std::string::npos) middle = text.size();
  return {{"a", text.substr(0, middle)}, {"b", text.substr(middle)}};
}

std::string BlockOf(const nlohmann::ordered_json& arguments) {
  std::string block;
  for (const auto& [name, value] : arguments.items()) {
    block += value.is_string() ? value.get<std::string>() : value.dump();
  }
  return block;
}

}  // namespace parity::tiny
