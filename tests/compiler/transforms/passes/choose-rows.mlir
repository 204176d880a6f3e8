// Rows of x that are 4 KB apart share a set of the nearest cache, so that a tile has few of them: five tiles of 7. Where a tile copies its
// rows to widen them, they lie closer, and a tile has as many as registers can sum.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse | FileCheck %s
// RUN: %tensorc compile %s --entry=widened --target=cpu:x86-64-v4 --stop-after=fuse | FileCheck %s --check-prefix=WIDENED

// CHECK:   "contraction"{{.*}}schedule = #tx.schedule<"panel", outer = 1, rows = 7, vectors = 3, lanes = 16>
// WIDENED: "contraction"{{.*}}schedule = #tx.schedule<"panel", outer = 1, rows = 11, vectors = 1, lanes = 16>

func.func @main(%x: tensor<33x1024xf32>, %y: tensor<1024x48xf32>) -> tensor<33x48xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<33x1024xf32>, tensor<1024x48xf32>) -> tensor<33x48xf32>
  return %0 : tensor<33x48xf32>
}
func.func @widened(%x: tensor<33x2048xf16>, %y: tensor<2048x48xf16>) -> tensor<33x48xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<33x2048xf16>, tensor<2048x48xf16>) -> tensor<33x48xf16>
  return %0 : tensor<33x48xf16>
}
