# Code and documents generated from the definitions of the ops in ir/tx
# (tools/opgen).
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(TENSORC_OPS_JSON ${CMAKE_BINARY_DIR}/ir/tx/TxOps.json)
set(TENSORC_API_JSON ${CMAKE_BINARY_DIR}/compiler/api/Api.json)
file(GLOB _tds CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ir/tx/*.td ${PROJECT_SOURCE_DIR}/ir/tx/ops/*.td
     ${PROJECT_SOURCE_DIR}/ir/tx/structure/*.td ${PROJECT_SOURCE_DIR}/ir/library/*.td ${PROJECT_SOURCE_DIR}/ir/library/ops/*.td)
add_custom_command(OUTPUT ${TENSORC_OPS_JSON}
  COMMAND ${TENSORC_LLVM_BIN}/llvm-tblgen --dump-json -I ${PROJECT_SOURCE_DIR}
          -I ${MLIR_INCLUDE_DIRS} ${PROJECT_SOURCE_DIR}/ir/library/AllOps.td
          --write-if-changed -o ${TENSORC_OPS_JSON}
  DEPENDS ${_tds} VERBATIM)
file(GLOB_RECURSE _tds CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compiler/api/*.td)
add_custom_command(OUTPUT ${TENSORC_API_JSON}
  COMMAND ${TENSORC_LLVM_BIN}/llvm-tblgen --dump-json -I ${PROJECT_SOURCE_DIR}
          ${PROJECT_SOURCE_DIR}/compiler/api/Api.td --write-if-changed -o ${TENSORC_API_JSON}
  DEPENDS ${_tds} VERBATIM)
add_custom_target(tensorc_ops_json DEPENDS ${TENSORC_OPS_JSON} ${TENSORC_API_JSON})

# A description of the interfaces for generators of bindings. docs/abi.txt,
# which a test compares with the headers, contains the whole C interface.
file(GLOB _scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/opgen/*.py)
set(TENSORC_BINDINGS_JSON ${CMAKE_BINARY_DIR}/share/tensorc/api.json)
add_custom_command(OUTPUT ${TENSORC_BINDINGS_JSON}
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/opgen/opgen.py ${TENSORC_API_JSON} api-json
          --ops ${TENSORC_OPS_JSON} --abi ${PROJECT_SOURCE_DIR}/docs/abi.txt -o ${TENSORC_BINDINGS_JSON}
  DEPENDS ${TENSORC_API_JSON} ${TENSORC_OPS_JSON} ${PROJECT_SOURCE_DIR}/docs/abi.txt ${_scripts} VERBATIM)
add_custom_target(tensorc_bindings_json ALL DEPENDS ${TENSORC_BINDINGS_JSON})

# tensorc_opgen(TARGET WHAT OUT [WHAT OUT ...])
# Runs opgen for each WHAT on the ops. OUT is in the current folder of the build
# tree. Unchanged outputs are not written, so that nothing is rebuilt.
function(tensorc_opgen TARGET)
  tensorc_run_opgen(${TARGET} ${TENSORC_OPS_JSON} ${ARGN})
endfunction()
# Like tensorc_opgen, for compiler/api/Api.td.
#
# tensorc_*_headers: the public headers. They are installed from
# TENSORC_DESCRIBED_HEADERS. Sources of the project include copies without
# comments, so that they are not recompiled when a description changes.
function(tensorc_api_opgen TARGET)
  tensorc_run_opgen(${TARGET} ${TENSORC_API_JSON} ${ARGN})
endfunction()
function(tensorc_op_headers TARGET)
  tensorc_run_opgen(${TARGET} ${TENSORC_OPS_JSON} HEADERS ${ARGN})
endfunction()
function(tensorc_api_headers TARGET)
  tensorc_run_opgen(${TARGET} ${TENSORC_API_JSON} HEADERS ${ARGN})
endfunction()
set(TENSORC_DESCRIBED_HEADERS ${PROJECT_BINARY_DIR}/compiler/described/tensorc)
function(tensorc_run_opgen TARGET JSON)
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/opgen/*.py)
  set(outs "")
  set(rest ${ARGN})
  list(GET rest 0 first)
  if(first STREQUAL HEADERS)
    list(POP_FRONT rest)
  endif()
  while(rest)
    list(POP_FRONT rest what out)
    set(path ${CMAKE_CURRENT_BINARY_DIR}/${out})
    set(made ${path})
    set(then "")
    if(first STREQUAL HEADERS)
      set(path ${PROJECT_BINARY_DIR}/compiler/include/tensorc/${out})
      set(made ${TENSORC_DESCRIBED_HEADERS}/${out})
      set(then COMMAND ${Python3_EXECUTABLE}
          ${PROJECT_SOURCE_DIR}/tools/opgen/lean_code.py ${made} ${path})
    endif()
    add_custom_command(OUTPUT ${path}
      COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/opgen/opgen.py
              ${JSON} ${what} -o ${made} ${then}
      DEPENDS ${JSON} tensorc_ops_json ${scripts} VERBATIM)
    list(APPEND outs ${path})
  endwhile()
  add_custom_target(${TARGET} DEPENDS ${outs})
endfunction()

# docs/ops.md and docs/functions.md are committed. After a change of a
# definition, `cmake --build build-debug --target docs-ops` updates them.
add_custom_target(docs-ops
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/opgen/opgen.py
          ${TENSORC_OPS_JSON} docs -o ${PROJECT_SOURCE_DIR}/docs/ops.md
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/opgen/opgen.py
          ${TENSORC_API_JSON} function-docs -o ${PROJECT_SOURCE_DIR}/docs/functions.md
  DEPENDS ${TENSORC_OPS_JSON} ${TENSORC_API_JSON} VERBATIM)
