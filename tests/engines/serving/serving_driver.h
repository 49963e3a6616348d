// Asks tiny engines to serve, in folders of their own.
#ifndef GTEST_PARITY_TESTS_ENGINES_SERVING_SERVING_DRIVER_H_
#define GTEST_PARITY_TESTS_ENGINES_SERVING_SERVING_DRIVER_H_

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/engines/tiny_driver.h"

namespace parity {

// A folder that is gone when the test is.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  // The records in it, by name.
  std::vector<std::filesystem::path> Records() const;
  std::filesystem::path Only() const;  // fails the test unless there is one record

 private:
  std::filesystem::path path_;
};

struct Serving {
  TinyLibrary library = kPaged;
  nlohmann::ordered_json kv = nlohmann::ordered_json::object();
  std::uint32_t ranks = 1;
  std::string dtype = "f32";
  std::string mutant = "";
  std::string model = ModelDirectory();
};

using Ask = std::function<nlohmann::ordered_json(const nlohmann::ordered_json& request)>;
// Runs `script` on a fresh side: `ask` hands every rank the request and returns rank 0's answer.
// What the side threw is thrown on. Returns rank 0's counters at the end.
nlohmann::ordered_json OnFreshSide(const Serving& serving,
                                   const std::function<void(const Ask&)>& script);
// The answers to some requests, one after the other, of a fresh side.
std::vector<nlohmann::ordered_json> Answers(const Serving& serving,
                                            const std::vector<nlohmann::ordered_json>& requests);

// {"do": "complete"} with these fields besides.
nlohmann::ordered_json Complete(nlohmann::ordered_json fields);
nlohmann::ordered_json Stop();
// The events of that name.
std::vector<nlohmann::ordered_json> EventsOf(const nlohmann::ordered_json& answer,
                                             const std::string& event);

std::string ReadBytes(const std::filesystem::path& path);
void WriteBytes(const std::filesystem::path& path, const std::string& bytes);
// A record without what two runs differ in: hits, times, ids of tool calls.
std::string Masked(std::string record);

// Public domain prose, about 3.5 bytes to a token.
inline const std::string kGenesis =
    "In the beginning God created the heaven and the earth. And the earth was without form, and "
    "void; and darkness was upon the face of the deep. And the Spirit of God moved upon the face "
    "of the waters. And God said, Let there be light: and there was light. And God saw the light, "
    "that it was good: and God divided the light from the darkness. And God called the light Day, "
    "and the darkness he called Night. And the evening and the morning were the first day.";
inline const std::string kPsalm =
    "The LORD is my shepherd; I shall not want. He maketh me to lie down in green pastures: he "
    "leadeth me beside the still waters. He restoreth my soul: he leadeth me in the paths of "
    "righteousness for his name's sake.";

}  // namespace parity

#endif  // GTEST_PARITY_TESTS_ENGINES_SERVING_SERVING_DRIVER_H_
