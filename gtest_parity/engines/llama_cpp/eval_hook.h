// Who is told of every node that llama.cpp computes.
#ifndef GTEST_PARITY_ENGINES_LLAMA_CPP_EVAL_HOOK_H_
#define GTEST_PARITY_ENGINES_LLAMA_CPP_EVAL_HOOK_H_

struct ggml_tensor;

namespace parity::llama_cpp {

class EvalHook {
 public:
  virtual ~EvalHook() = default;
  // Before a node is computed: whether its value is wanted. The graph's inputs are there already.
  virtual bool Wants(ggml_tensor& node) = 0;
  // The value is there, and nothing has read it.
  virtual void Computed(ggml_tensor& node) = 0;
};

}  // namespace parity::llama_cpp

#endif  // GTEST_PARITY_ENGINES_LLAMA_CPP_EVAL_HOOK_H_
