// Names for spans that stay the same when ops elsewhere come and go.
#ifndef GTEST_PARITY_MANIFEST_SLUG_H_
#define GTEST_PARITY_MANIFEST_SLUG_H_

#include <string>
#include <unordered_set>

namespace parity {

// "layer0.attention", or "layer0.q .. layer0.append" of several ops.
std::string SpanLabel(const std::string& first, const std::string& last);

// Lower case, runs of anything but letters and digits as one underscore, none at the ends.
std::string Slugged(const std::string& text);

class SlugMaker {
 public:
  // "decode_layer0_attention"; of several ops "decode_layer0_q_to_append": what the labels' dotted
  // paths share is said once. A slug that is taken gets "_2", "_3", ... in the order of asking.
  std::string Make(const std::string& program, const std::string& first, const std::string& last);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_SLUG_H_
