// From a dtype known at run time to the format that defines it.
#ifndef GTEST_PARITY_KERNELS_DISPATCH_H_
#define GTEST_PARITY_KERNELS_DISPATCH_H_

#include <stdexcept>
#include <string>

#include "kernels/dtype.h"
#include "kernels/formats.h"

namespace parity {

// visit(F32{}), visit(BF16{}), ... Throws std::invalid_argument naming `what` for other dtypes.
template <typename Visitor>
auto VisitFloatFormat(DType dtype, const char* what, Visitor visit) {
  switch (dtype) {
    case DType::kF64:
      return visit(F64{});
    case DType::kF32:
      return visit(F32{});
    case DType::kF16:
      return visit(F16{});
    case DType::kBF16:
      return visit(BF16{});
    case DType::kE4M3:
      return visit(E4M3{});
    case DType::kE5M2:
      return visit(E5M2{});
    case DType::kE8M0:
      return visit(E8M0{});
    case DType::kE2M1:
      return visit(E2M1{});
    default:
      throw std::invalid_argument(std::string(what) + ": expected a floating dtype, got " +
                                  std::string(NameOf(dtype)));
  }
}

// As above for those with the fields and the infinity of IEEE 754.
template <typename Visitor>
auto VisitIeeeFormat(DType dtype, const char* what, Visitor visit) {
  switch (dtype) {
    case DType::kF64:
      return visit(F64{});
    case DType::kF32:
      return visit(F32{});
    case DType::kF16:
      return visit(F16{});
    case DType::kBF16:
      return visit(BF16{});
    default:
      throw std::invalid_argument(std::string(what) + ": expected f64, f32, f16 or bf16, got " +
                                  std::string(NameOf(dtype)));
  }
}

// As above for integers; bool counts as u8.
template <typename Visitor>
auto VisitIntegerFormat(DType dtype, const char* what, Visitor visit) {
  switch (dtype) {
    case DType::kI8:
      return visit(IntegerFormat<std::int8_t>{});
    case DType::kI16:
      return visit(IntegerFormat<std::int16_t>{});
    case DType::kI32:
      return visit(IntegerFormat<std::int32_t>{});
    case DType::kI64:
      return visit(IntegerFormat<std::int64_t>{});
    case DType::kU8:
    case DType::kBool:
      return visit(IntegerFormat<std::uint8_t>{});
    case DType::kU16:
      return visit(IntegerFormat<std::uint16_t>{});
    case DType::kU32:
      return visit(IntegerFormat<std::uint32_t>{});
    case DType::kU64:
      return visit(IntegerFormat<std::uint64_t>{});
    default:
      throw std::invalid_argument(std::string(what) + ": expected a numeric dtype, got " +
                                  std::string(NameOf(dtype)));
  }
}

// Either of the two; every dtype but opaque bytes.
template <typename Visitor>
auto VisitNumericFormat(DType dtype, const char* what, Visitor visit) {
  return IsFloat(dtype) ? VisitFloatFormat(dtype, what, visit)
                        : VisitIntegerFormat(dtype, what, visit);
}

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_DISPATCH_H_
