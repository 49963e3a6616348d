// What the ported projector says, as tables: which events at which moment, and their JSON with
// places for values.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_PORTED_PHRASES_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_PORTED_PHRASES_H_

#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/server/surface.h"

namespace parity::tiny_server::ported {

enum class Moment { kBegin, kOpen, kDelta, kClose, kEnd, kFailure };
enum class Block { kNone, kReasoning, kText, kCall };

// "$name" in `data` is a place: for a value of the answer's, else for the object of that name. A
// member whose place has no value is left out.
struct Phrase {
  Surface surface;
  Moment moment;
  Block block;        // kNone at moments that are of no block
  const char* event;  // "": no such line
  const char* data;
};
const std::vector<Phrase>& Phrases();

// Objects that occur in several places. Empty: there is none of that name.
std::string ObjectOf(Surface surface, const std::string& name);

}  // namespace parity::tiny_server::ported

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_PORTED_PHRASES_H_
