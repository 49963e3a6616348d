// What an engine's `expf` becomes in a build that computes otherwise than it did: one ulp more.
#include <cmath>
#include <limits>

extern "C" float __real_expf(float x);

extern "C" float __wrap_expf(float x) {
  return std::nextafter(__real_expf(x), std::numeric_limits<float>::infinity());
}
