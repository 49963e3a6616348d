#include "tests/engines/tiny_trace.h"

#include <stdexcept>

namespace parity {

std::vector<Trace> TraceRagged(const TinyRun& run, int decode_steps) {
  std::vector<Trace> traces(run.ranks);
  ForRanks(run, [&](TinySession& session) {
    Trace& trace = traces[session.index()];
    int step = 0;
    RaggedWorkload(session, decode_steps, [&](const std::string& program) {
      const nlohmann::json& ops = session.Ops(program);
      for (std::uint32_t i = 0; i < ops.size(); ++i) {
        session.RunOps(program, i, i + 1);
        for (const char* access : {"writes", "updates"}) {
          for (const std::string tensor : ops[i][access]) {
            const std::string label = ops[i]["label"];
            trace.push_back(
                {"step " + std::to_string(step) + " " + program + " " + label + " " + tensor, label,
                 session.Bytes(tensor)});
          }
        }
      }
      ++step;
    });
  });
  return traces;
}

std::vector<std::string> Differences(const std::vector<Trace>& a, const std::vector<Trace>& b) {
  std::vector<std::string> differences;
  for (std::size_t rank = 0; rank < a.size(); ++rank) {
    if (a[rank].size() != b[rank].size() || a[rank].empty()) {
      throw std::runtime_error("traces cannot be compared");
    }
    for (std::size_t i = 0; i < a[rank].size(); ++i) {
      if (a[rank][i].where != b[rank][i].where) throw std::runtime_error("other ops");
      if (a[rank][i].bytes == b[rank][i].bytes) continue;
      differences.push_back("rank " + std::to_string(rank) + " " + a[rank][i].where);
    }
  }
  return differences;
}

std::vector<float> RaggedLogits(const TinyRun& run, int decode_steps) {
  std::vector<float> logits;
  ForRanks(run, [&](TinySession& session) {
    RaggedWorkload(session, decode_steps, [&](const std::string& program) {
      session.RunOps(program, 0, static_cast<std::uint32_t>(session.Ops(program).size()));
      if (session.index() != 0) return;
      const std::vector<float> rows = session.Floats("logits");
      logits.insert(logits.end(), rows.begin(), rows.end());
    });
  });
  return logits;
}

}  // namespace parity
