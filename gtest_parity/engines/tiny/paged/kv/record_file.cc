#include "gtest_parity/engines/tiny/paged/kv/record_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "gtest_parity/engines/tiny/paged/kv/payload.h"

namespace parity::tiny::paged {
namespace {

std::uint64_t BehindPayload(const KvcHeader* header) {
  return kKvcFixed + header->text_bytes + header->payload_bytes;
}

bool WriteImage(std::FILE* file, const KvcImage* image) {
  unsigned char raw[kKvcFixed];
  KvcEncode(&image->header, raw);
  const std::string& text = image->snapshot->text;
  return std::fwrite(raw, 1, kKvcFixed, file) == kKvcFixed &&
         std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
         KvcWritePayload(file, image->shape, image->snapshot) &&
         std::fwrite(image->tail.data(), 1, image->tail.size(), file) == image->tail.size();
}

bool Rewrite(std::FILE* file, const KvcHeader* header) {
  unsigned char raw[kKvcFixed];
  KvcEncode(header, raw);
  return fseeko(file, 0, SEEK_SET) == 0 &&
         std::fwrite(raw, 1, kKvcRewritten, file) == kKvcRewritten;
}

}  // namespace

std::uint64_t KvcImageBytes(const KvcImage* image) {
  return kKvcFixed + image->header.text_bytes + image->header.payload_bytes + image->tail.size();
}

bool KvcWriteFile(const char* path, const KvcImage* image) {
  char temporary[4096];
  std::snprintf(temporary, sizeof(temporary), "%s.tmp.%ld", path, static_cast<long>(getpid()));
  std::FILE* file = std::fopen(temporary, "wb");
  if (file == nullptr) return false;
  bool good = WriteImage(file, image);
  good = std::fclose(file) == 0 && good;
  struct stat status;
  good = good && stat(temporary, &status) == 0 &&
         static_cast<std::uint64_t>(status.st_size) == KvcImageBytes(image);
  good = good && std::rename(temporary, path) == 0;
  if (!good) unlink(temporary);
  return good;
}

bool KvcOpen(const char* path, const char* mode, KvcOpened* out, KvcError* error) {
  struct stat status;
  // A pipe would be waited for.
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::FILE* file = std::fopen(path, mode);
  if (file == nullptr) return false;
  if (fstat(fileno(file), &status) != 0) {
    std::fclose(file);
    return false;
  }
  out->file_bytes = static_cast<std::uint64_t>(status.st_size);
  unsigned char raw[kKvcFixed];
  *error = std::fread(raw, 1, kKvcFixed, file) == kKvcFixed ? KvcDecode(raw, &out->header)
                                                            : kKvcInvalidHeader;
  out->file = file;
  return true;
}

bool KvcIsWhole(const KvcOpened* opened) {
  return opened->file_bytes >= BehindPayload(&opened->header);
}

std::uint64_t KvcTrailerBytes(const KvcOpened* opened) {
  const std::uint64_t rest = opened->file_bytes - BehindPayload(&opened->header);
  const std::uint64_t footer = (opened->header.ext & kExtIdentity) != 0 ? kKvcFooter : 0;
  return rest < footer ? 0 : rest - footer;
}

bool KvcSeekTrailer(const KvcOpened* opened) {
  return fseeko(opened->file, static_cast<off_t>(BehindPayload(&opened->header)), SEEK_SET) == 0;
}

KvcError KvcReadText(const KvcOpened* opened, std::string* out) {
  out->resize(opened->header.text_bytes);
  if (fseeko(opened->file, kKvcFixed, SEEK_SET) != 0) return kKvcTruncatedText;
  return std::fread(out->data(), 1, out->size(), opened->file) == out->size() ? kKvcOk
                                                                              : kKvcTruncatedText;
}

KvcError KvcCheckFooter(const KvcOpened* opened, const unsigned char identity[32]) {
  unsigned char raw[kKvcFooter];
  if (opened->file_bytes - BehindPayload(&opened->header) < kKvcFooter) {
    return kKvcIdentityMismatch;
  }
  if (fseeko(opened->file, -static_cast<off_t>(kKvcFooter), SEEK_END) != 0 ||
      std::fread(raw, 1, kKvcFooter, opened->file) != kKvcFooter) {
    return kKvcIdentityMismatch;
  }
  const std::string expected = KvcFooter(identity);
  return std::memcmp(raw, expected.data(), kKvcFooter) == 0 ? kKvcOk : kKvcIdentityMismatch;
}

std::string KvcFooter(const unsigned char identity[32]) {
  std::string footer("KVI\x01", 4);
  footer.append(reinterpret_cast<const char*>(identity), 32);
  return footer + "KVI!";
}

bool KvcTouch(const char* path, const KvcHeader* header) {
  std::FILE* file = std::fopen(path, "r+b");
  if (file == nullptr) return false;
  const bool good = Rewrite(file, header);
  return std::fclose(file) == 0 && good;
}

bool KvcReplaceTail(const char* path, const KvcHeader* header, const std::string& tail) {
  if (truncate(path, static_cast<off_t>(BehindPayload(header))) != 0) return false;
  std::FILE* file = std::fopen(path, "r+b");
  if (file == nullptr) return false;
  bool good = fseeko(file, 0, SEEK_END) == 0 &&
              std::fwrite(tail.data(), 1, tail.size(), file) == tail.size();
  good = good && Rewrite(file, header);
  return std::fclose(file) == 0 && good;
}

}  // namespace parity::tiny::paged
