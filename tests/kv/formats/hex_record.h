// Records that were put together by hand: tests/kv/records/*.hex.
#ifndef GTEST_PARITY_TESTS_KV_FORMATS_HEX_RECORD_H_
#define GTEST_PARITY_TESTS_KV_FORMATS_HEX_RECORD_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace parity::kv {

struct HexRecord {
  std::string file_name;
  std::vector<std::uint8_t> bytes;
};

// Two digits a byte, '#' begins a comment, a line "name X" is the name of the record's file.
inline HexRecord ReadHexRecord(const std::string& name) {
  const std::string path = std::string(PARITY_SOURCE_DIR) + "/tests/kv/records/" + name + ".hex";
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  HexRecord record;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    for (std::string word; words >> word;) {
      if (word == "name") {
        words >> record.file_name;
      } else {
        EXPECT_EQ(word.size(), 2u) << path << ": " << word;
        record.bytes.push_back(static_cast<std::uint8_t>(std::stoul(word, nullptr, 16)));
      }
    }
  }
  return record;
}

}  // namespace parity::kv

#endif  // GTEST_PARITY_TESTS_KV_FORMATS_HEX_RECORD_H_
