// The ways in which a client can ask, and the lanes in which it is served.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_SURFACE_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_SURFACE_H_

#include <nlohmann/json.hpp>

namespace parity::tiny_server {

using Json = nlohmann::ordered_json;

enum class Surface { kChat, kCompletions, kMessages, kResponses };
inline constexpr Surface kSurfaces[] = {Surface::kChat, Surface::kCompletions, Surface::kMessages,
                                        Surface::kResponses};
inline constexpr const char* kSurfaceNames[] = {"chat", "completions", "messages", "responses"};
inline const char* NameOf(Surface surface) { return kSurfaceNames[static_cast<int>(surface)]; }

enum class ServedLane { kSerial, kContinuous, kStatic };
inline constexpr ServedLane kLanes[] = {ServedLane::kSerial, ServedLane::kContinuous,
                                        ServedLane::kStatic};
inline constexpr const char* kLaneNames[] = {"serial", "continuous", "static"};
inline const char* NameOf(ServedLane lane) { return kLaneNames[static_cast<int>(lane)]; }

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_SURFACE_H_
