// The product after an attention reads heads that are joined by a transpose and a reshape. Its rows are two
// loops, and its steps are split at the end of a head, so that tile registers read x as blocks along K.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules | FileCheck %s --check-prefix=SCHEDULE
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
//
// The bits are those of every other kernel.
// DEFINE: %{same} = env TENSORC_CPU=x86-64-amx %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-amx %{ %{same} --entry=heads -- dot_general:skeleton=panel dot_general:part=4 dot_general:tiles=2 %}
// RUN: %if x86-64-amx %{ %{same} --entry=transposed -- dot_general:skeleton=panel dot_general:part=16 %}
// RUN: %if x86-64-amx %{ %{same} --entry=words -- dot_general:skeleton=panel dot_general:part=4 %}
// RUN: %if x86-64-amx %{ %{same} --entry=bytes -- dot_general:skeleton=panel dot_general:part=2 %}
// RUN: %if x86-64-amx %{ %{same} --entry=apart -- dot_general:skeleton=panel %}

module attributes {tx.target = "cpu:x86-64-amx"} {
// Rows of x are contiguous along K within a head, so 32 steps are one load.
// SCHEDULE-LABEL: func.func @heads(
// SCHEDULE:       order = #tx.order<"chains", lanes = [2], chunk = 32>, schedule = #tx.schedule<"amx", rows = 32, vectors = 2,
// CHECK-LABEL: func.func @dot_general_rows(
// CHECK:       vector.load {{.*}} : memref<?xbf16>, vector<32xbf16>
func.func @heads(%x: tensor<3x4x37x64xbf16>, %w: tensor<256x96xbf16>) -> tensor<3x37x96xbf16> {
  %t = tx.transpose %x permutation = [0, 2, 1, 3] : tensor<3x4x37x64xbf16> -> tensor<3x37x4x64xbf16>
  %r = tx.reshape %t : tensor<3x37x4x64xbf16> -> tensor<3x37x256xbf16>
  %0 = tx.dot_general %r, %w batch = [] x [] contracting = [2] x [0]
      : (tensor<3x37x256xbf16>, tensor<256x96xbf16>) -> tensor<3x37x96xbf16>
  return %0 : tensor<3x37x96xbf16>
}

// SCHEDULE-LABEL: func.func @transposed(
// SCHEDULE:       #tx.schedule<"amx", rows = 32, vectors = 2,
func.func @transposed(%x: tensor<3x4x37x64xbf16>, %w: tensor<96x256xbf16>) -> tensor<3x37x96xbf16> {
  %t = tx.transpose %x permutation = [0, 2, 1, 3] : tensor<3x4x37x64xbf16> -> tensor<3x37x4x64xbf16>
  %r = tx.reshape %t : tensor<3x37x4x64xbf16> -> tensor<3x37x256xbf16>
  %0 = tx.dot_general %r, %w batch = [] x [] contracting = [2] x [1]
      : (tensor<3x37x256xbf16>, tensor<96x256xbf16>) -> tensor<3x37x96xbf16>
  return %0 : tensor<3x37x96xbf16>
}

// A weight in words has loops of its own for the steps of a word, which are joined with the others first.
// SCHEDULE-LABEL: func.func @words(
// SCHEDULE:       #tx.schedule<"amx", rows = 32, vectors = 2,
func.func @words(%x: tensor<3x4x37x64xbf16>, %w: tensor<6x128x16x2xbf16>) -> tensor<3x37x6x16xbf16> {
  %t = tx.transpose %x permutation = [0, 2, 1, 3] : tensor<3x4x37x64xbf16> -> tensor<3x37x4x64xbf16>
  %r = tx.reshape %t : tensor<3x37x4x64xbf16> -> tensor<3x37x128x2xbf16>
  %0 = tx.dot_general %r, %w batch = [] x [] contracting = [2, 3] x [1, 3]
      : (tensor<3x37x128x2xbf16>, tensor<6x128x16x2xbf16>) -> tensor<3x37x6x16xbf16>
  return %0 : tensor<3x37x6x16xbf16>
}

// SCHEDULE-LABEL: func.func @bytes(
// SCHEDULE:       #tx.schedule<"amx", rows = 32, vectors = 2,
func.func @bytes(%x: tensor<3x4x37x64xi8>, %w: tensor<256x96xi8>) -> tensor<3x37x96xi32> {
  %t = tx.transpose %x permutation = [0, 2, 1, 3] : tensor<3x4x37x64xi8> -> tensor<3x37x4x64xi8>
  %r = tx.reshape %t : tensor<3x37x4x64xi8> -> tensor<3x37x256xi8>
  %a = tx.convert %r : tensor<3x37x256xi8> -> tensor<3x37x256xi32>
  %b = tx.convert %w : tensor<256x96xi8> -> tensor<256x96xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [2] x [0]
      : (tensor<3x37x256xi32>, tensor<256x96xi32>) -> tensor<3x37x96xi32>
  return %0 : tensor<3x37x96xi32>
}

// Two contracted dims whose inner one is a multiple of a block.
// SCHEDULE-LABEL: func.func @apart(
// SCHEDULE:       #tx.schedule<"amx", rows = 32, vectors = 2,
func.func @apart(%x: tensor<5x4x37x64xbf16>, %w: tensor<4x64x96xbf16>) -> tensor<5x37x96xbf16> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1, 3] x [0, 1]
      : (tensor<5x4x37x64xbf16>, tensor<4x64x96xbf16>) -> tensor<5x37x96xbf16>
  return %0 : tensor<5x37x96xbf16>
}
}
