// Products of bf16, two steps of the sum at once. Where the host has no instruction for it, these are the usual tiles. Either way, the bits
// are those of one multiply-add per step: with odd sums, rows and columns, all transpositions, and numbers that the instruction would
// take for zeros.
//
// DEFINE: %{same} = %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %{same} --entry=plain -- dot_general:skeleton=panel dot_general:rows=1
// RUN: %tensorc run %s --entry=plain --random-inputs --compare=reference
// RUN: %{same} --entry=y_turned -- dot_general:skeleton=panel dot_general:rows=1
// RUN: %tensorc run %s --entry=y_turned --random-inputs --compare=reference
// RUN: %{same} --entry=x_turned -- dot_general:skeleton=panel dot_general:rows=1
// RUN: %tensorc run %s --entry=x_turned --random-inputs --compare=reference
// RUN: %{same} --entry=both_turned -- dot_general:skeleton=panel dot_general:rows=1
// RUN: %tensorc run %s --entry=both_turned --random-inputs --compare=reference
// RUN: %{same} --entry=batched -- dot_general:skeleton=panel dot_general:rows=1
// RUN: %tensorc run %s --entry=batched --random-inputs --compare=reference
// RUN: %{same} --entry=small -- mul_dot_general:skeleton=panel mul_dot_general:rows=1
// RUN: %tensorc run %s --entry=small --random-inputs --compare=reference
// RUN: %{same} --entry=small_turned -- mul_dot_general:skeleton=panel mul_dot_general:rows=1
// RUN: %tensorc run %s --entry=small_turned --random-inputs --compare=reference
// RUN: %{same} --entry=fused -- dot_general_tanh:skeleton=panel dot_general_tanh:rows=1
// RUN: %tensorc run %s --entry=fused --random-inputs --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:37,19 --shape=arg1:19,45 --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:1,1 --shape=arg1:1,1 --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:5,0 --shape=arg1:0,3 --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:0,5 --shape=arg1:5,3 --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:13,64 --shape=arg1:64,0 --compare=reference
// RUN: %tensorc run %s --entry=named --random-inputs --shape=arg0:64,96 --shape=arg1:96,128 --compare=reference

func.func @plain(%x: tensor<37x71xbf16>, %y: tensor<71x45xbf16>) -> tensor<37x45xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<37x71xbf16>, tensor<71x45xbf16>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
func.func @y_turned(%x: tensor<37x71xbf16>, %y: tensor<45x71xbf16>) -> tensor<37x45xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1]
      : (tensor<37x71xbf16>, tensor<45x71xbf16>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
func.func @x_turned(%x: tensor<71x37xbf16>, %y: tensor<71x45xbf16>) -> tensor<37x45xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0]
      : (tensor<71x37xbf16>, tensor<71x45xbf16>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
func.func @both_turned(%x: tensor<64x37xbf16>, %y: tensor<45x64xbf16>) -> tensor<37x45xbf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [1]
      : (tensor<64x37xbf16>, tensor<45x64xbf16>) -> tensor<37x45xbf16>
  return %0 : tensor<37x45xbf16>
}
func.func @batched(%x: tensor<3x17x97xbf16>, %y: tensor<3x97x131xbf16>) -> tensor<3x17x131xf32> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [2] x [1]
      : (tensor<3x17x97xbf16>, tensor<3x97x131xbf16>) -> tensor<3x17x131xf32>
  return %0 : tensor<3x17x131xf32>
}
func.func @named(%x: tensor<?x?xbf16, #tx.dims<[m, k]>>, %y: tensor<?x?xbf16, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xbf16, #tx.dims<[m, k]>>, tensor<?x?xbf16, #tx.dims<[k, n]>>) -> tensor<?x?xf32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[m, n]>>
}
// Products below 2^-126, whose sums are subnormal: what the instruction would take for zeros.
func.func @small(%x: tensor<37x71xbf16>, %y: tensor<71x45xbf16>) -> tensor<37x45xf32> {
  %c = tx.constant dense<1.1754944e-38> : tensor<bf16>
  %d = tx.constant dense<0.00390625> : tensor<bf16>
  %cb = tx.broadcast %c dims = [] : tensor<bf16> -> tensor<37x71xbf16>
  %db = tx.broadcast %d dims = [] : tensor<bf16> -> tensor<71x45xbf16>
  %xs = tx.mul %x, %cb : tensor<37x71xbf16>
  %ys = tx.mul %y, %db : tensor<71x45xbf16>
  %0 = tx.dot_general %xs, %ys batch = [] x [] contracting = [1] x [0]
      : (tensor<37x71xbf16>, tensor<71x45xbf16>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
func.func @small_turned(%x: tensor<71x37xbf16>, %y: tensor<45x71xbf16>) -> tensor<37x45xf32> {
  %c = tx.constant dense<1.1754944e-38> : tensor<bf16>
  %d = tx.constant dense<0.00390625> : tensor<bf16>
  %cb = tx.broadcast %c dims = [] : tensor<bf16> -> tensor<71x37xbf16>
  %db = tx.broadcast %d dims = [] : tensor<bf16> -> tensor<45x71xbf16>
  %xs = tx.mul %x, %cb : tensor<71x37xbf16>
  %ys = tx.mul %y, %db : tensor<45x71xbf16>
  %0 = tx.dot_general %xs, %ys batch = [] x [] contracting = [0] x [1]
      : (tensor<71x37xbf16>, tensor<45x71xbf16>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
// What computes the operands is computed as they are packed, where lanes and steps are missing, too.
func.func @fused(%x: tensor<37x71xf32>, %y: tensor<45x71xf32>) -> tensor<37x45xbf16> {
  %xs = tx.convert %x : tensor<37x71xf32> -> tensor<37x71xbf16>
  %ys = tx.convert %y : tensor<45x71xf32> -> tensor<45x71xbf16>
  %0 = tx.dot_general %xs, %ys batch = [] x [] contracting = [1] x [1]
      : (tensor<37x71xbf16>, tensor<45x71xbf16>) -> tensor<37x45xbf16>
  %1 = tx.tanh %0 : tensor<37x45xbf16>
  return %1 : tensor<37x45xbf16>
}
