#include "suites/wire/probes/on_surfaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suites/wire/probes/read_probes.h"

namespace parity::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kProbes[] = R"(
lanes: [{name: serial}]
metrics: {active: running}
probes:
- {name: plain, ask: {prompt: Hi}, alike: [chat, messages, responses]}
- {name: whole, surfaces: [messages], ask: {prompt: Hi}}
- {name: again, surfaces: [chat, messages], ask: {prompt: Hi}, same_as: plain}
- {name: scrape, surfaces: [metrics], path: /metrics}
)";

Probes On(const std::vector<Surface>& kept, const std::string& text = kProbes) {
  return OnSurfaces(ReadProbesText("p.yaml", text), kept);
}

std::string ErrorOf(const std::vector<Surface>& kept, const std::string& text) {
  try {
    On(kept, text);
    return "no error";
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

TEST(OnSurfaces, AsksThoseAlone) {
  const Probes probes = On({Surface::kChat, Surface::kCompletions});
  ASSERT_EQ(probes.probes.size(), 2u);
  EXPECT_THAT(probes.probes[0].surfaces, ElementsAre(Surface::kChat, Surface::kCompletions));
  EXPECT_THAT(probes.probes[0].alike, IsEmpty());
  EXPECT_THAT(probes.probes[1].surfaces, ElementsAre(Surface::kChat));
  for (const SideWords& words : probes.words) EXPECT_THAT(words.metrics.active, IsEmpty());
}

TEST(OnSurfaces, LeavesWhatStaysAsItWas) {
  const Probes probes = On({Surface::kChat, Surface::kMessages, Surface::kMetrics});
  ASSERT_EQ(probes.probes.size(), 4u);
  EXPECT_THAT(probes.probes[0].alike, ElementsAre(Surface::kChat, Surface::kMessages));
  for (const SideWords& words : probes.words) EXPECT_EQ(words.metrics.active, "running");
}

TEST(OnSurfaces, RefusesToAskNothing) {
  EXPECT_THAT(ErrorOf({Surface::kModels}, kProbes), HasSubstr("no probe is left"));
}

TEST(OnSurfaces, RefusesAProbeWithoutTheOneItRefersTo) {
  EXPECT_THAT(ErrorOf({Surface::kChat}, R"(
lanes: [{name: serial}]
probes:
- {name: plain, surfaces: [messages], ask: {prompt: Hi}}
- {name: again, ask: {prompt: Hi}, same_as: plain}
)"),
              HasSubstr("probe again without plain"));
}

}  // namespace
}  // namespace parity::wire
