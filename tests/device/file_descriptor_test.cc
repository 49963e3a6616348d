#include "gtest_parity/device/file_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace parity {
namespace {

bool IsOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

int OpenSomething() { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

TEST(FileDescriptor, NoneByDefault) {
  FileDescriptor none;
  EXPECT_FALSE(none.valid());
  EXPECT_EQ(none.get(), -1);
  none.Close();
}

TEST(FileDescriptor, ClosesWhenItGoes) {
  const int fd = OpenSomething();
  {
    FileDescriptor owner(fd);
    EXPECT_TRUE(owner.valid());
    EXPECT_TRUE(IsOpen(fd));
  }
  EXPECT_FALSE(IsOpen(fd));
}

TEST(FileDescriptor, MovesAndReleases) {
  const int first = OpenSomething(), second = OpenSomething();
  FileDescriptor a(first), b(second);
  a = std::move(b);
  EXPECT_FALSE(IsOpen(first));
  EXPECT_EQ(a.get(), second);
  EXPECT_FALSE(b.valid());
  FileDescriptor c(std::move(a));
  EXPECT_EQ(c.get(), second);
  FileDescriptor& same = c;
  c = std::move(same);
  EXPECT_TRUE(IsOpen(second));
  EXPECT_EQ(c.Release(), second);
  EXPECT_FALSE(c.valid());
  EXPECT_TRUE(IsOpen(second));
  close(second);
}

}  // namespace
}  // namespace parity
