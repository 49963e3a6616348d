// Every way in which a loader may find a lane's record spoilt.
#ifndef GTEST_PARITY_SUITES_KV_HARM_H_
#define GTEST_PARITY_SUITES_KV_HARM_H_

#include <functional>
#include <string>
#include <vector>

#include "suites/kv/lane.h"
#include "suites/kv/phases.h"

namespace parity::kv {

struct Harm {
  std::string slug;  // "flip_tokens"
  std::string what;  // in words
  std::string file_name;
  // Puts it into an empty folder and returns its path there.
  std::function<std::string(const std::string& folder)> place;
  // What happens to the file between the loader's look through the folder and its load; null:
  // nothing.
  std::function<void(const std::string& path)> meddle;

  std::string Group() const { return slug.substr(0, slug.find('_')); }  // "flip"
};

// The format's mutations; names that cannot be read as files (`unreadable`: as root without the
// file that nobody may read, which root may); and, where the lane says how a folder is looked
// through, changes behind the index (`changed`). `saved` outlives what is returned.
std::vector<Harm> HarmsOf(const Lane& lane, const RecordFormat& format, const Saved& saved);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_HARM_H_
