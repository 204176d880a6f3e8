# cmake -DLIBRARY= -DNM= -DREADELF= -P: fails on a symbol or a library too many.
execute_process(COMMAND ${NM} -D --defined-only --format=just-symbols ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n" ";" symbols "${symbols}")
list(FILTER symbols EXCLUDE REGEX "^(tensorc_rt_[a-z0-9_]+)?$")
# The sanitizers and the debug build add their own.
list(FILTER symbols EXCLUDE REGEX "^_*[atu]b?san|sanitizer|^__start|^__stop")
if(symbols)
  message(FATAL_ERROR "exported besides tensorc_rt_*: ${symbols}")
endif()
execute_process(COMMAND ${READELF} --needed-libs ${LIBRARY}
  OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
if(needed MATCHES "LLVM|MLIR|flatbuffers")
  message(FATAL_ERROR "needs more than oneTBB: ${needed}")
endif()
