// A YAML text of one document.
#ifndef GTEST_PARITY_MANIFEST_ONE_DOCUMENT_H_
#define GTEST_PARITY_MANIFEST_ONE_DOCUMENT_H_

#include <yaml-cpp/yaml.h>

#include <string>

namespace parity {

// Null where the text has none. Throws InvalidInput, naming the file `name`, where it has several
// or is no YAML. YAML::LoadAll must not be asked: in a text like ", 1" it finds empty documents
// without end, until memory is.
YAML::Node LoadOneDocument(const std::string& name, const std::string& text);

}  // namespace parity

#endif  // GTEST_PARITY_MANIFEST_ONE_DOCUMENT_H_
