// Where there are many tiles, both operands are packed as pairs by kernels before the products'. The bits are those of one multiply-add per
// step: with odd sums, rows and columns, all transpositions, batches, and numbers that the instruction would take for zeros.
//
// REQUIRES: avx512_bf16
// RUN: env TENSORC_TEST_CPU=zen5 %tensorc explain %s --entry=plain | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: schedule packed_pairs rows=12 vectors=2 lanes=16
// DEFINE: %{same} = env TENSORC_TEST_CPU=zen5 %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %{same} --entry=plain -- dot_general:skeleton=pairs dot_general:skeleton=panel dot_general:skeleton=packed_pairs,rows=1,vectors=3
// RUN: env TENSORC_TEST_CPU=zen5 TENSORC_CHECK=memory %tensorc run %s --entry=plain --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=x_turned -- dot_general:skeleton=pairs dot_general:skeleton=panel dot_general:skeleton=packed_pairs,rows=1,vectors=3
// RUN: env TENSORC_TEST_CPU=zen5 TENSORC_CHECK=memory %tensorc run %s --entry=x_turned --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=y_turned -- dot_general:skeleton=pairs dot_general:skeleton=panel dot_general:skeleton=packed_pairs,rows=1,vectors=3
// RUN: env TENSORC_TEST_CPU=zen5 TENSORC_CHECK=memory %tensorc run %s --entry=y_turned --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=both_turned -- dot_general:skeleton=pairs dot_general:skeleton=panel dot_general:skeleton=packed_pairs,rows=1,vectors=3
// RUN: env TENSORC_TEST_CPU=zen5 TENSORC_CHECK=memory %tensorc run %s --entry=both_turned --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=batched -- dot_general:skeleton=pairs dot_general:skeleton=panel dot_general:skeleton=packed_pairs,rows=1,vectors=3
// RUN: env TENSORC_TEST_CPU=zen5 TENSORC_CHECK=memory %tensorc run %s --entry=batched --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=small -- mul_dot_general:skeleton=pairs mul_dot_general:skeleton=panel mul_dot_general:skeleton=packed_pairs,rows=1,vectors=3
// RUN: env TENSORC_TEST_CPU=zen5 TENSORC_CHECK=memory %tensorc run %s --entry=small --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=small_turned -- mul_dot_general:skeleton=pairs mul_dot_general:skeleton=panel mul_dot_general:skeleton=packed_pairs,rows=1,vectors=3
// RUN: env TENSORC_TEST_CPU=zen5 TENSORC_CHECK=memory %tensorc run %s --entry=small_turned --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=fused -- dot_general_tanh:skeleton=pairs dot_general_tanh:skeleton=panel dot_general_tanh:skeleton=packed_pairs,rows=1,vectors=3
// RUN: env TENSORC_TEST_CPU=zen5 TENSORC_CHECK=memory %tensorc run %s --entry=fused --device=cpu --random-inputs --compare=reference
//
// The sums stay in registers, and nothing is packed among them.
// RUN: env TENSORC_TEST_CPU=zen5 %tensorc compile %s --emit=asm --entry=both_turned --target=cpu -o %t.s
// RUN: FileCheck %s < %t.s
// CHECK-LABEL: dot_general:
// CHECK-NOT:   vpminuw
// CHECK:       vdpbf16ps
// CHECK-NOT:   (%rsp)
// CHECK:       vdpbf16ps
// CHECK-COUNT-22: vdpbf16ps
// CHECK-NOT:   vdpbf16ps

func.func @plain(%x: tensor<131x167xbf16>, %y: tensor<167x201xbf16>) -> tensor<131x201xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<131x167xbf16>, tensor<167x201xbf16>) -> tensor<131x201xf32>
  return %0 : tensor<131x201xf32>
}
func.func @x_turned(%x: tensor<167x131xbf16>, %y: tensor<167x201xbf16>) -> tensor<131x201xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0]
      : (tensor<167x131xbf16>, tensor<167x201xbf16>) -> tensor<131x201xf32>
  return %0 : tensor<131x201xf32>
}
func.func @y_turned(%x: tensor<131x167xbf16>, %y: tensor<201x167xbf16>) -> tensor<131x201xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1]
      : (tensor<131x167xbf16>, tensor<201x167xbf16>) -> tensor<131x201xf32>
  return %0 : tensor<131x201xf32>
}
func.func @both_turned(%x: tensor<168x131xbf16>, %y: tensor<201x168xbf16>) -> tensor<131x201xbf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [1]
      : (tensor<168x131xbf16>, tensor<201x168xbf16>) -> tensor<131x201xbf16>
  return %0 : tensor<131x201xbf16>
}
func.func @batched(%x: tensor<3x71x131xbf16>, %y: tensor<3x71x130xbf16>) -> tensor<3x131x130xf32> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [1] x [1]
      : (tensor<3x71x131xbf16>, tensor<3x71x130xbf16>) -> tensor<3x131x130xf32>
  return %0 : tensor<3x131x130xf32>
}
func.func @small(%x: tensor<131x71xbf16>, %y: tensor<71x145xbf16>) -> tensor<131x145xf32> {
  %c = tx.constant dense<1.1754944e-38> : tensor<bf16>
  %d = tx.constant dense<0.00390625> : tensor<bf16>
  %cb = tx.broadcast %c dims = [] : tensor<bf16> -> tensor<131x71xbf16>
  %db = tx.broadcast %d dims = [] : tensor<bf16> -> tensor<71x145xbf16>
  %xs = tx.mul %x, %cb : tensor<131x71xbf16>
  %ys = tx.mul %y, %db : tensor<71x145xbf16>
  %0 = tx.dot_general %xs, %ys batch = [] x [] contracting = [1] x [0]
      : (tensor<131x71xbf16>, tensor<71x145xbf16>) -> tensor<131x145xf32>
  return %0 : tensor<131x145xf32>
}
func.func @small_turned(%x: tensor<71x131xbf16>, %y: tensor<145x71xbf16>) -> tensor<131x145xf32> {
  %c = tx.constant dense<1.1754944e-38> : tensor<bf16>
  %d = tx.constant dense<0.00390625> : tensor<bf16>
  %cb = tx.broadcast %c dims = [] : tensor<bf16> -> tensor<71x131xbf16>
  %db = tx.broadcast %d dims = [] : tensor<bf16> -> tensor<145x71xbf16>
  %xs = tx.mul %x, %cb : tensor<71x131xbf16>
  %ys = tx.mul %y, %db : tensor<145x71xbf16>
  %0 = tx.dot_general %xs, %ys batch = [] x [] contracting = [0] x [1]
      : (tensor<71x131xbf16>, tensor<145x71xbf16>) -> tensor<131x145xf32>
  return %0 : tensor<131x145xf32>
}
func.func @fused(%x: tensor<131x71xf32>, %y: tensor<145x71xf32>) -> tensor<131x145xbf16> {
  %xs = tx.convert %x : tensor<131x71xf32> -> tensor<131x71xbf16>
  %ys = tx.convert %y : tensor<145x71xf32> -> tensor<145x71xbf16>
  %0 = tx.dot_general %xs, %ys batch = [] x [] contracting = [1] x [1]
      : (tensor<131x71xbf16>, tensor<145x71xbf16>) -> tensor<131x145xbf16>
  %1 = tx.tanh %0 : tensor<131x145xbf16>
  return %1 : tensor<131x145xbf16>
}
