#include "gtest_parity/session/recorded_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/replay/refused.h"
#include "tests/manifest/files.h"

namespace parity {
namespace {

using ::testing::HasSubstr;

// The tracked golden, as if it were of a library that is here and loads another one.
class RecordedReferenceTest : public ::testing::Test {
 protected:
  RecordedReferenceTest()
      : recorded_(OpenRecordedReference(PARITY_SOURCE_DIR "/manifests/tiny/golden", true)) {
    manifest_.reference.library = folder_.Write("libengine.so", "engine");
    folder_.Write("libengine.so.impl.json", R"({"files": ["libmath.so"], "ops": {"add": "1"}})");
    folder_.Write("libmath.so", "as it was");
    recorded_.index.library = HashLibrary(manifest_.reference.library);
  }

  TempFolder folder_;
  Manifest manifest_;
  RecordedReference recorded_;
};

TEST_F(RecordedReferenceTest, AGoldenTellsWhetherTheLibraryIsTheSame) {
  ASSERT_EQ(recorded_.refusal, "");
  EXPECT_THAT(recorded_.GoldenText(manifest_), HasSubstr("that the manifest names is the same"));
  folder_.Write("libengine.so", "rebuilt");
  EXPECT_THAT(recorded_.GoldenText(manifest_), HasSubstr("is another now (9ae832844d70)"));
}

TEST_F(RecordedReferenceTest, AGoldenTellsWhatTheLibraryLoadsOtherwise) {
  folder_.Write("libmath.so", "updated");
  EXPECT_THAT(recorded_.GoldenText(manifest_),
              HasSubstr("is another now (other bytes of libmath.so)"));
}

TEST_F(RecordedReferenceTest, ARecordingIsRefusedByTheNamesOfWhatDiffers) {
  recorded_.golden = false;
  EXPECT_NO_THROW(ExpectSameLibrary(recorded_, manifest_));
  folder_.Write("libmath.so", "updated");
  folder_.Write("libengine.so.impl.json", R"({"files": ["libmath.so"], "ops": {"mul": "1"}})");
  try {
    ExpectSameLibrary(recorded_, manifest_);
    FAIL() << "expected a refusal";
  } catch (const RecordingRefused& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("is of another engine library: other bytes of add, "
                                          "libmath.so, mul (" +
                                          folder_.Path("libengine.so")));
  }
}

}  // namespace
}  // namespace parity
