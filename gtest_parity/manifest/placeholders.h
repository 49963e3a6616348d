// Names in braces, within the words of a server's command, that something is filled in for.
#ifndef GTEST_PARITY_MANIFEST_PLACEHOLDERS_H_
#define GTEST_PARITY_MANIFEST_PLACEHOLDERS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest_parity/manifest/manifest.h"

namespace parity {

// {port}            where it is to listen
// {config}          the side's configuration, as JSON
// {config_file}     a file that holds it
// {config:/a/b}     the value at that JSON pointer in it: text as it is, anything else as JSON
// {kv_folder}       where its saved KV state goes
// {ranks}           how many ranks are wanted
// {library:NAME}    the file of that plugin, found as `library` is; filled in by the reader
struct Placeholder {
  std::size_t begin = 0, end = 0;  // in the word, braces included
  std::string name, argument;
};

// The names above.
const std::vector<std::string>& PlaceholderNames();

// Lower case letters and _ in braces, with or without an argument; other braces are themselves.
std::vector<Placeholder> PlaceholdersIn(std::string_view word);

// `word` with each replaced by what `fill` makes of it.
std::string FillPlaceholders(std::string_view word,
                             const std::function<std::string(const Placeholder&)>& fill);

// Whether one of that name is anywhere in it.
bool Uses(const ServerDeclaration& server, std::string_view name);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_PLACEHOLDERS_H_
