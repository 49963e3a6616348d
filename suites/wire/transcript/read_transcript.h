// Reads what write_transcript.h writes.
#ifndef GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_READ_TRANSCRIPT_H_
#define GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_READ_TRANSCRIPT_H_

#include <string>

#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// Throws InvalidInput with every error and its line: no JSON, unknown or missing keys, another
// version, times that fall, an exchange that does not end or has a name twice, or one that names an
// exchange which is not there.
Transcript ReadTranscript(const std::string& path);

// A text that stands for a file called `name`.
Transcript ReadTranscriptText(const std::string& name, const std::string& text);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_READ_TRANSCRIPT_H_
