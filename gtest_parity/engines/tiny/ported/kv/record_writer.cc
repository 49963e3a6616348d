#include "gtest_parity/engines/tiny/ported/kv/record_writer.h"

#include <fstream>
#include <system_error>

#include "gtest_parity/engines/tiny/ported/kv/temporary.h"

namespace parity::tiny::ported {
namespace {

namespace fs = std::filesystem;

void PutHeader(std::ostream& out, const RecordHeader& header) {
  out.seekp(0);
  out.write(header.Bytes().data(), kMutableBytes);
}

}  // namespace

bool WriteRecord(const fs::path& path, const RecordHeader& header, const KvSnapshot& snapshot,
                 const SessionPayload& payload, const std::string& tail) {
  Temporary temporary(path);
  if (!temporary.made()) return false;
  std::ofstream out(temporary.path(), std::ios::binary | std::ios::trunc);
  out << header.Bytes() << snapshot.text;
  payload.Write(snapshot, out);
  out << tail;
  out.close();
  if (!out) return false;
  std::error_code error;
  const bool complete =
      fs::file_size(temporary.path(), error) == header.TrailerAt() + tail.size() && !error;
  return complete && temporary.Become(path);
}

bool RewriteHeader(const fs::path& path, const RecordHeader& header) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  PutHeader(file, header);
  file.close();
  return static_cast<bool>(file);
}

bool ReplaceTail(const fs::path& path, const RecordHeader& header, const std::string& tail) {
  std::error_code error;
  fs::resize_file(path, header.TrailerAt(), error);
  if (error) return false;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(0, std::ios::end);
  file << tail;
  PutHeader(file, header);
  file.close();
  return static_cast<bool>(file);
}

}  // namespace parity::tiny::ported
