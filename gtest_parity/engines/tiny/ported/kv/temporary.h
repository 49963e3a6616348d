// A file that is written aside until it is whole.
#ifndef GTEST_PARITY_ENGINES_TINY_PORTED_KV_TEMPORARY_H_
#define GTEST_PARITY_ENGINES_TINY_PORTED_KV_TEMPORARY_H_

#include <filesystem>

namespace parity::tiny::ported {

// A new file beside `target`, under a name that nobody else uses, that goes again unless it becomes
// the target.
class Temporary {
 public:
  explicit Temporary(const std::filesystem::path& target);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  bool made() const { return made_; }
  const std::filesystem::path& path() const { return path_; }
  // False: failed, and the target is as it was.
  bool Become(const std::filesystem::path& target);

 private:
  std::filesystem::path path_;
  bool made_ = false;
};

}  // namespace parity::tiny::ported

#endif  // GTEST_PARITY_ENGINES_TINY_PORTED_KV_TEMPORARY_H_
