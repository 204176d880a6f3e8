// x times few columns: rows of x are the lanes, transposed in registers, and columns of y the rows of one tile. The bits are those of tiles
// whose lanes are columns: with rows and steps that fill no square, batches, an epilogue, and a y that lies along K.
//
// DEFINE: %{same} = %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse | FileCheck %s --check-prefix=CHOICE
// RUN: %{same} --entry=vector -- dot_general:skeleton=panel
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=vector --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=odd -- dot_general_add:skeleton=panel
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=odd --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=batched -- dot_general:skeleton=panel
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=batched --device=cpu --random-inputs --compare=reference
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=double --device=cpu --random-inputs --compare=reference

// A square of 16 rows and 16 steps, and an FMA for each step.
// CHECK-LABEL: func.func @dot_general(
// CHECK:       scf.for {{.*}} to %c512 step %c16
// CHECK-COUNT-64: vector.shuffle
// CHECK-COUNT-16: vector.fma
// CHECK-NOT:   vector.fma
// CHECK:       return
// CHOICE-LABEL: func.func @vector(
// CHOICE:       #tx.schedule<"few_columns", outer = 1, rows = 1, vectors = {{[12]}}, lanes = 16>
func.func @vector(%x: tensor<256x512xf32>, %y: tensor<512x1xf32>) -> tensor<256x1xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<256x512xf32>, tensor<512x1xf32>) -> tensor<256x1xf32>
  return %0 : tensor<256x1xf32>
}
// CHOICE-LABEL: func.func @odd(
// CHOICE:       #tx.schedule<"few_columns", outer = 1, rows = 3,
func.func @odd(%x: tensor<45x131xf32>, %y: tensor<131x3xf32>, %c: tensor<45x3xf32>) -> tensor<45x3xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<45x131xf32>, tensor<131x3xf32>) -> tensor<45x3xf32>
  %1 = tx.add %0, %c : tensor<45x3xf32>
  return %1 : tensor<45x3xf32>
}
// Eight columns are transposed before they are stored.
// CHOICE-LABEL: func.func @batched(
// CHOICE:       #tx.schedule<"few_columns", outer = 1, rows = 8,
func.func @batched(%x: tensor<2x50x48xf32>, %y: tensor<2x48x8xf32>) -> tensor<2x50x8xf32> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [2] x [1] : (tensor<2x50x48xf32>, tensor<2x48x8xf32>) -> tensor<2x50x8xf32>
  return %0 : tensor<2x50x8xf32>
}
// CHOICE-LABEL: func.func @double(
// CHOICE:       #tx.schedule<"few_columns", outer = 1, rows = 4,
func.func @double(%x: tensor<19x33xf64>, %y: tensor<4x33xf64>) -> tensor<19x4xf64> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [1] : (tensor<19x33xf64>, tensor<4x33xf64>) -> tensor<19x4xf64>
  return %0 : tensor<19x4xf64>
}
// More columns than half of the lanes, or an x that is contiguous along its rows, need no transpose.
// CHOICE-LABEL: func.func @nine(
// CHOICE-NOT:   "few_columns"
// CHOICE:       return
func.func @nine(%x: tensor<256x64xf32>, %y: tensor<64x9xf32>) -> tensor<256x9xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<256x64xf32>, tensor<64x9xf32>) -> tensor<256x9xf32>
  return %0 : tensor<256x9xf32>
}
// CHOICE-LABEL: func.func @along_rows(
// CHOICE-NOT:   "few_columns"
// CHOICE:       return
func.func @along_rows(%x: tensor<64x256xf32>, %y: tensor<64x3xf32>) -> tensor<256x3xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [0] x [0] : (tensor<64x256xf32>, tensor<64x3xf32>) -> tensor<256x3xf32>
  return %0 : tensor<256x3xf32>
}
