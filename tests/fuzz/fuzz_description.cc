// An engine description: any text is either refused with InvalidInput or can be planned and listed.
#include <cstddef>
#include <cstdint>
#include <string>

#include "gtest_parity/manifest/describe_plan.h"
#include "gtest_parity/manifest/diagnostics.h"
#include "gtest_parity/manifest/implementation.h"
#include "gtest_parity/manifest/make_plan.h"
#include "gtest_parity/manifest/read_description.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    parity::Plan plan;
    plan.manifest.ranks.count = 2;
    plan.reference = parity::ReadDescription(parity::JsonSource("fuzz.json", text), 2);
    plan.candidate = plan.reference;
    parity::PlanSpans(parity::Implementation({}, "reference"),
                      parity::Implementation({}, "candidate"), &plan);
    parity::DescribePlan(plan);
  } catch (const parity::InvalidInput&) {
  }
  return 0;
}
