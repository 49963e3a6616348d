// The text that /metrics answers with: Prometheus' exposition format 0.0.4.
#ifndef GTEST_PARITY_SUITES_WIRE_METRICS_EXPOSITION_H_
#define GTEST_PARITY_SUITES_WIRE_METRICS_EXPOSITION_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parity::wire {

struct Sample {
  std::string name;
  std::map<std::string, std::string> labels;
  double value = 0;
};

struct Exposition {
  std::map<std::string, std::string> types;  // of each family: "counter", "histogram"
  std::vector<Sample> samples;
  std::vector<std::string> problems;  // "line 3: no value"

  // The type of the family that a sample belongs to; empty where none was declared.
  std::string TypeOf(const Sample& sample) const;
  // The sum over samples of that name which have at least these labels: `name{label="value"}`.
  // Nothing where there is none.
  std::optional<double> Sum(std::string_view series) const;
};

// What does not fit the format is told in `problems`: lines that are none, a type told twice or
// after a sample of its family, a series told twice, buckets that fall or end in another count.
Exposition ParseExposition(std::string_view text);

// One line of a sample; nothing where it is none.
std::optional<Sample> ParseSample(std::string_view line);

// "name{label="value"}", the labels in order.
std::string SeriesOf(const Sample& sample);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_METRICS_EXPOSITION_H_
