#include "gtest_parity/device/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "gtest_parity/device/last_mapping.h"

namespace parity {
namespace {

[[noreturn]] void Fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Mapping::Mapping(int fd, std::uint64_t bytes, bool writable) : bytes_(bytes) {
  const int access = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void* data = mmap(nullptr, bytes, access, MAP_SHARED, fd, 0);
  // Linux before 6.7 maps what is sealed against writes only privately. That shares the pages too.
  if (data == MAP_FAILED && errno == EPERM && !writable) {
    data = mmap(nullptr, bytes, access, MAP_PRIVATE, fd, 0);
  }
  if (data == MAP_FAILED) Fail("mapping " + std::to_string(bytes) + " bytes of shared memory");
  data_ = static_cast<std::uint8_t*>(data);
}

Mapping::~Mapping() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

Mapping::Mapping(Mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

std::uint64_t SizeOfSharedMemory(int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) Fail("the size of shared memory");
  return static_cast<std::uint64_t>(status.st_size);
}

FileDescriptor CreateSharedMemory(const std::string& name, std::uint64_t bytes) {
  FileDescriptor fd(memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid()) Fail("memfd_create " + name);
  if (ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) {
    Fail("reserving " + std::to_string(bytes) + " bytes for " + name);
  }
  if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) Fail("sealing " + name);
  return fd;
}

void SealAgainstWrites(int fd, std::chrono::milliseconds patience) {
  const int seals = fcntl(fd, F_GET_SEALS);
  if (seals >= 0 && (seals & F_SEAL_WRITE) != 0) return;
  const int error = AskWhileBusy(patience, [fd] {
    return fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL) == 0 ? 0 : errno;
  });
  if (error != 0) {
    throw std::system_error(error, std::generic_category(), "sealing the recording against writes");
  }
}

}  // namespace parity
