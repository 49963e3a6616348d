// The sums and distances of kernels/pairs.h and kernels/sums.h for 512 bytes of each side at once:
// one 16-byte load for each of the 32 lanes. Gives the same bits as pair by pair,
// faster. For the host.
#ifndef GTEST_PARITY_KERNELS_STRIPE_H_
#define GTEST_PARITY_KERNELS_STRIPE_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/formats.h"
#include "kernels/pairs.h"
#include "kernels/sums.h"
#include "kernels/vectors.h"

namespace parity {

inline constexpr std::uint32_t kStripeBytes = 16 * kLanes;

template <typename T>
struct alignas(16) Lanes {
  T dd[kLanes] = {}, aa[kLanes] = {}, bb[kLanes] = {}, ab[kLanes] = {};
};

// Two lanes' sums, to which products are added that come in turn: first of each, second of each.
template <typename T>
class LanePair;

template <>
class LanePair<double> {
 public:
  explicit LanePair(double* lanes) : lanes_(lanes), sums_(LoadVector<double>(lanes)) {}
  ~LanePair() { std::memcpy(lanes_, &sums_, sizeof(sums_)); }
  LanePair(const LanePair&) = delete;
  LanePair& operator=(const LanePair&) = delete;

  void Add(Floats x, Floats y) {
    sums_ += LowHalf(x) * LowHalf(y);
    sums_ += HighHalf(x) * HighHalf(y);
  }

 private:
  double* lanes_;
  Doubles sums_;
};

template <>
class LanePair<float> {
 public:
  explicit LanePair(float* lanes) : lanes_(lanes), sums_{lanes[0], lanes[1], 0, 0} {}
  ~LanePair() { std::memcpy(lanes_, &sums_, 2 * sizeof(float)); }
  LanePair(const LanePair&) = delete;
  LanePair& operator=(const LanePair&) = delete;

  void Add(Floats x, Floats y) {
    const Floats products = x * y;
    sums_ += products;
    sums_ += __builtin_shufflevector(products, products, 2, 3, 2, 3);
  }

 private:
  float* lanes_;
  Floats sums_;  // the first two
};

template <typename Format>
struct Stripe {
  using Bits = typename Format::Bits;
  static constexpr std::uint32_t kElements = kStripeBytes / sizeof(Bits);
  static constexpr std::uint32_t kVectors = ElementsPerLoad(sizeof(Bits)) / 2;  // per two loads
  using Sum = std::conditional_t<kHasRuns<Format>, float, double>;              // of a lane

  // Adds the squares to the lanes. The bytes of both sides that lie `ahead` are fetched meanwhile.
  static void AddSquares(const unsigned char* a, const unsigned char* b, std::uint64_t ahead,
                         Sum* lanes) {
    for (std::uint32_t lane = 0; lane < kLanes; lane += 2) {
      if (lane % 4 == 0) {
        __builtin_prefetch(a + ahead + 16 * lane);
        __builtin_prefetch(b + ahead + 16 * lane);
      }
      Floats x[kVectors];
      WidenLanes<Format>(a + 16 * lane, x);
      LanePair<Sum> sums(lanes + lane);
      for (const Floats& values : x) sums.Add(values, values);
    }
  }

  // Adds all products to the lanes, if every element is finite. Whether a difference is above
  // `max_abs`, or above `max_rel` relative to its reference.
  static bool AddProducts(const unsigned char* a, const unsigned char* b, float max_abs,
                          float max_rel, Lanes<Sum>* lanes) {
    const float below_rel = ExactFactor(max_rel);
    const double rel = static_cast<double>(max_rel);
    Vector<std::int32_t> above = {};
    Vector<std::int64_t> above_rel = {};
    for (std::uint32_t lane = 0; lane < kLanes; lane += 2) {
      Floats x[kVectors], y[kVectors];
      WidenLanes<Format>(a + 16 * lane, x);
      WidenLanes<Format>(b + 16 * lane, y);
      LanePair<Sum> dd(lanes->dd + lane), aa(lanes->aa + lane);
      LanePair<Sum> bb(lanes->bb + lane), ab(lanes->ab + lane);  // of a run ab is not used
      for (std::uint32_t i = 0; i < kVectors; ++i) {
        const Floats difference = Magnitude(x[i] - y[i]);
        const Floats magnitude = Larger(Magnitude(x[i]), kFloors);
        dd.Add(difference, difference);
        aa.Add(x[i], x[i]);
        bb.Add(y[i], y[i]);
        if constexpr (!kHasRuns<Format>) ab.Add(x[i], y[i]);
        above |= difference > max_abs;
        if constexpr (sizeof(Bits) == 4) {
          above_rel |= LowHalf(difference) > rel * LowHalf(magnitude);
          above_rel |= HighHalf(difference) > rel * HighHalf(magnitude);
        } else {
          above |= difference > below_rel * magnitude;
        }
      }
    }
    return Any(above) || Any(above_rel);
  }

