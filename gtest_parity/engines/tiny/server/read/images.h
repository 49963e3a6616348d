// Images that come within a request.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_READ_IMAGES_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_READ_IMAGES_H_

#include <string>

#include "gtest_parity/engines/tiny/server/intent.h"

namespace parity::tiny_server {

inline constexpr std::size_t kMaxImages = 4;
inline constexpr std::size_t kMaxImageBytes = 10u << 20, kMaxAllImageBytes = 20u << 20;

// Each adds one to `intent.images`, and throws WireError (400) where it is not in a user's turn, is
// no strict base64, is not what its media type says (PNG and JPEG are known), or is too much.
void AddImageUrl(const Json& url, const std::string& role, const std::string& where,
                 Intent& intent);  // "data:image/png;base64,..."
void AddImageSource(const Json& source, const std::string& role, const std::string& where,
                    Intent& intent);  // {type: "base64", media_type, data}

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_READ_IMAGES_H_
