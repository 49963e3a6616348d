// A batch of byte comparisons, laid out once and run any number of times.
#ifndef GTEST_PARITY_KERNELS_CUDA_CHANGED_BATCH_H_
#define GTEST_PARITY_KERNELS_CUDA_CHANGED_BATCH_H_

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/cuda/byte_work.h"
#include "kernels/cuda/tasks.h"

namespace parity {

class ChangedBatch {
 public:
  // What is asked of each task: its bitmap of blocks, or only whether any differs.
  enum class Ask { kBitmap, kAny };

  ChangedBatch(std::span<const ChangedTask> tasks, Ask ask, Scratch& scratch);
  void Launch();
  // Of the last launch. Both wait for it.
  std::vector<std::vector<std::uint64_t>> ReadBitmaps();
  std::vector<std::uint8_t> ReadAny();

  struct Question {
    std::uint64_t first_word = 0;  // of the task's bitmap, in that of all
  };

 private:
  Scratch& scratch_;
  Ask ask_;
  ByteBatch<Question> batch_;
  std::vector<std::uint64_t> words_;  // of each task
  std::uint64_t all_words_ = 0;
  std::uint64_t* bitmaps_ = nullptr;
  std::uint32_t* any_ = nullptr;
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_CUDA_CHANGED_BATCH_H_
