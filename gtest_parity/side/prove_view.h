// Whether a view may be believed.
#ifndef GTEST_PARITY_SIDE_PROVE_VIEW_H_
#define GTEST_PARITY_SIDE_PROVE_VIEW_H_

#include <string>

#include "gtest_parity/device/device.h"
#include "gtest_parity/engine/rank.h"
#include "gtest_parity/side/watched_tensor.h"

namespace parity {

// On what the tensor holds, on a pattern that tells places apart and on both poisons: export writes
// all that it should and nothing else, repeats, and leaves the tensor alone; import after export
// gives every byte back; export after import gives what was imported; what the other views of the
// tensor show is not moved. Returns what does not hold, with coordinates; empty if all does. The
// tensor is left as it was. An error of the engine is such words too.
std::string ProveView(Rank& rank, Device& device, const WatchedTensor& tensor, const View& view,
                      const Vars& step);

}  // namespace parity

#endif  // GTEST_PARITY_SIDE_PROVE_VIEW_H_
