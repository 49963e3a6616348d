#include "gtest_parity/engines/tiny/ported/kv/record_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <system_error>

namespace parity::tiny::ported {
namespace {

namespace fs = std::filesystem;

// A new file that goes again unless it is kept.
class Temporary {
 public:
  explicit Temporary(const fs::path& target) {
    static std::atomic<unsigned> sequence{0};
    path_ = target.string() + ".tmp." + std::to_string(getpid()) + "." + std::to_string(++sequence);
    const int made = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
    made_ = made >= 0;
    if (made_) close(made);
  }
  ~Temporary() {
    std::error_code ignored;
    if (made_) fs::remove(path_, ignored);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  bool made() const { return made_; }
  const fs::path& path() const { return path_; }
  bool Become(const fs::path& target) {
    std::error_code error;
    fs::rename(path_, target, error);
    made_ = static_cast<bool>(error);
    return !error;
  }

 private:
  fs::path path_;
  bool made_ = false;
};

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
