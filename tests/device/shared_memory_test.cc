#include "gtest_parity/device/shared_memory.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace parity {
namespace {

constexpr std::uint64_t kBytes = 64 * 1024;

int ErrorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::system_error& error) {
    EXPECT_STRNE(error.what(), "");
    return error.code().value();
  }
  return 0;
}

TEST(SharedMemory, IsZeroAndOfOneSize) {
  const FileDescriptor fd = CreateSharedMemory("parity_test", kBytes);
  const Mapping mapping(fd.get(), kBytes, true);
  EXPECT_EQ(mapping.bytes(), kBytes);
  for (std::uint64_t i = 0; i < kBytes; i += 997) EXPECT_EQ(mapping.data()[i], 0);
  for (const off_t size : {off_t{0}, off_t{kBytes - 1}, off_t{kBytes + 1}, off_t{1} << 30}) {
    EXPECT_NE(ftruncate(fd.get(), size), 0) << size;
    EXPECT_EQ(errno, EPERM) << size;
  }
  EXPECT_EQ(ftruncate(fd.get(), kBytes), 0);
}

TEST(SharedMemory, DoesNotCrossExec) {
  const FileDescriptor fd = CreateSharedMemory("parity_test", kBytes);
  EXPECT_NE(fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(SharedMemory, NameShowsInMaps) {
  const FileDescriptor fd = CreateSharedMemory("parity_test", kBytes);
  char target[64] = {};
  ASSERT_GT(readlink(("/proc/self/fd/" + std::to_string(fd.get())).c_str(), target, 63), 0);
  EXPECT_THAT(target, testing::HasSubstr("memfd:parity_test"));
}

TEST(SharedMemory, TwoMappingsShareTheBytes) {
  const FileDescriptor fd = CreateSharedMemory("parity_test", kBytes);
  const Mapping writer(fd.get(), kBytes, true);
  const Mapping reader(fd.get(), kBytes, false);
  std::memset(writer.data(), 0x5a, kBytes);
  EXPECT_EQ(reader.data()[kBytes - 1], 0x5a);
}

TEST(SharedMemory, SealFailsWhileAnyoneCanWrite) {
  const FileDescriptor fd = CreateSharedMemory("parity_test", kBytes);
  {
    const Mapping writer(fd.get(), kBytes, true);
    EXPECT_EQ(ErrorOf([&] { SealAgainstWrites(fd.get()); }), EBUSY);
    writer.data()[7] = 42;
  }
  {
    // It is only read, and could be made writable.
    const Mapping reader(fd.get(), kBytes, false);
    EXPECT_EQ(ErrorOf([&] { SealAgainstWrites(fd.get()); }), EBUSY);
  }
  EXPECT_EQ(ErrorOf([&] { SealAgainstWrites(fd.get()); }), 0);
  EXPECT_EQ(Mapping(fd.get(), kBytes, false).data()[7], 42);
}

TEST(SharedMemory, SealedIsReadOnlyForEverybody) {
  const FileDescriptor fd = CreateSharedMemory("parity_test", kBytes);
  { std::memset(Mapping(fd.get(), kBytes, true).data(), 0x11, kBytes); }
  SealAgainstWrites(fd.get());
  EXPECT_EQ(ErrorOf([&] { Mapping(fd.get(), kBytes, true); }), EPERM);
  EXPECT_NE(write(fd.get(), "x", 1), 1);
  EXPECT_NE(fallocate(fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096), 0);
  const Mapping reader(fd.get(), kBytes, false);
  EXPECT_EQ(reader.data()[100], 0x11);
  // A private copy may be written, and is not seen by others.
  auto* copy =
      static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd.get(), 0));
  ASSERT_NE(copy, MAP_FAILED);
  copy[100] = 0x22;
  EXPECT_EQ(reader.data()[100], 0x11);
  munmap(copy, kBytes);
  // The read-only mapping cannot be made writable after the fact.
  EXPECT_NE(mprotect(reader.data(), kBytes, PROT_READ | PROT_WRITE), 0);
  // The seals are final, and asking for them again changes nothing.
  EXPECT_EQ(ErrorOf([&] { SealAgainstWrites(fd.get()); }), 0);
  EXPECT_NE(fcntl(fd.get(), F_ADD_SEALS, F_SEAL_FUTURE_WRITE), 0);
}

TEST(Mapping, ErrorsAreThrown) {
  EXPECT_EQ(ErrorOf([] { Mapping(-1, kBytes, false); }), EBADF);
  EXPECT_NE(ErrorOf([] { SealAgainstWrites(-1); }), 0);
}

TEST(Mapping, Moves) {
  const FileDescriptor fd = CreateSharedMemory("parity_test", kBytes);
  Mapping a(fd.get(), kBytes, true);
  std::uint8_t* data = a.data();
  Mapping b(std::move(a));
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(b.data(), data);
  Mapping c;
  EXPECT_EQ(c.bytes(), 0u);
  c = std::move(b);
  EXPECT_EQ(c.data(), data);
  EXPECT_EQ(c.bytes(), kBytes);
  c.data()[0] = 1;
}

}  // namespace
}  // namespace parity
