// An element for a person to read.
#ifndef GTEST_PARITY_SIDE_VALUE_TEXT_H_
#define GTEST_PARITY_SIDE_VALUE_TEXT_H_

#include <cstdint>
#include <string>

#include "gtest_parity/device/device.h"
#include "kernels/dtype.h"

namespace parity {

// "1.00000012", "-7", "0x5a": enough digits to tell it from every other value of its dtype.
std::string ValueText(DType dtype, const std::uint8_t* data, std::uint64_t index);
// The same of a device's memory.
std::string ValueText(Device& device, DType dtype, const std::uint8_t* data, std::uint64_t index);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_VALUE_TEXT_H_
