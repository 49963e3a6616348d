// Ways to damage an exchange of a good transcript.
#ifndef GTEST_PARITY_TESTS_WIRE_RULES_MUTATION_H_
#define GTEST_PARITY_TESTS_WIRE_RULES_MUTATION_H_

#include <functional>
#include <string>

#include "suites/wire/transcript/exchange.h"

namespace parity::wire::testing {

using Edit = std::function<void(Exchange&)>;

// What is not found is thrown as std::runtime_error: a mutation that changes nothing tests nothing.
// Each works on what was received, one event a piece.
Edit Replace(const std::string& find, const std::string& with);      // its first occurrence
Edit ReplaceLast(const std::string& find, const std::string& with);  // its last one
Edit ReplaceAll(const std::string& find, const std::string& with);
Edit Drop(const std::string& containing);  // the piece with that text
Edit DropLast(const std::string& containing);
Edit Repeat(const std::string& containing);  // the piece, twice
Edit SwapWithNext(const std::string& containing);
Edit Append(const std::string& text);
Edit DropKind(EventKind kind);  // of events
Edit AddEvent(EventKind kind);
Edit Then(const Edit& first, const Edit& second);

// Makes every Content-Length what it should be.
void MendLengths(Exchange& exchange);

}  // namespace parity::wire::testing

#endif  // GTEST_PARITY_TESTS_WIRE_RULES_MUTATION_H_
