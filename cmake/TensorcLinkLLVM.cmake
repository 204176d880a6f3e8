# tensorc_llvm: what a final link adds. Debug: the shared MLIR and LLVM, for
# quick links. Release: every archive by path, because the exported CMake
# targets of the static MLIR pull in the shared libLLVM, and both together
# register each command-line option twice.
add_library(tensorc_llvm INTERFACE)
set(_lib ${LLVM_LIBRARY_DIR})
if(NOT TENSORC_STATIC_LLVM)
  set(TENSORC_Z z)
  target_link_libraries(tensorc_llvm INTERFACE
    ${_lib}/liblldELF.a ${_lib}/liblldCommon.a ${_lib}/libMLIR.so
    ${_lib}/libLLVM.so z zstd Threads::Threads)
  return()
endif()

file(GLOB _mlir ${_lib}/libMLIR*.a)
list(FILTER _mlir EXCLUDE REGEX "Test|CAPI|Lsp|Runner|TransformDebug|TableGen")
execute_process(
  COMMAND ${TENSORC_LLVM_BIN}/llvm-config --link-static --libs X86 AArch64
          NVPTX AMDGPU OrcJIT Passes lto option dtlto
  OUTPUT_VARIABLE _llvm OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(_llvm)
list(FILTER _llvm EXCLUDE REGEX "Polly")

# lld's LTO driver names every target's initializers and Polly.
set(_stub ${CMAKE_BINARY_DIR}/llvm_stubs.cpp)
set(_text "// Targets left out of the link: lld's LTO driver names them all.\n#include <cstddef>\nextern \"C\" {\n")
set(_kept X86 AArch64 NVPTX AMDGPU)
foreach(kind Targets AsmPrinters AsmParsers)
  file(STRINGS ${LLVM_INCLUDE_DIRS}/llvm/Config/${kind}.def _lines REGEX "^LLVM_[A-Z_]+\\(")
  foreach(line ${_lines})
    string(REGEX REPLACE "^LLVM_[A-Z_]+\\(([A-Za-z0-9]+)\\).*" "\\1" t "${line}")
    if(NOT t IN_LIST _kept)
      if(kind STREQUAL "Targets")
        foreach(s TargetInfo Target TargetMC)
          string(APPEND _text "void LLVMInitialize${t}${s}() {}\n")
        endforeach()
      elseif(kind STREQUAL "AsmPrinters")
        string(APPEND _text "void LLVMInitialize${t}AsmPrinter() {}\n")
      else()
        string(APPEND _text "void LLVMInitialize${t}AsmParser() {}\n")
      endif()
    endif()
  endforeach()
endforeach()
string(APPEND _text "}\n")
# Does nothing when a pass pipeline asks Polly for its passes.
string(APPEND _text "#include <llvm/Plugins/PassPlugin.h>\n"
  "llvm::PassPluginLibraryInfo getPollyPluginInfo() {\n"
  "  return {LLVM_PLUGIN_API_VERSION, \"none\", \"0\"};\n}\n")
file(CONFIGURE OUTPUT ${_stub} CONTENT "${_text}" @ONLY)
add_library(tensorc_llvm_stubs STATIC ${_stub})
target_include_directories(tensorc_llvm_stubs SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})

# These two as archives as well: what ships then needs the C and C++ runtimes
# only.
find_library(TENSORC_Z libz.a REQUIRED)
find_library(TENSORC_ZSTD libzstd.a REQUIRED)
mark_as_advanced(TENSORC_Z TENSORC_ZSTD)
target_link_libraries(tensorc_llvm INTERFACE
  -Wl,--gc-sections -Wl,--start-group ${_mlir} tensorc_llvm_stubs -L${_lib} ${_llvm}
  ${_lib}/liblldELF.a ${_lib}/liblldCommon.a -Wl,--end-group
  ${TENSORC_Z} ${TENSORC_ZSTD} m dl Threads::Threads)
