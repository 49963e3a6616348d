#include "gtest_parity/manifest/read_server.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gtest_parity/manifest/placeholders.h"

namespace parity {
namespace {

const std::vector<std::string>& StopSignals() {
  static const std::vector<std::string> names = {"SIGTERM", "SIGINT",  "SIGHUP",
                                                 "SIGQUIT", "SIGUSR1", "SIGUSR2"};
  return names;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

class ServerReader {
 public:
  ServerReader(const YAML::Node& node, const std::string& path, std::string folder,
               const SearchPath& search, YamlFile* file)
      : section_(node, path, FindManifestSection("server"), file),
        folder_(std::move(folder)),
        search_(search),
        file_(file) {}

  ServerDeclaration Read() {
    ReadCommand();
    ReadEnvironment();
    ReadFolder();
    ReadPort();
    ReadEnds();
    section_.Read("log", &server_.log);
    if (!server_.log.empty()) server_.log = ResolvePath(server_.log, folder_);
    return std::move(server_);
  }

 private:
  void ReadCommand() {
    const auto node = section_.Find("command");
    if (!node) return;
    const std::string path = section_.PathOf("command");
    if (!node->IsSequence() || node->size() == 0) {
      file_->Add(*node, path, node->IsSequence() ? "an empty list" : KindOf(*node),
                 "a list of words, such as [bin/server, --port, \"{port}\"]");
      return;
    }
    for (const YAML::Node& word : *node) {
      if (!word.IsScalar()) {
        file_->Add(word, path, KindOf(word), "a string");
        return;
      }
      server_.command.push_back(Filled(word, path));
    }
    ReadProgram(*node, path);
  }

  void ReadProgram(const YAML::Node& node, const std::string& path) {
    const FoundLibrary found = FindProgram(server_.command.front(), folder_, search_);
    if (found.path.empty()) {
      file_->Add(node[0], path + ": not found", Quoted(server_.command.front()),
                 "one of these programs: " + Listed(found.looked));
    }
    server_.command.front() = found.path;
  }

  void ReadEnvironment() {
    const auto node = section_.Find("environment");
    if (!node) return;
    const std::string path = section_.PathOf("environment");
    if (node->IsSequence()) {
      for (const YAML::Node& name : *node) {
        if (IsVariable(name, path)) server_.environment[name.Scalar()] = std::nullopt;
      }
      return;
    }
    if (!node->IsMap()) {
      file_->Add(*node, path, KindOf(*node), "a list of names, or a mapping of names to values");
      return;
    }
    for (const auto& [name, value] : MergedPairs(*node, path, file_)) {
      if (!IsVariable(name, path)) continue;
      std::optional<std::string>& own = server_.environment[name.Scalar()];
      if (value.IsScalar()) {
        own = Filled(value, path + "." + name.Scalar());
      } else if (!value.IsNull()) {
        file_->Add(value, path + "." + name.Scalar(), KindOf(value),
                   "a string, or nothing for the value that the suite itself has");
      }
    }
  }

  bool IsVariable(const YAML::Node& name, const std::string& path) {
    if (name.IsScalar() && !name.Scalar().empty() && name.Scalar().find('=') == std::string::npos) {
      return true;
    }
    file_->Add(name, path, KindOf(name), "the name of a variable");
    return false;
  }

  void ReadFolder() {
    std::string name;
    section_.Read("working_directory", &name);
    server_.working_directory = ResolvePath(name, folder_);
    std::error_code ignored;
    const auto node = section_.Find("working_directory");
    if (node && !std::filesystem::is_directory(server_.working_directory, ignored)) {
      file_->Add(*node, section_.PathOf("working_directory"),
                 "no such folder: " + server_.working_directory, "a folder");
    }
  }

  void ReadPort() {
    section_.Read("port", std::uint32_t{0}, &server_.port);
    if (server_.port > 65535) {
      file_->Add(*section_.Find("port"), section_.PathOf("port"), std::to_string(server_.port),
                 "0 to 65535");
    }
    if (server_.port != 0 || server_.command.empty() || Uses(server_, "port")) return;
    file_->AddAt(section_.at(), section_.PathOf("port"),
                 "none, and {port} is nowhere in the command",
                 "the port that it listens on, or {port} where it is told one");
  }

  void ReadEnds() {
    if (const auto node = section_.Find("ready")) {
      const YamlSection ready(*node, section_.PathOf("ready"), FindManifestSection("ready"), file_);
      ReadUrlPath(ready, &server_.ready_path);
      ready.Read("seconds", 0.0, true, &server_.ready_seconds);
    }
    if (const auto node = section_.Find("stop")) {
      const YamlSection stop(*node, section_.PathOf("stop"), FindManifestSection("stop"), file_);
      std::size_t signal = 0;
      stop.ReadChoice("signal", StopSignals(), &signal);
      server_.stop_signal = StopSignals()[signal];
      stop.Read("seconds", 0.0, true, &server_.stop_seconds);
    }
    if (const auto node = section_.Find("counters")) {
      ReadUrlPath(
          YamlSection(*node, section_.PathOf("counters"), FindManifestSection("counters"), file_),
          &server_.counters_path);
    }
  }

  void ReadUrlPath(const YamlSection& section, std::string* out) {
    section.Read("path", out);
    if (out->starts_with("/")) return;
    file_->Add(*section.Find("path"), section.PathOf("path"), Quoted(*out),
               "a path that begins with /");
  }

  // The word with {library:NAME} filled in, and what else is in braces checked.
  std::string Filled(const YAML::Node& node, const std::string& path) {
    return FillPlaceholders(node.Scalar(), [&](const Placeholder& one) {
      const std::string whole = node.Scalar().substr(one.begin, one.end - one.begin);
      const std::vector<std::string>& names = PlaceholderNames();
      if (std::find(names.begin(), names.end(), one.name) == names.end()) {
        file_->Add(node, path + ": unknown placeholder", Quoted(whole),
                   ExpectedName(one.name, names));
      } else if (one.name == "library") {
        return PluginAt(node, path, one.argument);
      } else if (!one.argument.empty() && (one.name != "config" || !IsPointer(one.argument))) {
        file_->Add(node, path, Quoted(whole),
                   one.name == "config" ? "a JSON pointer, such as {config:/model}"
                                        : "{" + one.name + "}");
      }
      return whole;
    });
  }

  static bool IsPointer(const std::string& text) {
    try {
      return !nlohmann::json::json_pointer(text).empty();
    } catch (const nlohmann::json::exception&) {
      return false;
    }
  }

  std::string PluginAt(const YAML::Node& node, const std::string& path, const std::string& name) {
    if (name.empty()) {
      file_->Add(node, path, "{library} without a name", "such as {library:my_engine}");
      return "";
    }
    const FoundLibrary found = FindLibrary(name, folder_, search_);
    if (found.path.empty()) {
      file_->Add(node, path + ": not found", Quoted(name),
                 "one of these files: " + Listed(found.looked));
    }
    return found.path;
  }

  YamlSection section_;
  std::string folder_;
  const SearchPath& search_;
  YamlFile* file_;
  ServerDeclaration server_;
};

}  // namespace

ServerDeclaration ReadServer(const YAML::Node& node, const std::string& path,
                             const std::string& folder, const SearchPath& search, YamlFile* file) {
  return ServerReader(node, path, folder, search, file).Read();
}

}  // namespace parity
