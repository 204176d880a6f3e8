# tensorc_llvm: the libraries of LLVM and MLIR for a final link. Debug: the
# shared MLIR and LLVM, for quick links. Release: every archive by path, because
# the exported CMake targets of the static MLIR pull in the shared libLLVM, and
# both together register each command-line option twice.
add_library(tensorc_llvm INTERFACE)
set(_lib ${LLVM_LIBRARY_DIR})
if(NOT TENSORC_STATIC_LLVM)
  set(TENSORC_Z z)
  target_link_libraries(tensorc_llvm INTERFACE
    ${_lib}/liblldELF.a ${_lib}/liblldWasm.a ${_lib}/liblldCommon.a ${_lib}/libMLIR.so
    ${_lib}/libLLVM.so z zstd Threads::Threads)
  return()
endif()

file(GLOB _mlir ${_lib}/libMLIR*.a)
list(FILTER _mlir EXCLUDE REGEX "Test|CAPI|Runner|TransformDebug|TableGen")
execute_process(
  COMMAND ${TENSORC_LLVM_BIN}/llvm-config --link-static --libs X86 AArch64
          NVPTX AMDGPU WebAssembly OrcJIT Passes lto option supportlsp
  OUTPUT_VARIABLE _llvm OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(_llvm)
list(FILTER _llvm EXCLUDE REGEX "Polly")

# Parts that are excluded from the link, 11 MB of 37 MB in a wheel
# (docs/design/0007). lld's driver refers to the initializers of every target
# and every assembly parser, to link-time optimization, and to all machines for
# which it can link.
set(_stub ${CMAKE_BINARY_DIR}/llvm_stubs.cpp)
set(_text "// Left out of the link (cmake/TensorcLinkLLVM.cmake).\n#include <cstdlib>\n#include <new>\nextern \"C\" {\n")
set(_kept X86 AArch64 NVPTX AMDGPU WebAssembly)
foreach(kind Targets AsmPrinters AsmParsers)
  file(STRINGS ${LLVM_INCLUDE_DIRS}/llvm/Config/${kind}.def _lines REGEX "^LLVM_[A-Z_]+\\(")
  foreach(line ${_lines})
    string(REGEX REPLACE "^LLVM_[A-Z_]+\\(([A-Za-z0-9]+)\\).*" "\\1" t "${line}")
    if(kind STREQUAL "AsmParsers")
      # Assembly is written but never parsed, because only PTX contains inline
      # assembly.
      string(APPEND _text "void LLVMInitialize${t}AsmParser() {}\n")
    elseif(NOT t IN_LIST _kept)
      if(kind STREQUAL "Targets")
        foreach(s TargetInfo Target TargetMC)
          string(APPEND _text "void LLVMInitialize${t}${s}() {}\n")
        endforeach()
      else()
        string(APPEND _text "void LLVMInitialize${t}AsmPrinter() {}\n")
      endif()
    endif()
  endforeach()
endforeach()
# References to these functions are redirected to functions that end the
# program, so that the code they need is not linked. Objects are for X86,
# AArch64 or AMDGPU, patterns are written in C++, and debug information is never
# verified.
set(_unused
  _ZN4llvm12DWARFContext6verifyERNS_11raw_ostreamENS_13DIDumpOptionsE
  # mlir::createConvertPDLToPDLInterpPass, and mlir::detail::PDLByteCode's constructor, match and rewrite
  _ZN4mlir31createConvertPDLToPDLInterpPassERN4llvm8DenseMapIPNS_9OperationEPNS_19PDLPatternConfigSetENS0_12DenseMapInfoIS3_vEENS0_6detail12DenseMapPairIS3_S5_EEEE
  _ZN4mlir6detail11PDLByteCodeC1ENS_8ModuleOpEN4llvm11SmallVectorISt10unique_ptrINS_19PDLPatternConfigSetESt14default_deleteIS6_EELj6EEERKNS3_8DenseMapIPNS_9OperationEPS6_NS3_12DenseMapInfoISD_vEENS3_6detail12DenseMapPairISD_SE_EEEENS3_9StringMapISt8functionIFNS3_13LogicalResultERNS_15PatternRewriterERNS_13PDLResultListENS3_8ArrayRefINS_8PDLValueEEEEENS3_15MallocAllocatorEEES10_
  _ZNK4mlir6detail11PDLByteCode5matchEPNS_9OperationERNS_15PatternRewriterERN4llvm15SmallVectorImplINS1_11MatchResultEEERNS0_23PDLByteCodeMutableStateE
  _ZNK4mlir6detail11PDLByteCode7rewriteERNS_15PatternRewriterERKNS1_11MatchResultERNS0_23PDLByteCodeMutableStateE)
foreach(t ARM AVR Hexagon LoongArch Mips MSP430 PPC PPC64 RISCV SPARCV9 SystemZ)
  string(LENGTH "set${t}TargetInfo" _length)
  list(APPEND _unused "_ZN3lld3elf${_length}set${t}TargetInfoERNS0_3CtxE")
endforeach()
# GlobalISel, LLVM's second instruction selector, which LLVMCompilation.cpp turns off, and
# machines, formats and languages that are not used: R600, Windows, assembly.
list(APPEND _unused
  _ZN4llvm12IRTranslatorC1ENS_15CodeGenOptLevelE
  _ZN4llvm13CodeViewDebugC1EPNS_10AsmPrinterE
  _ZN4llvm13RegBankSelectC1ENS0_4ModeE
  _ZN4llvm17InstructionSelectC1ENS_15CodeGenOptLevelERc
  _ZN4llvm17R600TargetMachineC1ERKNS_6TargetERKNS_6TripleENS_9StringRefES7_RKNS_13TargetOptionsESt8optionalINS_5Reloc5ModelEESB_INS_9CodeModel5ModelEENS_15CodeGenOptLevelEb
  _ZN4llvm17createMCAsmParserERNS_9SourceMgrERNS_9MCContextERNS_10MCStreamerERKNS_9MCAsmInfoEj
  _ZN4llvm27createAMDGPURegBankCombinerEb
  _ZN4llvm29createAMDGPURegBankSelectPassEv
  _ZN4llvm29createX86PreLegalizerCombinerEv
  _ZN4llvm31createAArch64PostSelectOptimizeEv
  _ZN4llvm31createAMDGPUPreLegalizeCombinerEb
  _ZN4llvm31createAMDGPURegBankLegalizePassEv
  _ZN4llvm32createAMDGPUPostLegalizeCombinerEb
  _ZN4llvm33createAArch64PreLegalizerCombinerEv
  _ZN4llvm34createAArch64PostLegalizerCombinerEb
  _ZN4llvm34createAArch64PostLegalizerLoweringEv
  _ZN4llvm35createAArch64O0PreLegalizerCombinerEv
  _ZN4llvm44createAMDGPUGlobalISelDivergenceLoweringPassEv
  _ZN4llvm9LegalizerC1Ev)
set(_wrapped "")
foreach(_symbol ${_unused})
  string(APPEND _text "void __wrap_${_symbol}() { std::abort(); }\n")
  list(APPEND _wrapped -Wl,--wrap=${_symbol})
endforeach()
# All targets register GlobalISel's passes and create its objects. The replacements
# do nothing, or return objects that can only be deleted.
foreach(_pass GlobalISel LegalizerPass LocalizerPass IRTranslatorPass LoadStoreOptPass RegBankSelectPass InstructionSelectPass
    AMDGPURegBankSelectPass AMDGPURegBankCombinerPass AMDGPURegBankLegalizePass X86PreLegalizerCombinerPass
    AArch64PostSelectOptimizePass AMDGPUPreLegalizerCombinerPass AArch64PreLegalizerCombinerPass AMDGPUPostLegalizerCombinerPass
    GISelCSEAnalysisWrapperPassPass AArch64PostLegalizerCombinerPass AArch64PostLegalizerLoweringPass
    AArch64O0PreLegalizerCombinerPass GISelValueTrackingAnalysisLegacyPass AMDGPUGlobalISelDivergenceLoweringPass)
  string(LENGTH "initialize${_pass}" _length)
  list(APPEND _nothing "_ZN4llvm${_length}initialize${_pass}ERNS_12PassRegistryE")
endforeach()
list(APPEND _nothing
  _ZN4llvm28createX86InstructionSelectorERKNS_16X86TargetMachineERKNS_12X86SubtargetERKNS_19X86RegisterBankInfoE
  _ZN4llvm32createAArch64InstructionSelectorERKNS_20AArch64TargetMachineERKNS_16AArch64SubtargetERKNS_23AArch64RegisterBankInfoE)
foreach(_symbol ${_nothing})
  string(APPEND _text "void *__wrap_${_symbol}() { return nullptr; }\n")
  list(APPEND _wrapped -Wl,--wrap=${_symbol})
endforeach()
string(APPEND _text "static void drop(void *object) { ::operator delete(object); }\n"
  "struct Functions {\n  void (*each[64])(void *);\n  constexpr Functions() : each() {\n"
  "    for (auto &one : each)\n      one = drop;\n  }\n};\nstatic constexpr Functions functions;\n")
foreach(_symbol
    _ZN4llvm25AMDGPUInstructionSelectorC1ERKNS_12GCNSubtargetERKNS_22AMDGPURegisterBankInfoERKNS_19AMDGPUTargetMachineE
    _ZN4llvm19AMDGPULegalizerInfoC1ERKNS_12GCNSubtargetERKNS_16GCNTargetMachineE
    _ZN4llvm16X86LegalizerInfoC1ERKNS_12X86SubtargetERKNS_16X86TargetMachineE
    _ZN4llvm20AArch64LegalizerInfoC1ERKNS_16AArch64SubtargetE)
  string(APPEND _text "void __wrap_${_symbol}(const void **object) { *object = &functions; }\n")
  list(APPEND _wrapped -Wl,--wrap=${_symbol})
endforeach()
string(APPEND _text "}\n")
# lld requests the objects compiled from bitcode; there is no bitcode, so there are none. The
# class is declared in LLVM 22's LTO.h in lld/ELF and lld/wasm. Its result has the layout of any
# vector of pointers.
string(APPEND _text "#include <llvm/ADT/SmallVector.h>\n")
foreach(_format elf wasm)
  if(_format STREQUAL wasm)
    set(_argument "")
  else()
    set(_argument "Ctx &")
  endif()
  string(APPEND _text "namespace lld::${_format} {\nstruct Ctx;\nclass BitcodeFile;\n"
    "class BitcodeCompiler {\npublic:\n  BitcodeCompiler(${_argument});\n  ~BitcodeCompiler();\n"
    "  void add(BitcodeFile &);\n  llvm::SmallVector<void *, 0> compile();\n};\n"
    "BitcodeCompiler::BitcodeCompiler(${_argument}) {}\n"
    "BitcodeCompiler::~BitcodeCompiler() {}\n"
    "void BitcodeCompiler::add(BitcodeFile &) { std::abort(); }\n"
    "llvm::SmallVector<void *, 0> BitcodeCompiler::compile() { return {}; }\n}\n")
endforeach()
file(CONFIGURE OUTPUT ${_stub} CONTENT "${_text}" @ONLY)
add_library(tensorc_llvm_stubs STATIC ${_stub})
target_include_directories(tensorc_llvm_stubs SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})

# These two are linked as archives as well, so that releases need only the C and
# C++ runtimes.
find_library(TENSORC_Z libz.a REQUIRED)
find_library(TENSORC_ZSTD libzstd.a REQUIRED)
mark_as_advanced(TENSORC_Z TENSORC_ZSTD)
target_link_libraries(tensorc_llvm INTERFACE
  -Wl,--gc-sections,-O2 ${_wrapped} -Wl,--start-group ${_mlir} tensorc_llvm_stubs -L${_lib} ${_llvm}
  ${_lib}/liblldELF.a ${_lib}/liblldWasm.a ${_lib}/liblldCommon.a -Wl,--end-group
  ${TENSORC_Z} ${TENSORC_ZSTD} m dl Threads::Threads)
