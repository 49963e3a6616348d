#include "gtest_parity/replay/prompts.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "gtest_parity/side/wire_json.h"

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& words) { throw std::runtime_error("workload: " + words); }

}  // namespace

std::vector<Tokens> ReadPrompts(const std::string& path, std::int32_t vocabulary) {
  std::ifstream file(path);
  if (!file) Fail(path + ": cannot be read");
  std::vector<Tokens> prompts;
  int line_number = 0;
  for (std::string line; std::getline(file, line);) {
    ++line_number;
    const std::string where = path + ":" + std::to_string(line_number) + ": ";
    Tokens tokens;
    try {
      tokens = Taken<Tokens>(nlohmann::json::parse(line).at("tokens"));
    } catch (const std::exception&) {
      Fail(where + "expected a JSON object with `tokens`, an array of ids");
    }
    for (std::int32_t token : tokens) {
      if (token < 0 || token >= vocabulary) {
        Fail(where + "token " + std::to_string(token) + ", expected 0 to " +
             std::to_string(vocabulary - 1));
      }
    }
    if (!tokens.empty()) prompts.push_back(std::move(tokens));
  }
  if (prompts.empty()) Fail(path + ": no prompts");
  return prompts;
}

Tokens DrawText(const std::vector<Tokens>& prompts, std::int32_t vocabulary, std::uint64_t length,
                Random& random) {
  Tokens text;
  if (prompts.empty()) {
    while (text.size() < length) {
      text.push_back(
          static_cast<std::int32_t>(random.Below(static_cast<std::uint64_t>(vocabulary))));
    }
    return text;
  }
  const std::uint64_t start = random.Below(prompts.size());
  std::uint64_t at = start;
  for (std::uint64_t i = 0; i < prompts.size(); ++i) {
    const std::uint64_t candidate = (start + i) % prompts.size();
    if (prompts[candidate].size() >= length) {
      at = candidate;
      break;
    }
  }
  while (text.size() < length) {
    const Tokens& passage = prompts[at++ % prompts.size()];
    text.insert(text.end(), passage.begin(), passage.end());
  }
  text.resize(length);
  return text;
}

}  // namespace parity
