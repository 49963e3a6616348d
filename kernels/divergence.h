// The Kullback-Leibler divergence of two rows of logits, in a form in which nothing cancels, so
// that a tiny one keeps its digits and that of equal rows is exactly 0. Usable from device code;
// exp and log1p differ there in their last bits, so divergences agree to a tolerance and not bit
// for bit.
//
// A row's logits are taken relative to its peak (largest logit), which makes them log-weights <= 0.
// With weights w = e^lp of p and e^lq of q, d = lq - lp, and over the columns where both are > 0
//   S = sum w,  D = sum w d,  F = sum w (e^d - 1 - d),
// and with X = sum e^lq where only q is > 0, the normalisers are Zp = S and Zq = S + D + F + X, and
//   KL(p||q) = log(Zq / Zp) - E_p[d] = log1p((D + F + X) / S) - D / S.
// Where p is > 0 and q is 0 it is infinite.
#ifndef GTEST_PARITY_KERNELS_DIVERGENCE_H_
#define GTEST_PARITY_KERNELS_DIVERGENCE_H_

#include <cmath>

#include "kernels/host_device.h"

namespace parity {

// Log of a column's unnormalised probability; -inf for none. In a row with +inf the columns that
// hold it share all probability equally.
PARITY_HOST_DEVICE inline double LogWeight(double logit, double peak) {
  if (logit == -HUGE_VAL) return logit;
  return logit == peak ? 0 : logit - peak;
}

// w (e^d - 1 - d), where wq = w e^d.
PARITY_HOST_DEVICE inline double ExcessTerm(double w, double wq, double d) {
  if (d > 0.25 || d < -0.25) return wq - w - w * d;
  double tail = 0;  // of d^2/2 (1 + d/3 (1 + d/4 (1 + ...)))
  for (int k = 13; k > 2; --k) tail = d / k * (1 + tail);
  return w * (d * d / 2 * (1 + tail));
}

struct Divergence {
  double shared = 0;  // S
  double drift = 0;   // D
  double excess = 0;  // F
  double extra = 0;   // X
  bool infinite = false;

  // One column's log-weights in p and q, and their exponentials. A weight that underflows is 0, and
  // 0 log 0 = 0: p masked with a huge negative number diverges by 0 from q masked with -inf.
  PARITY_HOST_DEVICE void Add(double lp, double lq, double wp, double wq) {
    if (wp == 0) {
      extra += wq;
    } else if (lq == -HUGE_VAL) {
      infinite = true;
    } else {
      const double d = lq - lp;
      shared += wp;
      drift += wp * d;
      excess += ExcessTerm(wp, wq, d);
    }
  }

  // In nats. 0 where neither row has a column left; infinite where only one has.
  PARITY_HOST_DEVICE double Value() const {
    if (infinite) return HUGE_VAL;
    if (shared == 0) return extra == 0 ? 0 : HUGE_VAL;
    const double value = std::log1p((drift + excess + extra) / shared) - drift / shared;
    return value > 0 ? value : 0;
  }
};

}  // namespace parity

#endif  // GTEST_PARITY_KERNELS_DIVERGENCE_H_
