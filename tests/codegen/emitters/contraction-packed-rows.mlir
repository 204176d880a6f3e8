// x is packed by a kernel before the tiles', where these cannot read it well: along its rows, or narrower than it is multiplied. The
// bits are those of tiles that read it themselves: with rows, columns and sums that no tile divides, batches, and where x is computed.
//
// DEFINE: %{same} = env TENSORC_CPU=x86-64-v4 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: %if x86-64-v4 %{ %{same} --entry=turned -- dot_general:skeleton=panel dot_general:rows=7 dot_general:skeleton=packed,rows=1,vectors=2 %}
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=turned --device=cpu --random-inputs --compare=reference
// RUN: %if x86-64-v4 %{ %{same} --entry=half -- dot_general_add:skeleton=panel dot_general_add:rows=7 dot_general_add:skeleton=packed,vectors=1 %}
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=half --device=cpu --random-inputs --compare=reference
// RUN: %if x86-64-v4 %{ %{same} --entry=half_turned -- dot_general:skeleton=panel dot_general:rows=7 dot_general:skeleton=packed,vectors=1 %}
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=half_turned --device=cpu --random-inputs --compare=reference
// RUN: %if x86-64-v4 %{ %{same} --entry=batched -- dot_general:skeleton=panel %}
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=batched --device=cpu --random-inputs --compare=reference
// RUN: %if x86-64-v4 %{ %{same} --entry=computed -- dot_general:skeleton=panel %}
// RUN: %tensorc run %s --entry=computed --device=cpu --random-inputs --compare=reference
//
// What turns y takes no registers from the sums.
// RUN: %tensorc compile %s --entry=half_turned --emit=asm --target=cpu:x86-64-v4 -o %t.s
// RUN: FileCheck %s --check-prefix=ASM < %t.s
// ASM-LABEL: dot_general:
// ASM:       vunpcklps
// ASM-NOT:   vpermt2
// ASM:       vfmadd

// 24 tiles of rows, 32 steps of the sum.
// CHECK-LABEL: func.func @dot_general_rows(
// CHECK:       scf.for
// CHECK:       vector.load {{.*}} vector<16xf32>
// CHECK-NOT:   vector.shuffle
// CHECK:       vector.store {{.*}} vector<16xf32>
// CHECK:       return
// CHECK-LABEL: func.func @dot_general(
// CHECK:       scf.for {{.*}} iter_args
// CHECK:       memref.prefetch {{.*}} : memref<?xf32>
// CHECK-COUNT-28: vector.fma
// CHECK-NEXT:  scf.yield
func.func @turned(%x: tensor<331x1603xf32>, %y: tensor<331x259xf32>) -> tensor<1603x259xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0] : (tensor<331x1603xf32>, tensor<331x259xf32>) -> tensor<1603x259xf32>
  return %0 : tensor<1603x259xf32>
}
// A copy along the sum.
// CHECK-LABEL: func.func @dot_general_add_rows(
// CHECK:       arith.extf {{.*}} vector<16xf16> to vector<16xf32>
// CHECK-LABEL: func.func @dot_general_add(
// CHECK-NOT:   arith.extf {{.*}} f16 to f32
// CHECK:       return
func.func @half(%x: tensor<70x131xf16>, %y: tensor<131x256xf16>, %r: tensor<70x256xf16>) -> tensor<70x256xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<70x131xf16>, tensor<131x256xf16>) -> tensor<70x256xf16>
  %1 = tx.add %0, %r : tensor<70x256xf16>
  return %1 : tensor<70x256xf16>
}
func.func @half_turned(%x: tensor<131x70xf16>, %y: tensor<256x131xf16>) -> tensor<70x256xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [1] : (tensor<131x70xf16>, tensor<256x131xf16>) -> tensor<70x256xf32>
  return %0 : tensor<70x256xf32>
}
func.func @batched(%x: tensor<3x131x70xf16>, %y: tensor<3x131x256xf16>) -> tensor<3x70x256xf32> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [1] x [1] : (tensor<3x131x70xf16>, tensor<3x131x256xf16>) -> tensor<3x70x256xf32>
  return %0 : tensor<3x70x256xf32>
}
func.func @computed(%x: tensor<131x70xi8>, %y: tensor<131x256xf32>) -> tensor<70x256xf32> {
  %0 = tx.convert %x : tensor<131x70xi8> -> tensor<131x70xf32>
  %1 = tx.dot_general %0, %y batch = [] x [] contracting = [0] x [0] : (tensor<131x70xf32>, tensor<131x256xf32>) -> tensor<70x256xf32>
  return %1 : tensor<70x256xf32>
}
