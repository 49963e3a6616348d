#include "gtest_parity/engines/tiny/ported/kv/state_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "gtest_parity/engines/tiny/ported/kv/refusal.h"
#include "gtest_parity/engines/tiny/ported/kv/session_payload.h"
#include "gtest_parity/engines/tiny/ported/kv/temporary.h"

namespace parity::tiny::ported {
namespace {

namespace fs = std::filesystem;

void Read(const fs::path& path, const KvShape& shape, KvSnapshot& out) {
  std::error_code error;
  Expect(fs::is_regular_file(path, error), "no_record");
  const std::uint64_t size = fs::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  Expect(!error && in.is_open(), "no_record");
  SessionPayload(shape).Read(in, size, false, out);
}

}  // namespace

std::string SaveState(const std::string& path, const KvShape& shape, const KvSnapshot& snapshot) {
  Temporary temporary(path);
  if (!temporary.made()) return "write_failed";
  std::ofstream out(temporary.path(), std::ios::binary | std::ios::trunc);
  SessionPayload(shape).Write(snapshot, out);
  out.close();
  return out && temporary.Become(path) ? "" : "write_failed";
}

std::string LoadState(const std::string& path, const KvShape& shape, KvSnapshot& out) try {
  Read(path, shape, out);
  return {};
} catch (const Refusal& refusal) {
  out = {};
  return std::string(refusal.id());
}

}  // namespace parity::tiny::ported
