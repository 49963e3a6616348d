// Ops that libraries carry out.
#include "gtest_parity/engines/tiny/cuda/cuda_backend.h"
#include "gtest_parity/engines/tiny/cuda/paged/ops.h"

namespace parity::tiny::cuda::paged {

parity_status Linear(const OpArgs& args) {
  On(args).Multiply(args.reads[0], args.reads[1], args.writes[0]);
  return PARITY_OK;
}

parity_status AllReduce(const OpArgs& args) {
  On(args).AllReduce(args.updates[0].As<float>(), args.updates[0].Elements());
  return PARITY_OK;
}

}  // namespace parity::tiny::cuda::paged
