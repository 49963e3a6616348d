// A build without cpp-httplib.
#include "gtest_parity/server/http_client.h"

#include "gtest_parity/side/side.h"

namespace parity {
namespace {

[[noreturn]] void Missing() {
  throw SetupError(
      "this build reaches no server: cpp-httplib was not found when it was configured (Debian: "
      "libcpp-httplib-dev, pkg-config)");
}

}  // namespace

HttpClient::HttpClient(int port, double seconds) : port_(port), seconds_(seconds) { Missing(); }
HttpReply HttpClient::Get(const std::string&) const { Missing(); }
HttpReply HttpClient::Post(const std::string&, const std::string&, const std::string&) const {
  Missing();
}
HttpReply HttpClient::PostStreamed(const std::string&, const std::string&, const Take&) const {
  Missing();
}

}  // namespace parity
