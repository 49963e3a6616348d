// httplib's server for clients that end their own side first.
#ifndef GTEST_PARITY_ENGINES_TINY_SERVER_HALF_OPEN_SERVER_H_
#define GTEST_PARITY_ENGINES_TINY_SERVER_HALF_OPEN_SERVER_H_

#include <httplib.h>

namespace parity::tiny_server {

// One request to a connection. A client that has shut down its side for writing still gets its
// answer; httplib itself would take it for gone.
class HalfOpenServer : public httplib::Server {
 private:
  bool process_and_close_socket(socket_t socket) override;
};

}  // namespace parity::tiny_server

#endif  // GTEST_PARITY_ENGINES_TINY_SERVER_HALF_OPEN_SERVER_H_
