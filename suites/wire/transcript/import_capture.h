// Streams that were captured from a server at work, by any tool that keeps raw bytes.
#ifndef GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_IMPORT_CAPTURE_H_
#define GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_IMPORT_CAPTURE_H_

#include <string>

#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// `path` ends in .http, bytes from the status line on, or in .sse, the body of a stream alone. The
// exchange is named after the file, has no times, and the server closes at its end. Throws
// InvalidInput where it cannot be read, is empty, or is neither.
Exchange ImportCapture(const std::string& path, const Request& request);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_IMPORT_CAPTURE_H_
