// Floating-point modes: the engine's and the harness's do not meet.
#ifndef GTEST_PARITY_ENGINE_FLOAT_MODE_H_
#define GTEST_PARITY_ENGINE_FLOAT_MODE_H_

#include <cfenv>

namespace parity {

// In scope, the calling thread computes in `mode` (rounding, flush to zero, traps); afterwards in
// its own again, and `mode` is what it had become.
class InFloatMode {
 public:
  explicit InFloatMode(std::fenv_t& mode) : mode_(mode) {
    std::fegetenv(&own_);
    std::fesetenv(&mode_);
  }
  ~InFloatMode() {
    std::fegetenv(&mode_);
    std::fesetenv(&own_);
  }
  InFloatMode(const InFloatMode&) = delete;
  InFloatMode& operator=(const InFloatMode&) = delete;

 private:
  std::fenv_t& mode_;
  std::fenv_t own_;
};

// In scope, rounding is to nearest, subnormals are kept, and nothing traps.
class InDefaultFloatMode {
 public:
  InDefaultFloatMode() {
    std::fegetenv(&own_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~InDefaultFloatMode() { std::fesetenv(&own_); }
  InDefaultFloatMode(const InDefaultFloatMode&) = delete;
  InDefaultFloatMode& operator=(const InDefaultFloatMode&) = delete;

 private:
  std::fenv_t own_;
};

}  // namespace parity

#endif  // GTEST_PARITY_ENGINE_FLOAT_MODE_H_
