// The smallest fault that each instrument finds by itself.
#include <gtest/gtest.h>

#include "tests/selfproof/detection_rows.h"

namespace parity::testing {
namespace {

class DetectionTest : public ::testing::TestWithParam<SizedFault> {};

TEST_P(DetectionTest, FindsTheSmallestFaultOfEachInstrument) {
  const SizedFault& fault = GetParam();
  RemoveDetection(fault);
  std::vector<std::string> cells;
  for (const Instrument& instrument : Instruments()) {
    SCOPED_TRACE(instrument.name);
    EXPECT_FALSE(Catches(instrument, fault, -1)) << "a port without a fault is red";
    const std::optional<int> size = SmallestCaught(instrument, fault);
    cells.push_back(size ? fault.text(*size) : "-");
  }
  if (HasFailure()) return;  // a row of the table is one that held
  WriteDetection(fault, cells);
}

INSTANTIATE_TEST_SUITE_P(faults, DetectionTest,
                         ::testing::ValuesIn(SizedFaults().begin(), SizedFaults().end()),
                         [](const ::testing::TestParamInfo<SizedFault>& info) {
                           return info.param.name + "_" + info.param.dtype;
                         });

}  // namespace
}  // namespace parity::testing