  struct Distances {
    Bits ulp[kElements];
    Bits any_bits = 0;  // of all of them
    std::uint32_t different = 0;
    bool finite = true;  // every element on both sides; nothing else means anything if not
    bool above = false;  // some distance is above what was asked for
  };

  static Distances Measure(const unsigned char* a, const unsigned char* b, std::uint64_t max_ulp) {
    using Unsigned = Vector<Bits>;
    Distances result;
    Unsigned different = {}, special = {}, above = {}, bits = {};
    const auto most = static_cast<Bits>(max_ulp);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const Unsigned x = LoadVector<Bits>(a + 16 * i), y = LoadVector<Bits>(b + 16 * i);
      special |= IsSpecial(x) | IsSpecial(y);
      different -= BitCast<Unsigned>(x != y);
      const auto key_x = Keys(x), key_y = Keys(y);
      const auto swapped = BitCast<Unsigned>(key_x < key_y);
      const auto ahead = BitCast<Unsigned>(key_x) - BitCast<Unsigned>(key_y);
      const Unsigned ulp = (ahead ^ swapped) - swapped;
      above |= BitCast<Unsigned>(ulp > most);
      bits |= ulp;
      std::memcpy(result.ulp + i * (16 / sizeof(Bits)), &ulp, sizeof(ulp));
    }
    for (std::uint32_t i = 0; i < 16 / sizeof(Bits); ++i) {
      result.different += different[i];
      result.any_bits |= bits[i];
    }
    result.finite = !Any(special);
    result.above = Any(above);
    return result;
  }

  // How many distances are 2^bit or more.
  static std::uint32_t CountFrom(const Distances& distances, int bit) {
    Vector<Bits> count = {};
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      const auto ulp = LoadVector<Bits>(distances.ulp + i * (16 / sizeof(Bits)));
      count -= BitCast<Vector<Bits>>((ulp >> bit) != Bits{0});
    }
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < 16 / sizeof(Bits); ++i) sum += count[i];
    return sum;
  }

 private:
  static constexpr Floats kFloors = {kRelativeFloor, kRelativeFloor, kRelativeFloor,
                                     kRelativeFloor};

  // The largest number not above `factor` whose product with an element is exact in f32: with 24
  // bits of mantissa less the element's. Rarely less than `factor` where values are quantised.
  static float ExactFactor(float factor) {
    if constexpr (sizeof(Bits) == 4) return factor;
    if (factor < 0x1p-60f) return 0;  // products of smaller ones might be subnormal
    constexpr std::uint32_t kDropped = Format::kMantissaBits + 1;
    return BitCast<float>(BitCast<std::uint32_t>(factor) >> kDropped << kDropped);
  }

  using Signed = std::make_signed_t<Bits>;

  static Vector<Bits> IsSpecial(Vector<Bits> bits) {
    const auto magnitude = BitCast<Vector<Signed>>(bits & static_cast<Bits>(Format::kSign - 1));
    return BitCast<Vector<Bits>>(magnitude > static_cast<Signed>(Format::kLargestFinite));
  }
  // Format::Key of each, which fits.
  static Vector<Signed> Keys(Vector<Bits> bits) {
    const auto negative = BitCast<Vector<Signed>>(bits) >> (Format::kBits - 1);
    const auto magnitude = BitCast<Vector<Signed>>(bits & static_cast<Bits>(Format::kSign - 1));
    return (magnitude ^ negative) - negative;
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_STRIPE_H_
