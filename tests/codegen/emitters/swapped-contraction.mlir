// x times a transposed matrix: the matrix's rows are the tiles' rows, read as they lie, and x's rows the lanes. The bits are those of
// tiles that turn the matrix: with rows, columns and sums that no tile divides, batches, epilogues, and an x that lies along its rows.
//
// DEFINE: %{same} = %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse | FileCheck %s --check-prefix=CHOICE
// RUN: %{same} --entry=few -- dot_general_add_max:skeleton=panel dot_general_add_max:skeleton=swapped,vectors=1
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=few --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=odd -- dot_general_add:skeleton=panel dot_general_add:skeleton=swapped,rows=4
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=odd --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=batched -- dot_general:skeleton=panel
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=batched --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=along_rows -- dot_general:skeleton=panel
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=along_rows --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=rest -- dot_general:skeleton=panel
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=rest --device=cpu --random-inputs --compare=reference
// RUN: %{same} --entry=double -- dot_general:skeleton=panel
// RUN: env TENSORC_CHECK=memory %tensorc run %s --entry=double --device=cpu --random-inputs --compare=reference

// x is turned once. A loop over two tiles, whose sums are then turned together: whole vectors of columns are stored.
// CHECK-LABEL: func.func @dot_general_add_max(
// CHECK:       vector.shuffle
// CHECK:       scf.for {{.*}} to %c2 step %c1
// CHECK:         scf.for {{.*}} to %c256 step %c1 iter_args
// CHECK:           memref.prefetch
// CHECK-COUNT-8:   vector.broadcast {{.*}} : f32 to vector<16xf32>
// CHECK-NOT:     vector.shuffle
// CHECK:         scf.yield
// CHECK:       vector.shuffle
// CHECK:       arith.addf {{.*}} vector<16xf32>
// CHECK:       return
// CHOICE-LABEL: func.func @few(
// CHOICE:       #tx.schedule<"swapped", rows = 8, tiles = 2, vectors = 2, lanes = 16>
func.func @few(%x: tensor<32x256xf32>, %w: tensor<512x256xf32>, %c: tensor<512xf32>) -> tensor<32x512xf32> {
  %z = tx.constant dense<0.0> : tensor<f32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<32x256xf32>, tensor<512x256xf32>) -> tensor<32x512xf32>
  %1 = tx.broadcast %c dims = [1] : tensor<512xf32> -> tensor<32x512xf32>
  %2 = tx.add %0, %1 : tensor<32x512xf32>
  %3 = tx.broadcast %z dims = [] : tensor<f32> -> tensor<32x512xf32>
  %4 = tx.max %2, %3 : tensor<32x512xf32>
  return %4 : tensor<32x512xf32>
}
// Three vectors of 45 rows.
// CHOICE-LABEL: func.func @odd(
// CHOICE:       #tx.schedule<"swapped", rows = 8, tiles = 2, vectors = 3, lanes = 16>
func.func @odd(%x: tensor<45x131xf32>, %w: tensor<203x131xf32>, %r: tensor<45x203xf32>) -> tensor<45x203xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<45x131xf32>, tensor<203x131xf32>) -> tensor<45x203xf32>
  %1 = tx.add %0, %r : tensor<45x203xf32>
  return %1 : tensor<45x203xf32>
}
// CHOICE-LABEL: func.func @batched(
// CHOICE:       #tx.schedule<"swapped", rows = 8, tiles = 2, vectors = 2, lanes = 16>
func.func @batched(%x: tensor<3x31x100xf32>, %w: tensor<3x203x100xf32>) -> tensor<3x31x203xf32> {
  %0 = tx.dot_general %x, %w batch = [0] x [0] contracting = [2] x [2] : (tensor<3x31x100xf32>, tensor<3x203x100xf32>) -> tensor<3x31x203xf32>
  return %0 : tensor<3x31x203xf32>
}
// CHOICE-LABEL: func.func @along_rows(
// CHOICE:       #tx.schedule<"swapped", rows = 8, tiles = 2, vectors = 1, lanes = 16>
func.func @along_rows(%x: tensor<131x16xf32>, %w: tensor<203x131xf32>) -> tensor<16x203xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [0] x [1] : (tensor<131x16xf32>, tensor<203x131xf32>) -> tensor<16x203xf32>
  return %0 : tensor<16x203xf32>
}
// CHOICE-LABEL: func.func @double(
// CHOICE:       #tx.schedule<"swapped", rows = 8, tiles = 1, vectors = 2, lanes = 8>
func.func @double(%x: tensor<47x131xf64>, %w: tensor<307x131xf64>) -> tensor<47x307xf64> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<47x131xf64>, tensor<307x131xf64>) -> tensor<47x307xf64>
  return %0 : tensor<47x307xf64>
}
// Two vectors, and one.
// CHOICE-LABEL: func.func @rest(
// CHOICE:       #tx.schedule<"swapped", rows = 8, tiles = 2, vectors = 2, lanes = 16>
func.func @rest(%x: tensor<77x131xf32>, %w: tensor<803x131xf32>) -> tensor<77x803xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<77x131xf32>, tensor<803x131xf32>) -> tensor<77x803xf32>
  return %0 : tensor<77x803xf32>
}
// Six tiles of two vectors and one of one, where the matrix comes from memory.
// CHOICE-LABEL: func.func @large(
// CHOICE:       #tx.schedule<"swapped", rows = 8, tiles = 2, vectors = 2, lanes = 16>
func.func @large(%x: tensor<197x5000xf32>, %w: tensor<3001x5000xf32>) -> tensor<197x3001xf32> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<197x5000xf32>, tensor<3001x5000xf32>) -> tensor<197x3001xf32>
  return %0 : tensor<197x3001xf32>
}
// Lanes would be empty, one tile holds all rows, sums are too short, or there are as many rows
// as columns: y is turned.
// CHOICE-LABEL: func.func @not_swapped(
// CHOICE-NOT:   "swapped"
func.func @not_swapped(%x: tensor<20x131xf32>, %w: tensor<203x131xf32>, %few: tensor<13x131xf32>, %short: tensor<32x48xf32>, %v: tensor<203x48xf32>, %square: tensor<203x131xf32>) -> (tensor<20x203xf32>, tensor<13x203xf32>, tensor<32x203xf32>, tensor<203x203xf32>) {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [1] : (tensor<20x131xf32>, tensor<203x131xf32>) -> tensor<20x203xf32>
  %1 = tx.dot_general %few, %w batch = [] x [] contracting = [1] x [1] : (tensor<13x131xf32>, tensor<203x131xf32>) -> tensor<13x203xf32>
  %2 = tx.dot_general %short, %v batch = [] x [] contracting = [1] x [1] : (tensor<32x48xf32>, tensor<203x48xf32>) -> tensor<32x203xf32>
  %3 = tx.dot_general %square, %w batch = [] x [] contracting = [1] x [1] : (tensor<203x131xf32>, tensor<203x131xf32>) -> tensor<203x203xf32>
  return %0, %1, %2, %3 : tensor<20x203xf32>, tensor<13x203xf32>, tensor<32x203xf32>, tensor<203x203xf32>
}
