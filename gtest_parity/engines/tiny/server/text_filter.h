// Takes the model's text apart as it comes: thinking, answer, and where a stop string ends it.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_TEXT_FILTER_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_TEXT_FILTER_H_

#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/engines/tiny/server/tape.h"

namespace parity::tiny_server {

// What may turn out to be the marker behind the thinking, or a stop string, is held back until it
// is known. Stop strings end the answer, not the thinking; of two the one that is whole
// first counts, and of two at once the longer, so that it does not matter how the text comes.
class TextFilter {
 public:
  // Stop strings are not empty. `thinks`: the text begins with thinking.
  TextFilter(std::vector<std::string> stops, bool thinks)
      : stops_(std::move(stops)), thinks_(thinks) {}

  // What can be told of the text so far. Behind a stop string nothing is.
  std::vector<TapeEvent> On(std::string_view text);
  // What was held back: no more text comes.
  std::vector<TapeEvent> Finish();

  bool stopped() const { return !stop_.empty(); }
  const std::string& stop() const { return stop_; }  // that was found
  bool thinks() const { return thinks_; }            // still

 private:
  void Think(std::vector<TapeEvent>& events);
  void Answer(std::vector<TapeEvent>& events);

  std::vector<std::string> stops_;
  bool thinks_;
  std::string held_;
  std::string stop_;
};

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_TEXT_FILTER_H_
