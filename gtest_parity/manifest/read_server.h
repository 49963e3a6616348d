// The `server` of a side.
#ifndef GTEST_PARITY_MANIFEST_READ_SERVER_H_
#define GTEST_PARITY_MANIFEST_READ_SERVER_H_

#include <string>

#include "gtest_parity/manifest/find_library.h"
#include "gtest_parity/manifest/manifest.h"
#include "gtest_parity/manifest/yaml_section.h"

namespace parity {

// `path` is how messages name it ("reference.server"). The program and the plugins that it names
// are looked for as `library` is, the program in PATH too. What is wrong goes to `file`.
ServerDeclaration ReadServer(const YAML::Node& node, const std::string& path,
                             const std::string& folder, const SearchPath& search, YamlFile* file);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_READ_SERVER_H_
