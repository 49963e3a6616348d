#include "gtest_parity/manifest/one_document.h"

#include <yaml-cpp/eventhandler.h>

#include <cstdint>
#include <sstream>
#include <vector>

#include "gtest_parity/manifest/diagnostics.h"

namespace parity {
namespace {

Position PositionOf(const YAML::Mark& mark) {
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

// Where each document begins; nothing is built of what is in them.
class Beginnings : public YAML::EventHandler {
 public:
  const std::vector<YAML::Mark>& marks() const { return marks_; }

  void OnDocumentStart(const YAML::Mark& mark) override { marks_.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  std::vector<YAML::Mark> marks_;
};

}  // namespace

YAML::Node LoadOneDocument(const std::string& name, const std::string& text) {
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    Beginnings beginnings;
    while (beginnings.marks().size() < 2 && parser.HandleNextDocument(beginnings)) {
    }
    if (beginnings.marks().size() < 2) return YAML::Load(text);
    throw InvalidInput(
        {{name, PositionOf(beginnings.marks()[1]), "the file", "several YAML documents", "one"}});
  } catch (const YAML::Exception& error) {
    throw InvalidInput({{name, PositionOf(error.mark), "not YAML: " + error.msg, "", ""}});
  }
}

}  // namespace parity
