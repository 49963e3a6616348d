// An owned file descriptor.
#ifndef GTEST_PARITY_DEVICE_FILE_DESCRIPTOR_H_
#define GTEST_PARITY_DEVICE_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace parity {

// Closes it when it goes; -1 is none.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  ~FileDescriptor() { Close(); }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.Release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = other.Release();
    }
    return *this;
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }
  void Close() {
    if (fd_ >= 0) close(Release());
  }

 private:
  int fd_;
};

}  // namespace parity

#endif  // GTEST_PARITY_DEVICE_FILE_DESCRIPTOR_H_
