// Bodies of requests, read and checked. Unknown fields are ignored, as clients have many.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_READ_READERS_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_READ_READERS_H_

#include <string>

#include "gtest_parity/engines/tiny/server/intent.h"

namespace parity::tiny_server {

// All throw WireError (400), which names the client's own field.
Intent ReadIntent(Surface surface, const std::string& body);

void ReadChat(const Json& body, Intent& intent);
void ReadCompletions(const Json& body, Intent& intent);
void ReadMessages(const Json& body, Intent& intent);
void ReadResponses(const Json& body, Intent& intent);

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_READ_READERS_H_
