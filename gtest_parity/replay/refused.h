// Why a recording cannot stand for the reference here.
#ifndef GTEST_PARITY_REPLAY_REFUSED_H_
#define GTEST_PARITY_REPLAY_REFUSED_H_

#include <stdexcept>
#include <string>

namespace parity {

class RecordingRefused : public std::runtime_error {
 public:
  // "what: got G, expected E"
  RecordingRefused(const std::string& what, const std::string& got, const std::string& expected)
      : std::runtime_error(what + ": got " + got + ", expected " + expected) {}
  explicit RecordingRefused(const std::string& words) : std::runtime_error(words) {}
};

}  // namespace parity

#endif  // GTEST_PARITY_REPLAY_REFUSED_H_
