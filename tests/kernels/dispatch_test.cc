#include "kernels/dispatch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/kernels/reference.h"

namespace parity {
namespace {

using testing::HasSubstr;

struct Seen {
  std::uint32_t bits;
  bool is_float;
  bool is_signed;
};

TEST(DispatchTest, GivesEveryNumericDTypeItsFormat) {
  for (const DType dtype : AllDTypes()) {
    if (dtype == DType::kBytes) continue;
    SCOPED_TRACE(NameOf(dtype));
    const Seen seen = VisitNumericFormat(dtype, "test", []<typename Format>(Format) {
      return Seen{Format::kBits, Format::kIsFloat, std::is_signed_v<typename Format::Value>};
    });
    EXPECT_EQ(seen.bits, BitsOf(dtype));
    EXPECT_EQ(seen.is_float, IsFloat(dtype));
    EXPECT_EQ(seen.is_signed, IsFloat(dtype) || IsSigned(dtype));
  }
}

template <typename Call>
std::string MessageOf(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(DispatchTest, NamesWhatItCannotVisit) {
  const auto ignore = [](auto) { return 0; };
  EXPECT_EQ(MessageOf([&] { VisitNumericFormat(DType::kBytes, "Sum", ignore); }),
            "Sum: expected a numeric dtype, got bytes");
  EXPECT_EQ(MessageOf([&] { VisitFloatFormat(DType::kI32, "Rows", ignore); }),
            "Rows: expected a floating dtype, got i32");
  EXPECT_THAT(MessageOf([&] { VisitNumericFormat(static_cast<DType>(99), "Sum", ignore); }),
              HasSubstr("99"));
}

TEST(VisitIeeeFormat, RefusesOthers) {
  const auto bits = [](auto format) { return int{decltype(format)::kBits}; };
  EXPECT_EQ(VisitIeeeFormat(DType::kF64, "convert", bits), 64);
  EXPECT_EQ(VisitIeeeFormat(DType::kBF16, "convert", bits), 16);
  for (const DType dtype : {DType::kE4M3, DType::kE2M1, DType::kI32}) {
    EXPECT_THROW(VisitIeeeFormat(dtype, "convert", bits), std::invalid_argument);
  }
}

}  // namespace
}  // namespace parity
