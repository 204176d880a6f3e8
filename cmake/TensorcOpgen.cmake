# What follows from the definitions of the ops in ir/tx (tools/opgen).
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(TENSORC_OPS_JSON ${CMAKE_BINARY_DIR}/ir/tx/TxOps.json)
file(GLOB _tds CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ir/tx/*.td)
add_custom_command(OUTPUT ${TENSORC_OPS_JSON}
  COMMAND ${TENSORC_LLVM_BIN}/llvm-tblgen --dump-json -I ${PROJECT_SOURCE_DIR}
          -I ${MLIR_INCLUDE_DIRS} ${PROJECT_SOURCE_DIR}/ir/tx/TxOps.td
          --write-if-changed -o ${TENSORC_OPS_JSON}
  DEPENDS ${_tds} VERBATIM)
add_custom_target(tensorc_ops_json DEPENDS ${TENSORC_OPS_JSON})

# tensorc_opgen(TARGET WHAT OUT [WHAT OUT ...])
# Runs opgen for each WHAT; OUT lies in the current folder of the build tree.
function(tensorc_opgen TARGET)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/opgen/*.py)
  set(outs "")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest what out)
    set(path ${CMAKE_CURRENT_BINARY_DIR}/${out})
    add_custom_command(OUTPUT ${path}
      COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/opgen/opgen.py
              ${TENSORC_OPS_JSON} ${what} -o ${path}
      COMMAND ${CMAKE_COMMAND} -E touch ${path}
      DEPENDS ${TENSORC_OPS_JSON} tensorc_ops_json ${scripts} VERBATIM)
    list(APPEND outs ${path})
  endwhile()
  add_custom_target(${TARGET} DEPENDS ${outs})
endfunction()

# docs/ops.md is committed: `cmake --build build-debug --target docs-ops` after
# a change of a definition.
add_custom_target(docs-ops
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/opgen/opgen.py
          ${TENSORC_OPS_JSON} docs -o ${PROJECT_SOURCE_DIR}/docs/ops.md
  DEPENDS ${TENSORC_OPS_JSON} VERBATIM)
