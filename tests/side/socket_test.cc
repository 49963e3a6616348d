#include "gtest_parity/side/socket.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <thread>

namespace parity {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using testing::HasSubstr;

Socket::Clock::time_point In(milliseconds time) { return Socket::Clock::now() + time; }

// What Receive throws; empty if nothing.
std::string ErrorOf(Socket& socket) {
  try {
    socket.Receive(In(milliseconds(2000)));
  } catch (const SocketError& error) {
    return error.what();
  }
  return "";
}

void Write(const Socket& socket, const std::vector<std::uint8_t>& bytes) {
  ASSERT_EQ(send(socket.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
}

TEST(Socket, EveryKindOfValueComesBack) {
  auto [a, b] = Socket::Pair();
  const json values[] = {nullptr,
                         true,
                         -1,
                         std::numeric_limits<std::uint64_t>::max(),
                         0.1,
                         std::numeric_limits<double>::infinity(),
                         -0.0,
                         "text with \xc3\xa4 and \n",
                         json::array({1, 2, 3}),
                         {{"a", {{"b", json::array()}}}},
                         json::binary({0, 255, 1})};
  for (const json& value : values) {
    a.Send(value);
    EXPECT_EQ(*b.Receive(), value);
  }
}

TEST(Socket, NanKeepsItsPlace) {
  auto [a, b] = Socket::Pair();
  a.Send(json::array({std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_TRUE(std::isnan((*b.Receive())[0].get<double>()));
}

TEST(Socket, MessagesKeepTheirOrderAndBothWaysWork) {
  auto [a, b] = Socket::Pair();
  for (int i = 0; i < 100; ++i) a.Send(i);
  b.Send("back");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(*b.Receive(), i);
  EXPECT_EQ(*a.Receive(), "back");
}

TEST(Socket, LargeMessageArrivesInPieces) {
  auto [a, b] = Socket::Pair();
  std::vector<std::uint8_t> bytes(5 << 20);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 31 >> 3);
  std::thread sender([&a = a, &bytes] { a.Send(json::binary(bytes)); });
  EXPECT_TRUE(b.Receive() == json::binary(bytes));
  sender.join();
}

TEST(Socket, BytesThatComeOneByOne) {
  auto [a, b] = Socket::Pair();
  const std::vector<std::uint8_t> frame = {2, 0, 0, 0, 0, 0, 0, 0, 0xa1, 'x'};
  std::thread sender([&a = a, &frame] {
    for (const std::uint8_t byte : frame) {
      Write(a, {byte});
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  EXPECT_EQ(*b.Receive(), "x");
  sender.join();
}

TEST(Socket, DeadlineWithNothingOrNotAll) {
  auto [a, b] = Socket::Pair();
  EXPECT_FALSE(b.Receive(In(milliseconds(20))).has_value());
  EXPECT_FALSE(b.Receive(In(milliseconds(-20))).has_value());
  Write(a, {2, 0, 0});
  EXPECT_FALSE(b.Receive(In(milliseconds(20))).has_value());
}

TEST(Socket, DeadlineInTheMiddleOfABody) {
  auto [a, b] = Socket::Pair();
  Write(a, {9, 0, 0, 0, 0, 0, 0, 0, 0xa1});
  EXPECT_FALSE(b.Receive(In(milliseconds(20))).has_value());
}

TEST(Socket, EndOfTheOther) {
  for (const std::vector<std::uint8_t>& before :
       {std::vector<std::uint8_t>{}, {2, 0, 0}, {2, 0, 0, 0, 0, 0, 0, 0, 0xa1}}) {
    auto [a, b] = Socket::Pair();
    if (!before.empty()) Write(a, before);
    a.Close();
    EXPECT_THROW(b.Receive(), SocketClosed);
    EXPECT_THROW(b.Send("x"), SocketClosed);
    EXPECT_THROW(b.SendDescriptors({0}), SocketClosed);
    EXPECT_THROW(b.ReceiveDescriptors(), SocketClosed);
  }
}

// A peer that died with a request unread resets the connection.
TEST(Socket, EndOfTheOtherWithARequestUnread) {
  auto [a, b] = Socket::Pair();
  b.Send("a request");
  a.Close();
  EXPECT_THROW(b.Receive(), SocketClosed);
}

TEST(Socket, LengthBeyondTheMaximum) {
  auto [a, b] = Socket::Pair();
  Write(a, {1, 0, 0, 0x40, 0, 0, 0, 0});  // kMaxMessageBytes + 1
  EXPECT_THAT(ErrorOf(b), HasSubstr("a message of 1073741825 bytes, at most 1073741824"));
  auto [c, d] = Socket::Pair();
  Write(c, {'n', 'o', 't', ' ', 'a', ' ', 'f', 'r', 'a', 'm', 'e'});
  EXPECT_THAT(ErrorOf(d), HasSubstr("bytes, at most"));
}

// A length that is allowed and never comes costs no memory.
TEST(Socket, LengthThatNeverComes) {
  auto [a, b] = Socket::Pair();
  Write(a, {0, 0, 0, 0x40, 0, 0, 0, 0, 1, 2, 3});
  EXPECT_FALSE(b.Receive(In(milliseconds(20))).has_value());
}

TEST(Socket, BytesThatAreNoMsgpack) {
  const std::vector<std::uint8_t> bodies[] = {
      {0xc1},                          // never used
      {0xa5, 'x'},                     // a string cut short
      {0x01, 0x02},                    // more than one value
      {0x92, 0x01},                    // an array cut short
      {0x81, 0x01, 0x01},              // a key that is no string
      {0xdd, 0xff, 0xff, 0xff, 0xff},  // an array of 2^32 - 1 values
      {0xc6, 0xff, 0xff, 0xff, 0xff},  // 4 GiB of bytes
  };
  for (const std::vector<std::uint8_t>& body : bodies) {
    auto [a, b] = Socket::Pair();
    std::vector<std::uint8_t> frame = {static_cast<std::uint8_t>(body.size()), 0, 0, 0, 0, 0, 0, 0};
    frame.insert(frame.end(), body.begin(), body.end());
    Write(a, frame);
    EXPECT_THAT(ErrorOf(b), HasSubstr("not a message"));
  }
}

TEST(Socket, EmptyBodyIsNoMessage) {
  auto [a, b] = Socket::Pair();
  Write(a, {0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_THAT(ErrorOf(b), HasSubstr("not a message"));
}

ino_t InodeOf(int fd) {
  struct stat status {};
  EXPECT_EQ(fstat(fd, &status), 0);
  return status.st_ino;
}

TEST(Socket, DescriptorsArriveInOrderAndCloseOnExec) {
  auto [a, b] = Socket::Pair();
  const FileDescriptor first = CreateSharedMemory("parity_first", 4096);
  const FileDescriptor second = CreateSharedMemory("parity_second", 4096);
  a.SendDescriptors({first.get(), second.get(), first.get()});
  a.SendDescriptors({});
  a.Send("then a message");
  const std::vector<FileDescriptor> received = b.ReceiveDescriptors();
  ASSERT_EQ(received.size(), 3u);
  EXPECT_EQ(InodeOf(received[0].get()), InodeOf(first.get()));
  EXPECT_EQ(InodeOf(received[1].get()), InodeOf(second.get()));
  EXPECT_EQ(InodeOf(received[2].get()), InodeOf(first.get()));
  for (const FileDescriptor& fd : received) {
    EXPECT_NE(fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
  }
  EXPECT_TRUE(b.ReceiveDescriptors().empty());
  EXPECT_EQ(*b.Receive(), "then a message");
}

TEST(Socket, AsManyDescriptorsAsAllowedAndNoMore) {
  auto [a, b] = Socket::Pair();
  const FileDescriptor one = CreateSharedMemory("parity_one", 4096);
  a.SendDescriptors(std::vector<int>(Socket::kMaxDescriptors, one.get()));
  EXPECT_EQ(b.ReceiveDescriptors().size(), Socket::kMaxDescriptors);
  EXPECT_THROW(a.SendDescriptors(std::vector<int>(Socket::kMaxDescriptors + 1, one.get())),
               SocketError);
}

TEST(Socket, DescriptorsThatAreNone) {
  auto [a, b] = Socket::Pair();
  EXPECT_THROW(a.SendDescriptors({-1}), SocketError);
  Write(a, {2});  // says two, brings none
  EXPECT_THROW(b.ReceiveDescriptors(), SocketError);
}

// Two ends that are sealed, and one frame from `a` to `b` as bytes.
struct Sealed {
  Sealed() {
    const SipKey key = {1, 2};
    a.Seal(key, Socket::End::kHost);
    b.Seal(key, Socket::End::kJudge);
  }
  std::vector<std::uint8_t> Frame(const json& message) {
    a.Send(message);
    std::vector<std::uint8_t> frame(4096);
    frame.resize(static_cast<std::size_t>(recv(b.fd(), frame.data(), frame.size(), 0)));
    return frame;
  }
  std::pair<Socket, Socket> ends = Socket::Pair();
  Socket &a = ends.first, &b = ends.second;
};

TEST(SealedSocket, MessagesGoBothWays) {
  Sealed sealed;
  for (int i = 0; i < 3; ++i) {
    sealed.a.Send({{"results", i}});
    sealed.b.Send(json::binary({1, 2, 3}));
    EXPECT_EQ(*sealed.b.Receive(), json({{"results", i}}));
    EXPECT_EQ(*sealed.a.Receive(), json::binary({1, 2, 3}));
  }
}

TEST(SealedSocket, EveryFlippedBitIsSeen) {
  for (std::size_t bit = 0;; ++bit) {
    Sealed sealed;
    std::vector<std::uint8_t> frame = sealed.Frame({{"results", "x"}});
    if (bit / 8 == frame.size()) break;
    frame[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
    Write(sealed.a, frame);
    EXPECT_THAT(ErrorOf(sealed.b),
                testing::AnyOf(HasSubstr("did not send"), HasSubstr("was changed on its way")))
        << bit;
  }
}

TEST(SealedSocket, MessagesThatAreRepeatedLeftOutOrSentBack) {
  Sealed repeated;
  const std::vector<std::uint8_t> frame = repeated.Frame("x");
  Write(repeated.a, frame);
  EXPECT_EQ(*repeated.b.Receive(), "x");
  Write(repeated.a, frame);
  EXPECT_THAT(ErrorOf(repeated.b), HasSubstr("did not send"));
  Sealed left_out;
  left_out.Frame("x");
  left_out.a.Send("x");
  EXPECT_THAT(ErrorOf(left_out.b), HasSubstr("did not send"));
  Sealed sent_back;
  sent_back.b.Send("x");
  std::vector<std::uint8_t> own(4096);
  own.resize(static_cast<std::size_t>(recv(sent_back.a.fd(), own.data(), own.size(), 0)));
  Write(sent_back.a, own);
  EXPECT_THAT(ErrorOf(sent_back.b), HasSubstr("did not send"));
}

TEST(SealedSocket, WhatIsNotSealed) {
  Sealed sealed;
  Write(sealed.a,
        {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa1, 'x'});
  EXPECT_THAT(ErrorOf(sealed.b), HasSubstr("did not send"));
}

TEST(Socket, PairDoesNotCrossExec) {
  auto [a, b] = Socket::Pair();
  EXPECT_NE(fcntl(a.fd(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(fcntl(b.fd(), F_GETFD) & FD_CLOEXEC, 0);
  const FileDescriptor owned(a.ReleaseFd());
  EXPECT_TRUE(owned.valid());
}

}  // namespace
}  // namespace parity
