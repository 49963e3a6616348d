// Bodies that are coded as the head's Content-Encoding says.
#ifndef GTEST_PARITY_SUITES_WIRE_HTTP_CONTENT_CODING_H_
#define GTEST_PARITY_SUITES_WIRE_HTTP_CONTENT_CODING_H_

#include <string>

#include "suites/wire/http/response.h"

namespace parity::wire {

// Takes the coding off the body of `response`: gzip and deflate; `identity` is none. Its pieces are
// then those of the body without it. Where that cannot be done the body is what came out until
// there, and `coding_error` says why.
void TakeCodingOff(Response* response);

}  // namespace parity::wire

#endif  // GTEST_PARITY_SUITES_WIRE_HTTP_CONTENT_CODING_H_
