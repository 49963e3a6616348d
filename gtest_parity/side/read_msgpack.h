// A msgpack value from bytes that nobody vouches for.
#ifndef GTEST_PARITY_SIDE_READ_MSGPACK_H_
#define GTEST_PARITY_SIDE_READ_MSGPACK_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace parity {

// Levels of arrays and objects; what the two processes say to each other has a handful.
inline constexpr std::size_t kDeepestMessage = 32;

// Throws nlohmann::json::exception for what is no such value, and std::invalid_argument for one
// that is nested deeper than kDeepestMessage: the library's reader takes a stack frame for each
// level.
nlohmann::json ReadMsgpack(const std::vector<std::uint8_t>& bytes);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_READ_MSGPACK_H_
