// Where an instruction compresses lanes, long rows are partitioned in place until the network can sort a partition. Two loops load
// vectors, one from the front and one from the end, whichever has less room. Keys below the pivot are stored at the front as
// whole vectors, the others at the end, masked.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --stop-after=emit | FileCheck %s --check-prefix=V3
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --random-inputs --compare=reference
//
// Rows that defeat the pivots until these halve the range, few values, organ pipes and saws.
// RUN: %python %S/../Inputs/adverse_rows.py %t
// RUN: env TENSORC_CHECK=memory %tensorc run %s --device=cpu --entry=adverse --input=i=%t/i32.npy --input=f=%t/f32.npy --input=l=%t/i64.npy --compare=reference

// CHECK-LABEL: func.func @sort
// CHECK:         scf.while
// A part that is short enough.
// CHECK:         arith.cmpi ule, {{.*}}, %c1024
// CHECK:         vector.broadcast {{.*}} : i32 to vector<16xi32>
// The first and the last keys are copied.
// CHECK:         scf.for {{.*}} step %c16
// CHECK:         scf.for {{.*}} step %c16
// CHECK:         scf.while
// CHECK:           scf.while
// CHECK:             arith.cmpi ule
// CHECK:             scf.condition
// CHECK-NOT:         scf.if
// CHECK:             llvm.intr.ctpop
// CHECK:             llvm.call_intrinsic "llvm.experimental.vector.compress"
// CHECK-NEXT:        vector.store
// CHECK:             llvm.call_intrinsic "llvm.experimental.vector.compress"
// CHECK-NEXT:        vector.maskedstore
// CHECK:             scf.yield
// CHECK:           scf.while
// CHECK:             arith.cmpi ugt
// CHECK:             scf.condition
// CHECK:             llvm.call_intrinsic "llvm.experimental.vector.compress"
// CHECK-NEXT:        vector.store
// CHECK:             vector.maskedstore
// CHECK:             scf.yield
// The copied keys.
// CHECK:         scf.for {{.*}} step %c16
// CHECK:           vector.maskedstore
// CHECK:           vector.maskedstore
// V3-NOT: compress
func.func @main(%x: tensor<40003xf32>) -> tensor<40003xf32> {
  %0 = tx.sort %x dim = 0 : tensor<40003xf32>
  return %0 : tensor<40003xf32>
}

func.func @adverse(%i: tensor<6x6007xi32> {tx.name = "i"}, %f: tensor<6x6007xf32> {tx.name = "f"}, %l: tensor<6x6007xi64> {tx.name = "l"})
    -> (tensor<6x6007xi32>, tensor<6x6007xi32>, tensor<6x6007xf32>, tensor<6x6007xf32>, tensor<6x6007xi64>, tensor<6x6007xi64>) {
  %0 = tx.sort %i dim = 1 : tensor<6x6007xi32>
  %1 = tx.sort %i dim = 1 descending : tensor<6x6007xi32>
  %2 = tx.sort %f dim = 1 : tensor<6x6007xf32>
  %3 = tx.sort %f dim = 1 descending : tensor<6x6007xf32>
  %4 = tx.sort %l dim = 1 : tensor<6x6007xi64>
  %5 = tx.sort %l dim = 1 descending : tensor<6x6007xi64>
  return %0, %1, %2, %3, %4, %5
      : tensor<6x6007xi32>, tensor<6x6007xi32>, tensor<6x6007xf32>, tensor<6x6007xf32>, tensor<6x6007xi64>, tensor<6x6007xi64>
}
