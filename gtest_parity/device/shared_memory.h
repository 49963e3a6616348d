// Memory that two processes map: fixed in size, passed as a file descriptor.
#ifndef GTEST_PARITY_DEVICE_SHARED_MEMORY_H_
#define GTEST_PARITY_DEVICE_SHARED_MEMORY_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "gtest_parity/device/file_descriptor.h"

namespace parity {

// A mapping of a shared file.
class Mapping {
 public:
  Mapping() = default;
  // Throws std::system_error.
  Mapping(int fd, std::uint64_t bytes, bool writable);
  ~Mapping();
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  std::uint8_t* data() const { return data_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::uint8_t* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// Bytes of a shared file. Throws std::system_error.
std::uint64_t SizeOfSharedMemory(int fd);

// A memfd of `bytes` bytes that can neither grow nor shrink; pages cost memory once they are
// written. The name shows in /proc/*/maps. Throws std::system_error.
FileDescriptor CreateSharedMemory(const std::string& name, std::uint64_t bytes);

// No one can write to it any more, this process included. Fails (std::system_error, EBUSY) where a
// writable mapping exists anywhere and has not gone within `patience` (last_mapping.h), so that
// success proves that nobody holds one. A shared mapping that is only read counts as one if it was
// made before, for it could be made writable. What is sealed already stays so.
void SealAgainstWrites(int fd, std::chrono::milliseconds patience = {});

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_SHARED_MEMORY_H_
