// A value becomes a further output of a kernel that reads it if it has the shape that the kernel iterates, or that its
// reductions keep. Concatenate, pad and slice read a part at the same index as a whole.
//
// RUN: %tensorc-opt %s --split-input-file --tx-fuse-ops | FileCheck %s

// CHECK-LABEL: @kept
// CHECK:       tx.fusion "column"
// CHECK-SAME:  -> (tensor<5x64xf32>, tensor<5x64xf32>)
// CHECK-NOT:   tx.fusion
func.func @kept(%x: tensor<5x64xf32>, %w: tensor<3x5x64xf32>) -> (tensor<5x64xf32>, tensor<5x64xf32>) {
  %a = tx.add %x, %x : tensor<5x64xf32>
  %s = tx.sum %w dims = [0] : tensor<3x5x64xf32> -> tensor<5x64xf32>
  %y = tx.mul %a, %s : tensor<5x64xf32>
  return %y, %a : tensor<5x64xf32>, tensor<5x64xf32>
}

// -----

// CHECK-LABEL: @kept_of_named
// CHECK:       tx.fusion "row"
// CHECK-SAME:  -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>)
// CHECK-NOT:   tx.fusion
func.func @kept_of_named(%x: tensor<?xf32, #tx.dims<[n]>>, %w: tensor<?x64xf32, #tx.dims<[n, 64]>>)
    -> (tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>) {
  %a = tx.exp %x : tensor<?xf32, #tx.dims<[n]>>
  %s = tx.sum %w dims = [1] : tensor<?x64xf32, #tx.dims<[n, 64]>> -> tensor<?xf32, #tx.dims<[n]>>
  %y = tx.mul %a, %s : tensor<?xf32, #tx.dims<[n]>>
  return %y, %a : tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>
}

// -----

// CHECK-LABEL: @concatenate_column
// CHECK:       tx.fusion "loop" "add"
// CHECK-SAME:  -> tensor<5x32xf32>
// CHECK:       tx.fusion "column"
// CHECK-SAME:  -> tensor<5x64xf32>
func.func @concatenate_column(%x: tensor<5x32xf32>, %w: tensor<3x5x64xf32>) -> (tensor<5x64xf32>, tensor<5x32xf32>) {
  %a = tx.add %x, %x : tensor<5x32xf32>
  %c = tx.concatenate %a, %x dim = 1 : (tensor<5x32xf32>, tensor<5x32xf32>) -> tensor<5x64xf32>
  %s = tx.sum %w dims = [0] : tensor<3x5x64xf32> -> tensor<5x64xf32>
  %y = tx.mul %c, %s : tensor<5x64xf32>
  return %y, %a : tensor<5x64xf32>, tensor<5x32xf32>
}

// -----

// CHECK-LABEL: @concatenate_row
// CHECK:       tx.fusion "loop" "add"
// CHECK-SAME:  -> tensor<100xf32>
// CHECK:       tx.fusion "row"
// CHECK-SAME:  -> tensor<200xf32>
func.func @concatenate_row(%x: tensor<100xf32>, %w: tensor<200x64xf32>) -> (tensor<200xf32>, tensor<100xf32>) {
  %a = tx.add %x, %x : tensor<100xf32>
  %c = tx.concatenate %a, %x dim = 0 : (tensor<100xf32>, tensor<100xf32>) -> tensor<200xf32>
  %s = tx.sum %w dims = [1] : tensor<200x64xf32> -> tensor<200xf32>
  %y = tx.mul %c, %s : tensor<200xf32>
  return %y, %a : tensor<200xf32>, tensor<100xf32>
}

// -----

// Too large rather than too small: part of it would be left as it was.
// CHECK-LABEL: @slice_column
// CHECK:       tx.fusion "loop" "add"
// CHECK-SAME:  -> tensor<10x64xf32>
// CHECK:       tx.fusion "column"
// CHECK-SAME:  -> tensor<5x64xf32>
func.func @slice_column(%x: tensor<10x64xf32>, %w: tensor<3x5x64xf32>) -> (tensor<5x64xf32>, tensor<10x64xf32>) {
  %a = tx.add %x, %x : tensor<10x64xf32>
  %c = tx.slice %a offsets = [0, 0] strides = [1, 1] : tensor<10x64xf32> -> tensor<5x64xf32>
  %s = tx.sum %w dims = [0] : tensor<3x5x64xf32> -> tensor<5x64xf32>
  %y = tx.mul %c, %s : tensor<5x64xf32>
  return %y, %a : tensor<5x64xf32>, tensor<10x64xf32>
}

// -----

// CHECK-LABEL: @slice_row
// CHECK:       tx.fusion "loop" "add"
// CHECK-SAME:  -> tensor<10xf32>
// CHECK:       tx.fusion "row"
// CHECK-SAME:  -> tensor<5xf32>
func.func @slice_row(%x: tensor<10xf32>, %w: tensor<5x64xf32>) -> (tensor<5xf32>, tensor<10xf32>) {
  %a = tx.add %x, %x : tensor<10xf32>
  %c = tx.slice %a offsets = [0] strides = [1] : tensor<10xf32> -> tensor<5xf32>
  %s = tx.sum %w dims = [1] : tensor<5x64xf32> -> tensor<5xf32>
  %y = tx.mul %c, %s : tensor<5xf32>
  return %y, %a : tensor<5xf32>, tensor<10xf32>
}

// -----

// Behind its elements, a pad adds its own.
// CHECK-LABEL: @pad_row
// CHECK:       tx.fusion "loop" "add"
// CHECK-SAME:  -> tensor<?xf32, #tx.dims<[n]>>
// CHECK:       tx.fusion "row"
// CHECK-SAME:  -> tensor<?xf32, #tx.dims<[n + 3]>>
func.func @pad_row(%x: tensor<?xf32, #tx.dims<[n]>>, %w: tensor<?x64xf32, #tx.dims<[n + 3, 64]>>)
    -> (tensor<?xf32, #tx.dims<[n + 3]>>, tensor<?xf32, #tx.dims<[n]>>) {
  %a = tx.add %x, %x : tensor<?xf32, #tx.dims<[n]>>
  %z = tx.constant dense<0.0> : tensor<f32>
  %c = tx.pad %a, %z low = [0] high = [3] interior = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<?xf32, #tx.dims<[n + 3]>>
  %s = tx.sum %w dims = [1] : tensor<?x64xf32, #tx.dims<[n + 3, 64]>> -> tensor<?xf32, #tx.dims<[n + 3]>>
  %y = tx.mul %c, %s : tensor<?xf32, #tx.dims<[n + 3]>>
  return %y, %a : tensor<?xf32, #tx.dims<[n + 3]>>, tensor<?xf32, #tx.dims<[n]>>
}

// -----

// The elements of a loop, a scan and the whole of what a row reduces.
// CHECK-LABEL: @whole
// CHECK-DAG:   tx.fusion "loop" "add_neg"(%{{.*}}) : (tensor<5x32xf32>) -> (tensor<5x32xf32>, tensor<5x32xf32>)
// CHECK-DAG:   tx.fusion "row" {{.*}} -> tensor<5x64xf32>
// CHECK-DAG:   tx.fusion "scan" {{.*}} -> tensor<5x64xf32>
// CHECK-NOT:   tx.fusion
func.func @whole(%x: tensor<5x32xf32>, %w: tensor<5x64xf32>)
    -> (tensor<5x64xf32>, tensor<5x64xf32>, tensor<5x32xf32>, tensor<5x32xf32>) {
  %a = tx.add %x, %x : tensor<5x32xf32>
  %c = tx.concatenate %a, %x dim = 1 : (tensor<5x32xf32>, tensor<5x32xf32>) -> tensor<5x64xf32>
  %s = tx.sum %w dims = [1] : tensor<5x64xf32> -> tensor<5xf32>
  %sb = tx.broadcast %s dims = [0] : tensor<5xf32> -> tensor<5x64xf32>
  %y = tx.mul %c, %sb : tensor<5x64xf32>
  %n = tx.neg %x : tensor<5x32xf32>
  %d = tx.concatenate %n, %x dim = 1 : (tensor<5x32xf32>, tensor<5x32xf32>) -> tensor<5x64xf32>
  %z = tx.cumsum %w dim = 1 : tensor<5x64xf32>
  %v = tx.mul %d, %z : tensor<5x64xf32>
  return %y, %v, %a, %n : tensor<5x64xf32>, tensor<5x64xf32>, tensor<5x32xf32>, tensor<5x32xf32>
}
