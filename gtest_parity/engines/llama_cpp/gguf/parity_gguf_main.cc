// `parity_gguf`: a small Llama as a GGUF for llama.cpp, and the same with faults planted.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "gtest_parity/engines/llama_cpp/gguf/convert.h"
#include "gtest_parity/engines/llama_cpp/gguf/edit.h"
#include "gtest_parity/engines/llama_cpp/gguf/gguf_file.h"
#include "gtest_parity/engines/llama_cpp/gguf/list.h"
#include "gtest_parity/engines/llama_cpp/gguf/read_file.h"
#include "gtest_parity/report/exit_code.h"
#include "gtest_parity/report/files.h"

namespace parity::gguf {
namespace {

struct Arguments {
  std::string in, out, type;
  ConvertOptions convert;
  std::vector<std::string> scales, shifts;
  Edits edits;
};

void RunConvert(Arguments& arguments) {
  arguments.convert.type = FindTensorType(arguments.type)->number;
  WriteFileAtomically(arguments.out, Convert(arguments.in, arguments.convert));
}

void RunEdit(Arguments& arguments) {
  for (const std::string& text : arguments.scales) {
    arguments.edits.scales.push_back(ParseScale(text));
  }
  for (const std::string& text : arguments.shifts) {
    arguments.edits.shifts.push_back(ParseShiftRow(text));
  }
  WriteFileAtomically(arguments.out,
                      Edit(arguments.in, ReadFile(arguments.in, "a GGUF"), arguments.edits));
}

void RunList(Arguments& arguments) {
  const std::string bytes = ReadFile(arguments.in, "a GGUF");
  std::printf("%s", ListText(ReadLayout(arguments.in, bytes)).c_str());
}

void AddConvert(CLI::App& app, Arguments& arguments) {
  CLI::App* convert = app.add_subcommand("convert", "A Hugging Face folder of a Llama to a GGUF");
  convert
      ->add_option("MODEL_FOLDER", arguments.in, "config.json, model.safetensors, tokenizer.json")
      ->required();
  convert->add_option("OUT", arguments.out, "The GGUF to write")->required();
  convert->add_option("--type", arguments.type, "Of the matrices")
      ->required()
      ->check(CLI::IsMember({"f32", "f16", "bf16", "q8_0"}));
  convert->add_option("--name", arguments.convert.name, "The model's name in the GGUF");
  convert->add_option("--add_bos", arguments.convert.add_bos,
                      "Whether a text's tokens begin with bos (default: true)");
}

void AddEdit(CLI::App& app, Arguments& arguments) {
  CLI::App* edit = app.add_subcommand("edit", "A copy of a GGUF with faults in its tensors");
  edit->add_option("IN", arguments.in, "The GGUF")->required();
  edit->add_option("OUT", arguments.out, "The GGUF to write")->required();
  CLI::Option_group* faults = edit->add_option_group("faults");
  faults->add_option("--scale", arguments.scales, "TENSOR=FACTOR: every value times the factor");
  faults->add_option("--shift-row", arguments.shifts,
                     "TENSOR=ROW: the row takes the values of the one after it");
  faults->add_option("--other-weights", arguments.edits.other_weights_seed,
                     "SEED: rows of every matrix in another order, some signs turned");
  faults->require_option(1, 0);
}

int Main(int argc, char** argv) {
  Arguments arguments;
  void (*run)(Arguments&) = nullptr;
  CLI::App app("GGUF files for llama.cpp engines: convert, plant faults, list.");
  app.require_subcommand(1);
  AddConvert(app, arguments);
  AddEdit(app, arguments);
  app.add_subcommand("list", "Print keys and tensors of a GGUF")
      ->add_option("IN", arguments.in, "The GGUF")
      ->required();
  app.get_subcommand("convert")->callback([&] { run = RunConvert; });
  app.get_subcommand("edit")->callback([&] { run = RunEdit; });
  app.get_subcommand("list")->callback([&] { run = RunList; });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitPassed : kExitUsage;
  }
  run(arguments);
  return kExitPassed;
}

}  // namespace
}  // namespace parity::gguf

int main(int argc, char** argv) {
  try {
    return parity::gguf::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return parity::kExitError;
  }
}
