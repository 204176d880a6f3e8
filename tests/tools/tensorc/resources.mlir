// Constants as resources: large ones need not be attributes.
//
// RUN: %tensorc run %s --device=cpu | FileCheck %s
// RUN: %tensorc run %s --device=reference | FileCheck %s
// RUN: sed 's/0x04000000/0x04000000FF/' %s > %t.mlir
// RUN: %exits 1 %tensorc run %t.mlir 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: sed 's/w: "0x/v: "0x/' %s > %t.mlir
// RUN: %exits 1 %tensorc run %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: out0: f32[4]
// CHECK-NEXT: [2, 4, 6, 8]
// SIZE: resource 'w' has {{[0-9]+}} bytes, not 16
// NONE: resource 'w' has no data
func.func @main() -> tensor<4xf32> {
  %w = tx.constant dense_resource<w> : tensor<4xf32>
  %0 = tx.add %w, %w : tensor<4xf32>
  return %0 : tensor<4xf32>
}

{-#
  dialect_resources: { builtin: { w: "0x040000000000803F000000400000404000008040" } }
#-}
