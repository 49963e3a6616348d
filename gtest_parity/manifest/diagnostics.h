// What is wrong with an input file, all of it at once.
#ifndef GTEST_PARITY_MANIFEST_DIAGNOSTICS_H_
#define GTEST_PARITY_MANIFEST_DIAGNOSTICS_H_

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace parity {

// Where in a text file; counted from 1, 0 is unknown.
struct Position {
  std::uint32_t line = 0, column = 0;
};

struct Diagnostic {
  std::string file;
  Position at;
  std::string what;      // the key or JSON pointer, and what about it
  std::string got;       // empty: there is nothing to show
  std::string expected;  // empty: `what` says it all
  // "file:line:column: what: got G, expected E"
  std::string Text() const;
};

// Thrown when an input file cannot be used; what() has one diagnostic a line.
class InvalidInput : public std::runtime_error {
 public:
  explicit InvalidInput(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

// Collects, so that one reading reports every error.
class Diagnostics {
 public:
  void Add(Diagnostic diagnostic) { all_.push_back(std::move(diagnostic)); }
  void Append(const std::vector<Diagnostic>& more);
  bool empty() const { return all_.empty(); }
  const std::vector<Diagnostic>& all() const { return all_; }
  // Throws InvalidInput with everything collected, in the order of the file's lines.
  void ThrowIfAny() const;

 private:
  std::vector<Diagnostic> all_;
};

// The candidate that is fewest edits (insert, delete, replace, swap of neighbours) from `name`, if
// it is near enough to be a slip: at most a third of its length, and at least one edit is allowed.
// Empty when there is none.
std::string NearestName(const std::string& name, const std::vector<std::string>& candidates);

// What was expected instead of an unknown name: the nearest one, else a short list of all.
std::string ExpectedName(const std::string& name, const std::vector<std::string>& candidates);

// "[lo, hi)"
std::string IntervalText(std::uint64_t lo, std::uint64_t hi);

// `text` in double quotes, shortened to at most 60 characters.
std::string Quoted(const std::string& text);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_DIAGNOSTICS_H_
