// A build without cpp-httplib.
#include "gtest_parity/server/http_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtest_parity/server/server_process.h"

namespace parity {
namespace {

TEST(WithoutHttp, WhatIsMissingIsNamed) {
  try {
    HttpClient(1, 1);
    FAIL() << "there is a client";
  } catch (const SetupError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("libcpp-httplib-dev"));
  }
}

TEST(WithoutHttp, NothingIsStarted) {
  ServerSpec spec;
  spec.server.command = {"/bin/sh", "-c", "true"};
  EXPECT_THROW(ServerProcess(spec, {PARITY_HOST, {}, "", 1}), SetupError);
}

}  // namespace
}  // namespace parity
