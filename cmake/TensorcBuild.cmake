# Build settings of all targets: ccache, warnings, sanitizers, precompiled
# headers, TableGen, and the two ways to link LLVM.

find_program(CCACHE ccache)
if(CCACHE)
  # ccache must be allowed to use precompiled headers. It gets the includes of a source
  # from the compiler instead of preprocessing the source first, and recognizes unchanged
  # files by their inodes. Otherwise these steps would take longer than the compilation
  # (docs/design/0053).
  set(_ccache env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_INODECACHE=1 ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${_ccache})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${_ccache})
endif()

find_package(Threads REQUIRED)

add_library(tensorc_options INTERFACE)
target_include_directories(tensorc_options INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
# The runtime alone is built with any compiler, and some warn without a reason:
# g++ 12 does with -O3. Its tests set CMAKE_COMPILE_WARNING_AS_ERROR.
if(NOT TENSORC_RUNTIME_ONLY)
  set(_werror -Werror)
endif()
target_compile_options(tensorc_options INTERFACE
  -Wall -Wextra ${_werror} -Wno-unused-parameter)
# Assertions contain source paths. In releases these do not include the build
# folder.
if(TENSORC_STATIC_LLVM OR TENSORC_RUNTIME_ONLY)
  target_compile_options(tensorc_options INTERFACE
    -fmacro-prefix-map=${PROJECT_BINARY_DIR}/=build/ -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()
if(TENSORC_SANITIZE)
  # enum: the C interfaces check their arguments, and C programs may pass any
  # int. Code that uses MLIR consists of many small accessors, so the other
  # three checks would take a quarter of its compile time; ASan reports invalid
  # pointers as well (docs/lab/ci.md). The runtime is built with these checks.
  set(_mlir $<IN_LIST:tensorc_mlir_options,$<TARGET_PROPERTY:LINK_LIBRARIES>>)
  target_compile_options(tensorc_options INTERFACE
    -fsanitize=${TENSORC_SANITIZE} -fno-sanitize=enum -fno-sanitize-recover=all
    $<${_mlir}:-fno-sanitize=null,object-size,pointer-overflow>
    -fno-omit-frame-pointer)
  # This applies to every program, because programs that link only the libraries
  # need it, too.
  add_link_options(-fsanitize=${TENSORC_SANITIZE})
endif()

# tensorc_batch(NAME SOURCES... [BY_FOLDER]): compiles the sources of a target sixteen at a
# time, if TENSORC_UNITY. Sources that open namespace llvm and those that open mlir are in
# separate batches, because both namespaces have a Type and a Value. TableGen's definitions
# of ops are compiled separately, because each file has local functions of the same names.
# BY_FOLDER: sources of different folders are never in one batch, because drivers use the
# same local names.
function(tensorc_batch NAME)
  cmake_parse_arguments(A "BY_FOLDER" "" "" ${ARGN})
  if(NOT TENSORC_UNITY)
    return()
  endif()
  set_target_properties(${NAME} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # g++ considers the sources of a batch headers, and warns of their local types.
    target_compile_options(${NAME} PRIVATE -Wno-subobject-linkage)
  endif()
  foreach(source ${A_UNPARSED_ARGUMENTS})
    file(STRINGS ${source} opened REGEX "^using namespace llvm;" LIMIT_COUNT 1)
    file(STRINGS ${source} defined REGEX "^#include .*\\.cpp\\.inc\"" LIMIT_COUNT 1)
    if(NOT defined)
      set(kind mlir)
      if(opened)
        set(kind llvm)
      endif()
      if(A_BY_FOLDER)
        get_filename_component(path ${source} ABSOLUTE)
        get_filename_component(path ${path} DIRECTORY)
        file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${path})
        string(MAKE_C_IDENTIFIER "${path}" kind)
      endif()
      if(NOT DEFINED ${kind}_count)
        set(${kind}_count 0)
      endif()
      math(EXPR batch "${${kind}_count} / 16")
      math(EXPR ${kind}_count "${${kind}_count} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${kind}_${batch})
    endif()
  endforeach()
endfunction()

if(TENSORC_RUNTIME_ONLY)
  return()
endif()

# tensorc_precompile(NAME HEADER OPTIONS [AFTER BASE]): a target whose precompiled header
# other targets use (REUSE_FROM). It contains no file times, so that ccache
# recognizes it in any folder. AFTER: contains only what the precompiled header of
# target BASE does not contain, and refers to that one. BASE has the same options.
function(tensorc_precompile NAME HEADER OPTIONS)
  cmake_parse_arguments(A "" "AFTER" "" ${ARGN})
  file(WRITE ${PROJECT_BINARY_DIR}/${NAME}.cpp "")
  add_library(${NAME} OBJECT ${PROJECT_BINARY_DIR}/${NAME}.cpp)
  target_link_libraries(${NAME} PRIVATE ${OPTIONS})
  target_compile_options(${NAME} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  target_precompile_headers(${NAME} PRIVATE <${HEADER}>)
  if(A_AFTER)
    set(_folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles)
    set(_base ${_folder}/${A_AFTER}.dir/cmake_pch.hxx.pch)
    target_compile_options(${NAME} PRIVATE "SHELL:-Xclang -include-pch -Xclang ${_base}")
    set_source_files_properties(${_folder}/${NAME}.dir/cmake_pch.hxx.cxx PROPERTIES OBJECT_DEPENDS ${_base})
  endif()
endfunction()
# For code that uses neither LLVM nor MLIR. If only the runtime is built, it has
# no precompiled header, which checks that its sources include all headers they
# need.
tensorc_precompile(tensorc_pch_std cmake/pch_std.h tensorc_options)
set(TENSORC_PLAIN_PCH tensorc_pch_std)
set(TENSORC_PLAIN_OPTIONS tensorc_options)
# For code that only calls the libraries (tests and examples). Optimizing it would take
# most of its compile time.
add_library(tensorc_caller_options INTERFACE)
target_link_libraries(tensorc_caller_options INTERFACE tensorc_options)
target_compile_options(tensorc_caller_options INTERFACE -O0)

# Debian's MLIR is compiled by clang, and MLIR compares op traits by names that
# depend on the compiler. If our code were compiled by g++, hasTrait would
# always return false for MLIR's ops.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "tensorc needs clang (traits of Debian's MLIR do not match under "
    "${CMAKE_CXX_COMPILER_ID}): remove this build folder and configure by a preset")
endif()

# lld takes a fifth of the time of GNU ld.
add_link_options(-fuse-ld=lld)

find_package(LLVM 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/llvm)
find_package(MLIR REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir)
set(TENSORC_LLVM_BIN ${LLVM_TOOLS_BINARY_DIR})
set(LLVM_TARGET_DEFINITIONS_DIR "")
list(APPEND CMAKE_MODULE_PATH ${LLVM_CMAKE_DIR} ${MLIR_CMAKE_DIR})
include(TableGen)
set(MLIR_TABLEGEN_EXE ${TENSORC_LLVM_BIN}/mlir-tblgen)

# Headers and warnings of code that uses LLVM and MLIR; they are SYSTEM, so
# only our own code is held to -Werror.
add_library(tensorc_mlir_options INTERFACE)
target_link_libraries(tensorc_mlir_options INTERFACE tensorc_options)
target_include_directories(tensorc_mlir_options SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(tensorc_mlir_options INTERFACE
  _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)

include(TensorcLinkLLVM)

# Precompiled headers: with MLIR only, for the folders that define dialects; with our
# dialects, for most other folders; and with the ops of tx, for folders whose sources use
# them, so that an edit of an op recompiles only these. They contain headers that take
# longer to parse than most sources.
# Each contains only what the one before it does not, which halves the time to compile them.
tensorc_precompile(tensorc_pch_mlir cmake/pch_mlir.h tensorc_mlir_options)
tensorc_precompile(tensorc_pch_dialects cmake/pch_dialects.h tensorc_mlir_options AFTER tensorc_pch_mlir)
tensorc_precompile(tensorc_pch_ops cmake/pch_ops.h tensorc_mlir_options AFTER tensorc_pch_dialects)
foreach(pch dialects ops)
  add_dependencies(tensorc_pch_${pch} tensorc_ir_tx_inc tensorc_ir_program_gen
                   tensorc_codegen_kernel_ops_gen)
endforeach()
set(TENSORC_PCH tensorc_pch_mlir)

# tensorc_without_sanitizers(TARGETS...): builds with sanitizers leave these out, because
# they run no test of them (docs/design/0053).
function(tensorc_without_sanitizers)
  if(TENSORC_SANITIZE)
    set_target_properties(${ARGN} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# tensorc_library(NAME SOURCES... [DEPS targets...] [PLAIN])
# A library of one folder. PLAIN: uses neither LLVM nor MLIR.
function(tensorc_library NAME)
  cmake_parse_arguments(A "PLAIN" "" "SOURCES;DEPS" ${ARGN})
  add_library(${NAME} STATIC ${A_SOURCES})
  if(A_PLAIN)
    target_link_libraries(${NAME} PUBLIC ${TENSORC_PLAIN_OPTIONS} ${A_DEPS})
    target_precompile_headers(${NAME} REUSE_FROM ${TENSORC_PLAIN_PCH})
  else()
    target_link_libraries(${NAME} PUBLIC tensorc_mlir_options ${A_DEPS})
    target_precompile_headers(${NAME} REUSE_FROM ${TENSORC_PCH})
  endif()
  tensorc_batch(${NAME} ${A_SOURCES})
endfunction()

# tensorc_executable(NAME SOURCES... [DEPS targets...] [PLAIN])
function(tensorc_executable NAME)
  cmake_parse_arguments(A "PLAIN" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${NAME} ${A_SOURCES})
  if(A_PLAIN)
    target_link_libraries(${NAME} PRIVATE ${TENSORC_PLAIN_OPTIONS} ${A_DEPS})
    target_precompile_headers(${NAME} REUSE_FROM ${TENSORC_PLAIN_PCH})
  else()
    target_link_libraries(${NAME} PRIVATE tensorc_mlir_options ${A_DEPS} tensorc_llvm)
    target_precompile_headers(${NAME} REUSE_FROM ${TENSORC_PCH})
  endif()
  # Precompiled headers are compiled with -fPIC, but CMake compiles executables
  # with -fPIE.
  target_compile_options(${NAME} PRIVATE -fPIC)
endfunction()

# tensorc_tablegen(TARGET FILE.td  OUT ARGS [OUT ARGS ...])
# Runs mlir-tblgen. The outputs are in the build tree, at the path of the source. Comments,
# descriptions of ops and unused functions are removed from them, because hundreds of
# sources include them.
function(tensorc_tablegen TARGET TD)
  set(outs "")
  set(rest ${ARGN})
  set(_lean ${PROJECT_SOURCE_DIR}/tools/opgen/lean_code.py)
  while(rest)
    list(POP_FRONT rest out args)
    separate_arguments(args)
    set(path ${CMAKE_CURRENT_BINARY_DIR}/${out})
    file(GLOB_RECURSE tds CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ir/*.td
         ${PROJECT_SOURCE_DIR}/codegen/*.td ${PROJECT_SOURCE_DIR}/compiler/*.td)
    add_custom_command(OUTPUT ${path}
      COMMAND ${MLIR_TABLEGEN_EXE} ${args} -I ${PROJECT_SOURCE_DIR}
              -I ${MLIR_INCLUDE_DIRS} ${CMAKE_CURRENT_SOURCE_DIR}/${TD}
              --write-if-changed -o ${path}.whole
      COMMAND ${Python3_EXECUTABLE} ${_lean} ${path}.whole ${path}
      DEPENDS ${tds} ${_lean} VERBATIM)
    list(APPEND outs ${path})
  endwhile()
  add_custom_target(${TARGET} DEPENDS ${outs})
endfunction()

include(TensorcOpgen)
