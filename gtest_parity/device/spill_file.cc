#include "gtest_parity/device/spill_file.h"

#include <fcntl.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "gtest_parity/device/last_mapping.h"

namespace parity {
namespace {

[[noreturn]] void Fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

}  // namespace

FileDescriptor CreateSpillFile(const std::string& folder, std::uint64_t bytes) {
  FileDescriptor file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file.valid()) Fail(errno, "an unnamed file to spill to in " + folder);
  if (bytes != 0 && fallocate(file.get(), 0, 0, static_cast<off_t>(bytes)) != 0) {
    Fail(errno, "reserving " + std::to_string(bytes) + " bytes to spill to in " + folder);
  }
  return file;
}

FileDescriptor OnlyToRead(FileDescriptor writable, std::chrono::milliseconds patience) {
  const std::string path = "/proc/self/fd/" + std::to_string(writable.get());
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) Fail(errno, "opening a file that was spilled to");
  writable.Close();
  const int error = AskWhileBusy(
      patience, [&file] { return fcntl(file.get(), F_SETLEASE, F_RDLCK) == 0 ? 0 : errno; });
  if (error != 0) {
    Fail(error == EAGAIN ? EBUSY : error, "proving that nobody can write what was spilled");
  }
  fcntl(file.get(), F_SETLEASE, F_UNLCK);
  return file;
}

}  // namespace parity
