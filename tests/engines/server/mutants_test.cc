// Every deliberate fault shows on the wire, and a right server shows none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <set>

#include "gtest_parity/engines/tiny/server/mutants.h"
#include "tests/engines/server/wire_client.h"
#include "tests/golden_file.h"

namespace parity {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* kPaths[] = {"/v1/chat/completions", "/v1/completions", "/v1/messages",
                                  "/v1/responses"};

// Ids and times are named in the order in which an exchange has them.
std::string Named(const std::string& text) {
  static const std::regex pattern(
      "(chatcmpl|cmpl|msg|resp|rs|fc|call|toolu)[-_][0-9a-fx-]+|\"created(_at)?\":[0-9]+");
  std::string named;
  std::map<std::string, int> names;
  auto at = text.cbegin();
  for (std::sregex_iterator found(text.begin(), text.end(), pattern), end; found != end; ++found) {
    named.append(at, (*found)[0].first);
    const int number = names.emplace(found->str(), names.size()).first->second;
    named += "<" + (*found)[1].str() + std::to_string(number) + ">";
    at = (*found)[0].second;
  }
  return named.append(at, text.cend());
}

std::string Told(const Reply& reply) {
  std::string headers;
  for (const auto& [name, value] : reply.headers) {
    if (name != "content-length") headers += name + "=" + value + ";";
  }
  return std::to_string(reply.status) + (reply.whole ? " whole " : " cut ") + headers + "\n" +
         Named(reply.body) + "\n";
}

json BodyFor(const std::string& path, const std::string& text, int tokens) {
  if (path == "/v1/completions") return {{"prompt", text}, {"max_tokens", tokens}};
  if (path == "/v1/responses") {
    return {{"input", text},
            {"max_output_tokens", tokens},
            {"reasoning", {{"effort", "low"}, {"summary", "auto"}}}};
  }
  return {{"messages", {{{"role", "user"}, {"content", text}}}},
          {"max_tokens", tokens},
          {"thinking", {{"type", "enabled"}}}};
}

json WithTool(const std::string& path, json body) {
  if (path == "/v1/messages") body["tools"] = {{{"name", "f"}}};
  if (path == "/v1/responses") body["tools"] = {{{"type", "function"}, {"name", "f"}}};
  if (path == "/v1/chat/completions") {
    body["tools"] = {{{"type", "function"}, {"function", {{"name", "f"}}}}};
  }
  return body;
}

// The surfaces: thinking, texts, calls, whole and streamed.
std::string SurfacesOf(int port) {
  std::string told;
  for (const std::string path : kPaths) {
    for (json body : {BodyFor(path, "In the beginning", 14), BodyFor(path, "Cut", 8),
                      WithTool(path, BodyFor(path, "Call", 14))}) {
      for (const bool stream : {false, true}) {
        body["stream"] = stream;
        told += Told(Post(port, path, body));
      }
    }
  }
  return told;
}

// Usage on request, characters of several bytes, stop strings that come and that do not.
std::string FieldsOf(int port) {
  json body = {{"prompt", "In the beginning"}, {"max_tokens", 12}, {"stream", true}};
  body["stream_options"] = {{"include_usage", true}};
  std::string told = Told(Post(port, kPaths[1], body));
  body["parity"] = {{"forced", "d\u00e9j\u00e0"}};
  told += Told(Post(port, kPaths[1], body));
  json stopped = {{"messages", {{{"role", "user"}, {"content", "Stop"}}}},
                  {"max_tokens", 12},
                  {"stream", true},
                  {"stop_sequences", {"CD", "Fx"}},
                  {"parity", {{"forced", "ABCDEF"}}}};
  told += Told(Post(port, kPaths[2], stopped));
  stopped["stop_sequences"] = json::array({"never"});
  stopped["parity"]["forced"] = "ABnev";
  stopped["max_tokens"] = 0;
  // As many tokens as there are to "nev", at whose end something is held back.
  for (int tokens = 1; tokens <= 5; ++tokens) {
    stopped["max_tokens"] = tokens;
    told += Told(Post(port, kPaths[2], stopped));
  }
  return told;
}

std::string ErrorsOf(int port) {
  std::string told;
  for (const char* path : kPaths) told += Told(Post(port, path, json::object()));
  told += Told(Post(port, kPaths[1], {{"prompt", std::string(5000, 'x')}}));
  told += Told(Fetch(port, "GET", "/nowhere"));
  for (const char* body :
       {R"({"prompt": "In", /* note */ "max_tokens": 2})",
        R"({"prompt": "In", "max_tokens": 2, "temperature": null})",
        R"({"prompt": "In", "max_tokens": 2, "response_format": "json_object"})"}) {
    told += Told(Fetch(port, "POST", kPaths[1], body));
  }
  told += Told(Fetch(port, "POST", kPaths[0], R"({"messages": [{"role": "user", "content": "In"}],
      "max_tokens": 2, "response_format": {"type": "json_object"}})"));
  told += Told(Fetch(port, "POST", kPaths[0], R"({"messages": [{"role": "user", "content":
      [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo"}}]}]})"));
  Connection coded(port);
  coded.Send(RequestText("GET", "/v1/models", "", "Accept-Encoding: gzip\r\n"));
  told += Told(coded.ReadAll());
  return told;
}

std::string ContinuationsOf(int port) {
  const json call = Post(port, kPaths[3], WithTool(kPaths[3], {{"input", "Call"}})).json();
  const json result = {{"input",
                        {{{"type", "function_call_output"},
                          {"call_id", call["output"].back()["call_id"]},
                          {"output", "3"}}}},
                       {"max_output_tokens", 2}};
  std::string told;
  for (int i = 0; i < 2; ++i) told += std::to_string(Post(port, kPaths[3], result).status) + "\n";
  return told;
}

// What became of a client that left, and whether events come as they are made. The server is slow.
std::string LivesOf(int port) {
  const json body = {{"prompt", "Long"}, {"max_tokens", 150}, {"stream", true}};
  std::string told;
  {
    Connection connection(port);
    connection.Send(RequestText("POST", kPaths[1], body.dump()));
    connection.ReadUntil("text_completion");
    told += Stats(port)["generated_tokens"] < 100 ? "early " : "late ";
  }
  const json stats = StatsWhen(port, [](const json& now) {
    return now["outcomes"]["canceled"] == 1 || now["outcomes"]["completed"] == 1;
  });
  told += stats["outcomes"].dump() + stats["running"].dump() + stats["routes"].dump();
  const std::string metrics = Fetch(port, "GET", "/metrics").body;
  const std::string family = "\nparity_tiny_requests_started_total ";
  return told + metrics.substr(metrics.find(family), family.size() + 1);
}

std::string ShutdownOf(RunningServer& server) {
  const json body = {{"prompt", "Long"}, {"max_tokens", 400}, {"stream", true}};
  Connection connection(server.port());
  connection.Send(RequestText("POST", kPaths[1], body.dump()));
  connection.ReadUntil("text_completion");
  server.Signal();
  const Reply reply = connection.ReadAll();
  return std::string(reply.whole ? "whole " : "cut ") +
         (reply.body.find("event: error") == std::string::npos ? "no error" : "error");
}

std::string Figures(int port) {
  const json stats = Stats(port);
  return stats["outcomes"].dump() + stats["routes"].dump() + stats["generated_tokens"].dump() +
         stats["continuations"].dump();
}

std::string ObserveQuick(const std::string& mutant) {
  const RunningServer server({kPaged,
                              json::object(),
                              {{"mutant", mutant},
                               {"max_inflight_body_bytes", 4000},
                               {"think_tokens", 2},
                               {"call_tokens", 4}}});
  std::string told;
  for (const auto& observe : {SurfacesOf, FieldsOf, ErrorsOf, ContinuationsOf, Figures}) {
    told += observe(server.port());
  }
  return told;
}

std::string ObserveSlow(const std::string& mutant) {
  RunningServer server(
      {kPaged, json::object(), {{"mutant", mutant}, {"pace_us", 2000}, {"grace_ms", 50}}});
  const std::string lives = LivesOf(server.port());
  return lives + ShutdownOf(server);
}

// Three at once, of whom two fill a batch. Nothing is gathered on the other server.
std::string ObserveGathering(const std::string& mutant) {
  const json lane = {{"mutant", mutant}, {"continuous", false}, {"gather_ms", 500}};
  json none = lane;
  none["gathered"] = false;
  const RunningServer server({kPaged, json::object(), lane}), other({kPaged, json::object(), none});
  {
    std::vector<std::unique_ptr<Connection>> connections;
    for (int i = 0; i < 3; ++i) {
      connections.push_back(std::make_unique<Connection>(server.port()));
      connections.back()->Send(
          RequestText("POST", kPaths[1], R"({"prompt": "In", "max_tokens": 2})"));
    }
    for (const auto& connection : connections) connection->ReadAll();
  }
  const std::string metrics = Fetch(other.port(), "GET", "/metrics").body;
  const bool told = metrics.find("parity_tiny_static_batches_total") != std::string::npos;
  return Stats(server.port())["routes"].dump() + (told ? " told" : " not told");
}

bool NeedsGathering(const std::string& mutant) {
  return mutant == "gathers_one_more" || mutant == "zero_for_absent";
}

// Which are seen only where time passes.
bool NeedsTime(const std::string& mutant) {
  static const std::set<std::string> kSlow = {"burst_at_end", "slot_leak_on_disconnect", "runs_on",
                                              "aborted_in_one_family", "shutdown_cuts_streams"};
  return kSlow.contains(mutant);
}

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const tiny_server::WireMutant& mutant : tiny_server::AllWireMutants()) {
    names.emplace_back(mutant.name);
  }
  return names;
}

