// An answer in a surface's own words. There are two implementations, `reference` and `ported`.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_PROJECTOR_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_PROJECTOR_H_

#include <memory>
#include <string>
#include <vector>

#include "gtest_parity/engines/tiny/server/tape.h"

namespace parity::tiny_server {

// A server-sent event.
struct Frame {
  std::string event;  // empty: no such line
  Json data;          // a string stands for itself: "[DONE]"
};

class Projector {
 public:
  virtual ~Projector() = default;
  // Of a stream: before the first event of the tape, then for each.
  virtual std::vector<Frame> Begin() = 0;
  virtual std::vector<Frame> On(const TapeEvent& event) = 0;
  // The whole answer. The tape ends with kEnd.
  virtual Json Whole(const Tape& tape) = 0;
};

struct Variant {
  const char* name;
  std::unique_ptr<Projector> (*project)(const AnswerHead& head);
  // The body of an error before the first event.
  Json (*error_body)(Surface surface, const WireError& error);
};

extern const Variant kReference;
extern const Variant kPorted;

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_PROJECTOR_H_
