// Functions of constants fold to the bits that kernels compute: MLIR's own folding would call
// the C library, which rounds otherwise.
//
// DEFINE: %{same} = %python %S/Inputs/constant_math.py %tensorc
// RUN: %{same} --device=cpu
// RUN: %{same} --device=sim:sm_80
// RUN: %{same} --device=sim:gfx942
