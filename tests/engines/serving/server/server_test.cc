// parity_tiny_server as a client meets it.
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "tests/engines/serving/serving_driver.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;

// The server as a child process, from its first line on.
class RunningServer {
 public:
  explicit RunningServer(const json& config) {
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0) throw std::runtime_error("pipe failed");
    child_ = fork();
    if (child_ == 0) {
      dup2(pipe_ends[1], STDOUT_FILENO);
      execl(PARITY_TINY_SERVER, PARITY_TINY_SERVER, "--plugin", kPorted.path, "--engine",
            kPorted.engine, "--config", config.dump().c_str(), "--port", "0", nullptr);
      _exit(127);
    }
    close(pipe_ends[1]);
    std::FILE* out = fdopen(pipe_ends[0], "r");
    if (std::fscanf(out, "listening on 127.0.0.1:%d", &port_) != 1) {
      throw std::runtime_error("the server did not say where it listens");
    }
    std::fclose(out);
  }
  ~RunningServer() {
    if (child_ > 0) Stop();
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  int port() const { return port_; }
  int Stop() {
    kill(child_, SIGTERM);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return status;
  }

 private:
  pid_t child_ = -1;
  int port_ = 0;
};

json Post(int port, const char* path, const json& body, int status = 200) {
  httplib::Client client("127.0.0.1", port);
  client.set_read_timeout(60);
  const auto answer = client.Post(path, body.dump(), "application/json");
  if (!answer) throw std::runtime_error("no answer from " + std::string(path));
  EXPECT_EQ(answer->status, status) << answer->body;
  return json::parse(answer->body);
}

class TinyServer : public testing::Test {
 protected:
  json Config() { return {{"model", ModelDirectory()}, {"kv", {{"folder", folder_.path()}}}}; }
  Folder folder_;
};

TEST_F(TinyServer, AnswersAsOpenAisDoes) {
  const RunningServer server(Config());
  const json text = Post(server.port(), "/v1/completions", {{"prompt", kPsalm}, {"max_tokens", 4}});
  EXPECT_EQ(text["object"], "text_completion");
  const json direct = Answers({kPorted}, {Complete({{"prompt", kPsalm}, {"max_tokens", 4}})})[0];
  EXPECT_EQ(text["choices"][0]["text"], direct["text"]);
  EXPECT_EQ(text["usage"]["prompt_tokens"], direct["usage"]["prompt"]);
  EXPECT_EQ(text["usage"]["prompt_tokens_details"]["cached_tokens"], 0);
  EXPECT_EQ(text["parity"]["ids"], direct["ids"]);
  const json chat = Post(server.port(), "/v1/chat/completions",
                         {{"messages", {{{"role", "user"}, {"content", kPsalm}}}},
                          {"max_tokens", 6},
                          {"tools", {{{"type", "function"}}}},
                          {"parity", {{"ignore_end", true}, {"lane", "continuous"}}}});
  EXPECT_EQ(chat["choices"][0]["finish_reason"], "tool_calls");
  EXPECT_EQ(chat["parity"]["route"]["lane"], "continuous");
  const json call = chat["choices"][0]["message"]["tool_calls"][0];
  const json second = Post(server.port(), "/v1/chat/completions",
                           {{"messages",
                             {{{"role", "user"}, {"content", kPsalm}},
                              {{"role", "assistant"}, {"content", nullptr}, {"tool_calls", {call}}},
                              {{"role", "user"}, {"content", "So?"}}}},
                            {"max_tokens", 1},
                            {"parity", {{"lane", "continuous"}}}});
  EXPECT_EQ(second["usage"]["prompt_tokens_details"]["cached_tokens"],
            chat["usage"]["total_tokens"]);
}

TEST_F(TinyServer, TellsOfItselfAndOfErrors) {
  const RunningServer server(Config());
  httplib::Client client("127.0.0.1", server.port());
  EXPECT_EQ(json::parse(client.Get("/v1/models")->body)["data"][0]["id"], "ported");
  EXPECT_EQ(client.Get("/health")->status, 200);
  EXPECT_EQ(client.Get("/v1/nothing")->status, 404);
  const json error = Post(server.port(), "/v1/completions", {{"max_tokens", 4}}, 400);
  EXPECT_EQ(error["error"]["type"], "invalid_request_error");
  Post(server.port(), "/v1/completions", {{"prompt", "a"}, {"max_tokens", 1}});
  EXPECT_EQ(json::parse(client.Get("/v1/stats")->body)["requests"], 1);
}

TEST_F(TinyServer, StopsWithGrace) {
  RunningServer server(Config());
  Post(server.port(), "/v1/completions", {{"prompt", kPsalm}, {"max_tokens", 0}});
  const std::size_t before = folder_.Records().size();
  EXPECT_EQ(server.Stop(), 0);
  EXPECT_EQ(folder_.Records().size(), before + 1);
  httplib::Client client("127.0.0.1", server.port());
  EXPECT_FALSE(client.Get("/health"));
}

}  // namespace
}  // namespace parity
