#include "suites/kv/formats/record_format.h"

#include <filesystem>

#include "gtest_parity/manifest/diagnostics.h"
#include "suites/kv/formats/file_bytes.h"
#include "suites/kv/formats/kvc_format.h"
#include "suites/kv/formats/llama_state.h"
#include "suites/kv/formats/yaml_format.h"

namespace parity::kv {

std::vector<std::string> RecordFormatNames() {
  return {"kvc", std::string(kKvcUpstream.name), std::string(kKvcAbi2.name), "llama_state"};
}

std::unique_ptr<RecordFormat> MakeRecordFormat(const std::string& name_or_path) {
  if (name_or_path == "kvc") return std::make_unique<KvcFormat>();
  for (const KvcGeneration& generation : {kKvcUpstream, kKvcAbi2}) {
    if (name_or_path == generation.name) return std::make_unique<KvcFormat>(generation);
  }
  if (name_or_path == "llama_state") return std::make_unique<LlamaStateFormat>();
  const bool path = name_or_path.find('/') != std::string::npos ||
                    name_or_path.ends_with(".yaml") || name_or_path.ends_with(".yml");
  if (path) return std::make_unique<YamlFormat>(ReadRecordDescription(name_or_path));
  throw InvalidInput(
      {{"record format",
        {},
        "unknown name",
        Quoted(name_or_path),
        ExpectedName(name_or_path, RecordFormatNames()) + ", or the path of a YAML description"}});
}

RecordFile ReadRecordFile(const RecordFormat& format, const std::string& path) {
  RecordFile file;
  std::string why;
  const std::string name = std::filesystem::path(path).filename().string();
  file.bytes = FileBytes::Open(path, &why);
  if (file.bytes) {
    file.record = format.Decode(file.bytes.get(), name);
  } else {
    file.record.format = format.name();
    file.record.file_name = name;
    file.record.Add(ProblemKind::kUnreadable, "file", why);
  }
  return file;
}

}  // namespace parity::kv
