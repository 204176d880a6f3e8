// Products of bf16 on tile registers have the bits of the interpreter, also where the instruction would flush subnormal
// numbers, and those of any other kernel in the order of chains.
//
// REQUIRES: x86-64-amx
// DEFINE: %{interpreted} = env TENSORC_CPU=x86-64-amx %python %S/../Inputs/interpreted_bits.py %tensorc
// RUN: %{interpreted} 101 40 amx
// RUN: env TENSORC_NUM_THREADS=3 %{interpreted} 102 40 amx
// RUN: env TENSORC_CPU=x86-64-amx %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu -- dot_general:skeleton=panel dot_general:rows=1 dot_general:skeleton=amx,part=5 dot_general:skeleton=amx,tiles=1

// A package has the same bits on a level without the instruction.
// RUN: rm -rf %t && mkdir %t
// RUN: env TENSORC_CPU=x86-64-amx %tensorc run %s --device=cpu --random-inputs --output-dir=%t/amx
// RUN: env TENSORC_CPU=x86-64-v3 %tensorc run %s --device=cpu --random-inputs --output-dir=%t/v3
// RUN: cmp %t/amx/out0.npy %t/v3/out0.npy

module attributes {txk.bf16_order = "chains"} {
func.func @main(%x: tensor<2x75x333xbf16>, %y: tensor<2x333x161xbf16>) -> tensor<2x75x161xf32> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x75x333xbf16>, tensor<2x333x161xbf16>) -> tensor<2x75x161xf32>
  return %0 : tensor<2x75x161xf32>
}
}