class WireMutants : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, WireMutants, ::testing::ValuesIn(Names()),
                         [](const auto& test) { return test.param; });

TEST_P(WireMutants, ShowsOnTheWire) {
  if (NeedsGathering(GetParam())) {
    static const std::string right = ObserveGathering("");
    EXPECT_NE(ObserveGathering(GetParam()), right);
    return;
  }
  if (NeedsTime(GetParam())) {
    static const std::string right = ObserveSlow("");
    EXPECT_NE(ObserveSlow(GetParam()), right);
    return;
  }
  static const std::string right = ObserveQuick("");
  EXPECT_NE(ObserveQuick(GetParam()), right);
}

TEST(WireMutantTable, ARightServerIsTheSameEveryTime) {
  EXPECT_EQ(ObserveQuick(""), ObserveQuick(""));
  EXPECT_EQ(ObserveSlow(""), ObserveSlow(""));
}

TEST(WireMutantTable, NamesAreUnique) {
  const std::vector<std::string> names = Names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_GE(names.size(), 40u);
}

TEST(WireMutantTable, RulesAreExplained) {
  std::ifstream file(std::string(PARITY_SOURCE_DIR) + "/docs/tiny_server.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const tiny_server::WireMutant& mutant : tiny_server::AllWireMutants()) {
    EXPECT_NE(page.find(mutant.rule), std::string::npos) << mutant.name << " " << mutant.rule;
  }
}

TEST(WireMutantTable, IsPrinted) {
  const std::string command = std::string(PARITY_TINY_SERVER) + " --list_mutants";
  std::FILE* out = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> bytes{};
  while (const std::size_t size = std::fread(bytes.data(), 1, bytes.size(), out)) {
    text.append(bytes.data(), size);
  }
  EXPECT_EQ(pclose(out), 0);
  EXPECT_TRUE(testing::MatchesGoldenFile(
      std::string(PARITY_SOURCE_DIR) + "/tests/engines/server/golden/mutants.txt", text));
}

}  // namespace
}  // namespace parity
