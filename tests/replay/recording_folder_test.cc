#include "gtest_parity/replay/recording_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "gtest_parity/manifest/sha256.h"
#include "gtest_parity/replay/refused.h"
#include "tests/suite/driver/scratch_folder.h"

namespace parity {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class RecordingFolderTest : public ::testing::Test {
 protected:
  RecordingFolderTest() {
    Put(kIndexFile, "{}\n");
    Put(kEvidenceFile, "evidence");
    Put(PagesFile(0), std::string(100000, 'p'));
    folder_.Write(kSumsFile, SumsText(sums_));
  }
  void Put(const std::string& name, const std::string& text) {
    folder_.Write(name, text);
    sums_[name] = Sha256Of(text);
  }
  auto Opening() const {
    return [this] { RecordingFolder folder(folder_.path()); };
  }
  static auto Refusal(const std::string& words) {
    return ThrowsMessage<RecordingRefused>(HasSubstr(words));
  }

  testing::ScratchFolder folder_;
  Sums sums_;
};

TEST_F(RecordingFolderTest, InOrderIsRead) {
  const RecordingFolder folder(folder_.path());
  EXPECT_EQ(folder.sums(), sums_);
  EXPECT_EQ(folder.Read(kEvidenceFile), "evidence");
  EXPECT_EQ(folder.Size(PagesFile(0)), 100000u);
}

TEST_F(RecordingFolderTest, ContentHashLeavesTheLogOut) {
  Sums with_log = sums_;
  with_log[kLogFile] = Sha256Of("log");
  EXPECT_EQ(ContentHash(with_log), ContentHash(sums_));
  with_log[kEvidenceFile] = Sha256Of("other");
  EXPECT_NE(ContentHash(with_log), ContentHash(sums_));
}

TEST_F(RecordingFolderTest, ThatIsNoneIsRefused) {
  EXPECT_THAT([&] { RecordingFolder folder(folder_.Path("nothing")); },
              Refusal("nothing: no recording: No such file"));
  EXPECT_THAT([&] { RecordingFolder folder(folder_.Path(kIndexFile)); },
              Refusal("no recording: Not a directory"));
  fs::remove(folder_.Path(kSumsFile));
  EXPECT_THAT(Opening(), Refusal("no recording: it holds no SHA256SUMS"));
}

TEST_F(RecordingFolderTest, MissingFileIsNamed) {
  fs::remove(folder_.Path(kEvidenceFile));
  EXPECT_THAT(Opening(), Refusal("/evidence.json: is missing"));
}

TEST_F(RecordingFolderTest, ExtraFileIsNamed) {
  folder_.Write("notes.txt", "");
  EXPECT_THAT(Opening(), Refusal("/notes.txt: is not of the recording"));
}

TEST_F(RecordingFolderTest, SymbolicLinkIsRefusedWhereverItLeads) {
  for (const std::string to : {"/etc/passwd", "recording.json", "nowhere"}) {
    fs::remove(folder_.Path(kEvidenceFile));
    fs::create_symlink(to, folder_.Path(kEvidenceFile));
    EXPECT_THAT(Opening(), Refusal("/evidence.json: is a symbolic link, expected a plain file"));
  }
}

TEST_F(RecordingFolderTest, WhatIsNoPlainFileIsRefused) {
  fs::remove(folder_.Path(kEvidenceFile));
  fs::create_directory(folder_.Path(kEvidenceFile));
  EXPECT_THAT(Opening(), Refusal("/evidence.json: is not a plain file"));
  fs::remove(folder_.Path(kEvidenceFile));
  ASSERT_EQ(mkfifo(folder_.Path(kEvidenceFile).c_str(), 0600), 0);
  EXPECT_THAT(Opening(), Refusal("/evidence.json: is not a plain file"));
}

TEST_F(RecordingFolderTest, TruncatedOrChangedFileIsRefusedAsItIsRead) {
  for (const std::string& text : {std::string("evidenc"), std::string("evidencE"), std::string()}) {
    folder_.Write(kEvidenceFile, text);
    const RecordingFolder folder(folder_.path());
    EXPECT_THAT([&] { folder.Read(kEvidenceFile); },
                Refusal("/evidence.json: sha256 (damaged?): got " + Sha256Of(text) + ", expected " +
                        Sha256Of("evidence")));
  }
}

TEST_F(RecordingFolderTest, FileThatIsTooLargeToReadIsNotRead) {
  fs::resize_file(folder_.Path(kEvidenceFile), std::uint64_t{1} << 40);  // sparse
  const RecordingFolder folder(folder_.path());
  EXPECT_THAT([&] { folder.Read(kEvidenceFile); }, Refusal("got 1099511627776 bytes"));
}

TEST(Sums, AreOnlyReadAsTheyAreWritten) {
  const Sums sums = {{kIndexFile, std::string(64, '0')}, {PagesFile(12), std::string(64, 'f')}};
  const std::string text = SumsText(sums);
  EXPECT_EQ(ParseSums(text), sums);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = text;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      try {
        EXPECT_NE(ParseSums(flipped), sums) << at << " " << bit;
      } catch (const RecordingRefused&) {
      }
    }
  }
}

TEST(Sums, NameNoFileElsewhere) {
  const std::string hash(64, '0');
  for (const std::string name :
       {"../recording.json", "/etc/passwd", "a/b", "rank.safetensors", "rank-1.safetensors",
        "rank0.safetensors/x", "rank99999999999999999999.safetensors", "SHA256SUMS", ".", "",
        "recording.json\n"}) {
    EXPECT_THROW(ParseSums(hash + "  " + name + "\n"), RecordingRefused) << name;
  }
  EXPECT_THROW(ParseSums(hash + "  evidence.json"), RecordingRefused);
  EXPECT_THROW(ParseSums("recording.json"), RecordingRefused);
}

}  // namespace
}  // namespace parity
