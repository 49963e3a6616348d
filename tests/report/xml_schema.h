// Validity of a report against a schema, as xmllint sees it.
#ifndef GTEST_PARITY_TESTS_REPORT_XML_SCHEMA_H_
#define GTEST_PARITY_TESTS_REPORT_XML_SCHEMA_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gtest_parity/report/files.h"
#include "tests/report/results.h"

namespace parity::testing {

// Valid against tests/report/jenkins-junit.xsd; a failure carries xmllint's words.
inline ::testing::AssertionResult IsValidJUnit(const std::string& xml) {
  const TemporaryFolder folder;
  WriteFileAtomically(folder / "report.xml", xml);
  const std::string command = std::string(PARITY_XMLLINT) +
                              " --noout --schema " PARITY_SOURCE_DIR
                              "/tests/report/jenkins-junit.xsd " +
                              folder / "report.xml" + " >" + folder / "words" + " 2>&1";
  if (std::system(command.c_str()) == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << ReadFileIfThere(folder / "words").value_or(command) << xml;
}

}  // namespace parity::testing

#endif  // GTEST_PARITY_TESTS_REPORT_XML_SCHEMA_H_
