// Where memory holds x narrower than its sums, tiles copy their rows of it, widened. The bits are the interpreter's: with odd sums, rows
// and columns, all transpositions, batches, sizes with names, and where x is computed or neither side of it lies side by side.
//
// DEFINE: %{same} = %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %{same} --entry=plain -- dot_general:rows=1 dot_general:vectors=1
// RUN: %tensorc run %s --entry=plain --random-inputs --compare=reference
// RUN: %{same} --entry=y_turned -- dot_general:rows=1 dot_general:vectors=1
// RUN: %tensorc run %s --entry=y_turned --random-inputs --compare=reference
// RUN: %{same} --entry=x_turned -- dot_general:rows=1 dot_general:vectors=1
// RUN: %tensorc run %s --entry=x_turned --random-inputs --compare=reference
// RUN: %{same} --entry=both_turned -- dot_general:rows=1 dot_general:vectors=1
// RUN: %tensorc run %s --entry=both_turned --random-inputs --compare=reference
// RUN: %{same} --entry=batched -- dot_general:rows=1
// RUN: %tensorc run %s --entry=batched --random-inputs --compare=reference
// RUN: %{same} --entry=strided -- dot_general:rows=1
// RUN: %tensorc run %s --entry=strided --random-inputs --compare=reference
// RUN: %{same} --entry=converted -- dot_general:rows=1
// RUN: %tensorc run %s --entry=converted --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:37,19 --shape=arg1:19,45 --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:1,1 --shape=arg1:1,1 --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:5,0 --shape=arg1:0,3 --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:0,5 --shape=arg1:5,3 --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:64,96 --shape=arg1:96,128 --compare=reference
//
// Sums of tiles widen no element of x by itself.
// RUN: %tensorc compile %s --entry=plain --emit=asm --target=cpu:x86-64-v3 -o %t.s
// RUN: FileCheck %s < %t.s
// CHECK-NOT: vcvtph2ps %xmm{{[0-9]+}}, %xmm
// CHECK: vfmadd

func.func @plain(%x: tensor<37x71xf16>, %y: tensor<71x45xf16>) -> tensor<37x45xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<37x71xf16>, tensor<71x45xf16>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
func.func @y_turned(%x: tensor<37x71xf16>, %y: tensor<45x71xf16>) -> tensor<37x45xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1]
      : (tensor<37x71xf16>, tensor<45x71xf16>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
func.func @x_turned(%x: tensor<71x37xf16>, %y: tensor<71x45xf16>) -> tensor<37x45xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0]
      : (tensor<71x37xf16>, tensor<71x45xf16>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
func.func @both_turned(%x: tensor<64x37xf16>, %y: tensor<45x64xf16>) -> tensor<37x45xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [1]
      : (tensor<64x37xf16>, tensor<45x64xf16>) -> tensor<37x45xf16>
  return %0 : tensor<37x45xf16>
}
func.func @batched(%x: tensor<3x17x97xf16>, %y: tensor<3x97x131xf16>) -> tensor<3x17x131xf32> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [2] x [1]
      : (tensor<3x17x97xf16>, tensor<3x97x131xf16>) -> tensor<3x17x131xf32>
  return %0 : tensor<3x17x131xf32>
}
func.func @strided(%x: tensor<37x4x71xf16>, %y: tensor<71x45x4xf16>) -> tensor<4x37x45xf32> {
  %0 = tx.dot_general %x, %y batch = [1] x [2] contracting = [2] x [0]
      : (tensor<37x4x71xf16>, tensor<71x45x4xf16>) -> tensor<4x37x45xf32>
  return %0 : tensor<4x37x45xf32>
}
func.func @converted(%x: tensor<37x71xi8>, %y: tensor<71x45xf32>) -> tensor<37x45xf32> {
  %wide = tx.convert %x : tensor<37x71xi8> -> tensor<37x71xf32>
  %0 = tx.dot_general %wide, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<37x71xf32>, tensor<71x45xf32>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
func.func @named(%x: tensor<?x?xf16, #tx.dims<[m, k]>>, %y: tensor<?x?xf16, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xf16, #tx.dims<[m, k]>>, tensor<?x?xf16, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}
