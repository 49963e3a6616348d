#include "suites/kv/formats/sha1.h"

namespace parity::kv {

std::string Sha1Of(std::string_view bytes) {
  Sha1 hash;
  hash.Update(bytes.data(), bytes.size());
  return hash.Hex();
}

}  // namespace parity::kv
