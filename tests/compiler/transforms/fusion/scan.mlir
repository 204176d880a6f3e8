// A scan, or a sort and an argsort of one tensor, takes in element-wise ops on
// both sides.
//
// RUN: %tensorc-opt %s --tx-expand-degenerate --tx-fuse-ops | FileCheck %s
// RUN: %tensorc explain %s --entry=two --target=cpu | FileCheck %s --check-prefix=WHY

// CHECK-LABEL: func.func @around
// CHECK: tx.fusion "scan" "exp_cumsum_mul"
// CHECK-NOT: tx.fusion
func.func @around(%x: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %0 = tx.exp %x : tensor<8x100xf32>
  %1 = tx.cumsum %0 dim = 1 : tensor<8x100xf32>
  %2 = tx.mul %1, %x : tensor<8x100xf32>
  return %2 : tensor<8x100xf32>
}

// The exponentials are an output of the scan's kernel.
// CHECK-LABEL: func.func @output
// CHECK: tx.fusion "scan" "exp_cummax"{{.*}} -> (tensor<8x100xf32>, tensor<8x100xf32>)
// CHECK-NOT: tx.fusion
func.func @output(%x: tensor<8x100xf32>) -> (tensor<8x100xf32>, tensor<8x100xf32>) {
  %0 = tx.exp %x : tensor<8x100xf32>
  %1 = tx.cummax %0 dim = 0 reverse : tensor<8x100xf32>
  return %0, %1 : tensor<8x100xf32>, tensor<8x100xf32>
}

// One scan to a kernel.
// CHECK-LABEL: func.func @two
// CHECK: tx.fusion "scan" "cumsum"
// CHECK: tx.fusion "scan" "cumprod"
// WHY: cumsum stays outside: a scan's kernel holds no other scans
func.func @two(%x: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %0 = tx.cumsum %x dim = 1 : tensor<8x100xf32>
  %1 = tx.cumprod %0 dim = 1 : tensor<8x100xf32>
  return %1 : tensor<8x100xf32>
}

// The first elements are all that is stored, where nothing reads the others.
// CHECK-LABEL: func.func @top(
// CHECK: tx.fusion "sort" "sort_argsort"{{.*}} -> (tensor<8x5xi64>, tensor<8x5xf32>)
// CHECK-NOT: tx.fusion
func.func @top(%x: tensor<8x100xf32>) -> (tensor<8x5xf32>, tensor<8x5xi64>) {
  %0 = tx.sort %x dim = 1 descending : tensor<8x100xf32>
  %1 = tx.argsort %x dim = 1 descending : tensor<8x100xf32>
  %2 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<8x100xf32> -> tensor<8x5xf32>
  %3 = tx.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<8x100xi64> -> tensor<8x5xi64>
  return %2, %3 : tensor<8x5xf32>, tensor<8x5xi64>
}

// A kernel that reads them otherwise does not make the sort store all.
// CHECK-LABEL: func.func @top_sum(
// CHECK: tx.fusion "sort" "sort"{{.*}} -> tensor<8x5xf32>
// CHECK: tx.fusion "loop" "transpose"{{.*}} : (tensor<8x5xf32>)
// CHECK: tx.fusion "row" "sum"{{.*}} : (tensor<8x5xf32>)
func.func @top_sum(%x: tensor<8x100xf32>) -> (tensor<8xf32>, tensor<5x8xf32>) {
  %0 = tx.sort %x dim = 1 : tensor<8x100xf32>
  %1 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<8x100xf32> -> tensor<8x5xf32>
  %2 = tx.sum %1 dims = [1] : tensor<8x5xf32> -> tensor<8xf32>
  %3 = tx.transpose %1 permutation = [1, 0] : tensor<8x5xf32> -> tensor<5x8xf32>
  return %2, %3 : tensor<8xf32>, tensor<5x8xf32>
}

// Not the first elements of each row; not these alone.
// CHECK-LABEL: func.func @not_first(
// CHECK: tx.fusion "sort" "argsort"{{.*}} -> tensor<8x100xi64>
// CHECK: tx.fusion "sort" "sort"{{.*}} -> tensor<8x100xf32>
func.func @not_first(%x: tensor<8x100xf32>, %y: tensor<8x100xi32>)
    -> (tensor<8x5xf32>, tensor<8x5xi64>, tensor<8x100xi64>) {
  %0 = tx.sort %x dim = 1 : tensor<8x100xf32>
  %1 = tx.slice %0 offsets = [0, 95] strides = [1, 1] : tensor<8x100xf32> -> tensor<8x5xf32>
  %2 = tx.argsort %y dim = 1 : tensor<8x100xi32>
  %3 = tx.slice %2 offsets = [0, 0] strides = [1, 1] : tensor<8x100xi64> -> tensor<8x5xi64>
  return %1, %3, %2 : tensor<8x5xf32>, tensor<8x5xi64>, tensor<8x100xi64>
}

// Orders that differ are found by kernels that differ.
// CHECK-LABEL: func.func @orders
// CHECK: tx.fusion "sort"
// CHECK: tx.fusion "sort"
func.func @orders(%x: tensor<8x100xf32>) -> (tensor<8x100xf32>, tensor<8x100xi64>) {
  %0 = tx.sort %x dim = 1 : tensor<8x100xf32>
  %1 = tx.argsort %x dim = 1 descending : tensor<8x100xf32>
  return %0, %1 : tensor<8x100xf32>, tensor<8x100xi64>
}

// Both results of one order in one expression.
// CHECK-LABEL: func.func @both
// CHECK: tx.fusion "sort" "sort_argsort_add"
// CHECK-NOT: tx.fusion
func.func @both(%x: tensor<8x100xf32>) -> tensor<8x100xf32> {
  %0 = tx.sort %x dim = 0 : tensor<8x100xf32>
  %1 = tx.argsort %x dim = 0 : tensor<8x100xf32>
  %2 = tx.convert %1 : tensor<8x100xi64> -> tensor<8x100xf32>
  %3 = tx.add %0, %2 : tensor<8x100xf32>
  return %3 : tensor<8x100xf32>
}

// A reduction does not go into the same kernel.
// CHECK-LABEL: func.func @reduced
// CHECK: tx.fusion "scan"
// CHECK: tx.fusion "row"
func.func @reduced(%x: tensor<8x100xf32>) -> tensor<8xf32> {
  %0 = tx.cumsum %x dim = 1 : tensor<8x100xf32>
  %1 = tx.sum %0 dims = [1] : tensor<8x100xf32> -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
