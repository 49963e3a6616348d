// Why a record is not taken.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_REFUSAL_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_REFUSAL_H_

#include <string_view>

namespace parity::tiny::ported {

// Thrown where a record turns out to be unusable; caught by the store, which tells of it.
class Refusal {
 public:
  // `id` is one of those in docs/serving.md, and lives as long as the program.
  explicit constexpr Refusal(std::string_view id) : id_(id) {}
  constexpr std::string_view id() const { return id_; }

 private:
  std::string_view id_;
};

inline void Expect(bool holds, std::string_view id) {
  if (!holds) throw Refusal(id);
}

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_REFUSAL_H_
