// An engine plugin's side as a phase of a lane starts it.
#ifndef GTEST_PARITY_SUITES_KV_PLUGIN_SIDE_H_
#define GTEST_PARITY_SUITES_KV_PLUGIN_SIDE_H_

#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/side/side.h"
#include "suites/kv/server.h"

namespace parity::kv {

// Of the folder the engine is told nothing. Throws InvalidInput for a description that cannot be
// read, or not with so many ranks.
SideOptions PluginSideOf(const Manifest& manifest, const ServerStart& start);

}  // namespace parity::kv

#endif  // GTEST_PARITY_SUITES_KV_PLUGIN_SIDE_H_
