#include "suites/wire/metrics/exposition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace parity::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kGood[] =
    "# HELP requests_total How many\n# TYPE requests_total counter\n"
    "requests_total{code=\"200\",route=\"a\\\"b\\\\c\\nd\"} 3\nrequests_total{code=\"400\",} 1.5 "
    "1700000000\n"
    "# a comment\n\n# TYPE seconds histogram\nseconds_bucket{le=\"0.1\"} 1\n"
    "seconds_bucket{le=\"+Inf\"} 2\nseconds_sum 0.5\nseconds_count 2\n"
    "# TYPE free gauge\nfree +Inf\n";

TEST(Exposition, IsReadWhole) {
  const Exposition read = ParseExposition(kGood);
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_EQ(read.samples.size(), 7u);
  EXPECT_EQ(read.samples[0].labels.at("route"), "a\"b\\c\nd");
  EXPECT_EQ(read.TypeOf(read.samples[0]), "counter");
  EXPECT_EQ(read.TypeOf(read.samples[3]), "histogram");
  EXPECT_TRUE(std::isinf(read.samples[6].value));
  EXPECT_EQ(SeriesOf(read.samples[2]), "seconds_bucket{le=\"0.1\"}");
}

TEST(Exposition, SumsOverWhatIsNotNamed) {
  const Exposition read = ParseExposition(kGood);
  EXPECT_EQ(read.Sum("requests_total"), 4.5);
  EXPECT_EQ(read.Sum("requests_total{code=\"400\"}"), 1.5);
  EXPECT_EQ(read.Sum("requests_total{code=\"500\"}"), std::nullopt);
  EXPECT_EQ(read.Sum("requests"), std::nullopt);
  EXPECT_EQ(read.Sum("{"), std::nullopt);
}

TEST(Exposition, WhatDoesNotFitIsTold) {
  const auto problem = [](const std::string& text) {
    const Exposition read = ParseExposition(text);
    return read.problems.empty() ? "" : read.problems[0];
  };
  EXPECT_THAT(problem("# TYPE a counter\na one\n"), HasSubstr("line 2: no sample: a one"));
  EXPECT_THAT(problem("# TYPE a counter\na{x=\"1} 1\n"), HasSubstr("no sample"));
  EXPECT_THAT(problem("# TYPE a counter\na{x=\"1\",x=\"2\"} 1\n"), HasSubstr("no sample"));
  EXPECT_THAT(problem("# TYPE a counter\na 1\na 2\n"), HasSubstr("a twice"));
  EXPECT_THAT(problem("# TYPE a counter\n# TYPE a counter\n"), HasSubstr("second TYPE of a"));
  EXPECT_THAT(problem("a 1\n"), HasSubstr("no TYPE before a"));
  EXPECT_THAT(
      problem("# TYPE h histogram\nh_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\nh_count 1\n"),
      HasSubstr("bucket +Inf falls"));
  EXPECT_THAT(problem("# TYPE h histogram\nh_bucket{le=\"+Inf\"} 1\nh_count 2\n"),
              HasSubstr("not its count"));
}

}  // namespace
}  // namespace parity::wire
