// An output that cannot be written leaves nothing behind.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %exits 1 %tensorc compile %s --stop-after=tensor -o %t/no/such/folder.mlir 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: %exits 1 %tensorc compile %s --stop-after=tensor -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: %exits 1 %tensorc run %s --random-inputs --device=reference --output-dir=%s 2>&1 | FileCheck %s --check-prefix=DIR
// RUN: %exits 0 %tensorc compile %s --stop-after=tensor -o %t/good.mlir
// RUN: ls %t | FileCheck %s
// FOLDER: tensorc: error: cannot write {{.*}}folder.mlir: No such file or directory
// FULL: tensorc: error: cannot write /dev/full: No space left on device
// DIR: tensorc: error: cannot write {{.*}}: Not a directory
// CHECK-NOT: tmp
// CHECK: good.mlir
// CHECK-NOT: tmp

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
