# parity_add_kjv_2m_gguf(folder): the target kjv_2m_gguf, which nothing builds unless it is asked for,
# writes into the folder
#   kjv-2m.f32.gguf, kjv-2m.f16.gguf, kjv-2m.bf16.gguf, kjv-2m.q8_0.gguf   the tiny model
#   kjv-2m.f32.scaled.gguf          layer 1's ffn_up 2 % too large
#   kjv-2m.f32.shifted_row.gguf     a row of layer 1's ffn_down has the next row's values
#   kjv-2m.f32.other_weights.gguf   the same shapes, other values
set(PARITY_KJV_2M_FOLDER ${PROJECT_SOURCE_DIR}/manifests/tiny/model)

# _parity_faulty_gguf(folder fault arguments...): adds to `files` in the caller.
function(_parity_faulty_gguf folder fault)
  set(right ${folder}/kjv-2m.f32.gguf)
  set(wrong ${folder}/kjv-2m.f32.${fault}.gguf)
  add_custom_command(OUTPUT ${wrong}
    COMMAND parity_gguf edit ${right} ${wrong} ${ARGN}
    DEPENDS parity_gguf ${right} VERBATIM)
  set(files ${files} ${wrong} PARENT_SCOPE)
endfunction()

function(parity_add_kjv_2m_gguf folder)
  file(GLOB model CONFIGURE_DEPENDS
    ${PARITY_KJV_2M_FOLDER}/*.json ${PARITY_KJV_2M_FOLDER}/model.safetensors
    ${PARITY_KJV_2M_FOLDER}/chat_template.jinja)
  set(files)
  foreach(type f32 f16 bf16 q8_0)
    set(file ${folder}/kjv-2m.${type}.gguf)
    add_custom_command(OUTPUT ${file}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND parity_gguf convert ${PARITY_KJV_2M_FOLDER} ${file} --type ${type} --name kjv-2m
      DEPENDS parity_gguf ${model} VERBATIM)
    list(APPEND files ${file})
  endforeach()
  _parity_faulty_gguf(${folder} scaled --scale blk.1.ffn_up.weight=1.02)
  _parity_faulty_gguf(${folder} shifted_row --shift-row blk.1.ffn_down.weight=100)
  _parity_faulty_gguf(${folder} other_weights --other-weights 1)
  add_custom_target(kjv_2m_gguf DEPENDS ${files})
endfunction()
