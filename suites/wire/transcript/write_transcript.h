// Transcripts as JSON lines, one for each event, so that a person can read and mend them.
#ifndef GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_WRITE_TRANSCRIPT_H_
#define GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_WRITE_TRANSCRIPT_H_

#include <string>

#include "suites/wire/transcript/exchange.h"

namespace parity::wire {

// The first line of a file, and the lines of one exchange; each ends in a newline. A file is a head
// and as many exchanges as came to their end: one that a crash cut short is told by the reader.
std::string HeadLine(const std::string& side, const std::string& server);
std::string LinesOf(const Exchange& exchange);

std::string TextOf(const Transcript& transcript);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_TRANSCRIPT_WRITE_TRANSCRIPT_H_
