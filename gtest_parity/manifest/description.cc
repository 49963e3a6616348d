#include "gtest_parity/manifest/description.h"

#include <charconv>
#include <stdexcept>

namespace parity {
namespace {

std::uint64_t ValueOf(const std::string& term, const Vars& vars) {
  std::uint64_t number = 0;
  const char* end = term.data() + term.size();
  const auto result = std::from_chars(term.data(), end, number);
  if (result.ec == std::errc() && result.ptr == end) return number;
  const auto found = vars.find(term);
  if (found != vars.end()) return found->second;
  std::string known;
  for (const auto& [name, value] : vars) known += (known.empty() ? "" : ", ") + name;
  throw std::runtime_error("unknown variable: got \"" + term + "\", expected a number or one of " +
                           known);
}

}  // namespace

std::string NameOf(Role role) {
  constexpr const char* kNames[] = {"workspace", "input", "output",  "logits", "decision",
                                    "constant",  "carry", "scratch", "sync"};
  return kNames[static_cast<std::size_t>(role)];
}

std::uint64_t Dim::Evaluate(const Vars& vars) const {
  const std::uint64_t above = ValueOf(numerator, vars);
  if (denominator.empty()) return above;
  const std::uint64_t below = ValueOf(denominator, vars);
  if (below == 0 || above % below != 0) {
    const bool variable = vars.contains(denominator);
    throw std::runtime_error(Text() + " is not whole" +
                             (variable ? " at " + denominator + " " + std::to_string(below) : "") +
                             ": got " + std::to_string(above) + "/" + std::to_string(below) +
                             ", expected a multiple");
  }
  return above / below;
}

std::string Dim::Text() const {
  return denominator.empty() ? numerator : numerator + "/" + denominator;
}

std::vector<std::uint64_t> Tensor::Shape(const Vars& vars) const {
  std::vector<std::uint64_t> extents;
  extents.reserve(shape.size());
  for (const Dim& dim : shape) extents.push_back(dim.Evaluate(vars));
  return extents;
}

const Program* Description::FindProgram(const std::string& name) const {
  for (const Program& program : programs) {
    if (program.name == name) return &program;
  }
  return nullptr;
}

}  // namespace parity
