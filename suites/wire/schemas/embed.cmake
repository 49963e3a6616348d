# cmake -DOUTPUT=... -DFOLDER=... -P embed.cmake: writes schema_texts.cc with the files of core/ and strict/.
set(rows "")
foreach(set core strict)
  file(GLOB files "${FOLDER}/${set}/*.json")
  foreach(path ${files})
    get_filename_component(name "${path}" NAME)
    file(READ "${path}" text)
    string(APPEND rows "      {\"${set}\", \"${name}\", R\"json(${text})json\"},\n")
  endforeach()
endforeach()
file(WRITE "${OUTPUT}" "#include \"suites/wire/schemas/schema_texts.h\"

namespace parity::wire {

std::vector<SchemaText> SchemaTexts() {
  return {
${rows}  };
}

}  // namespace parity::wire
")
