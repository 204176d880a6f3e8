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

// -----

// A norm stores what it reduces, too: with a dim of one element, as `keepdims` has it.
// CHECK-LABEL: @row_and_its_mean
// CHECK:       tx.fusion "row"
// CHECK-SAME:  -> (tensor<4x64xf32>, tensor<4xf32>)
// CHECK-NOT:   tx.fusion
// CHECK:       tx.reshape %{{.*}}#1 : tensor<4xf32> -> tensor<4x1xf32>
// CHECK-NOT:   tx.fusion
func.func @row_and_its_mean(%x: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x1xf32>) {
  %n = tx.constant dense<64.0> : tensor<4xf32>
  %eps = tx.constant dense<1.0e-06> : tensor<4x1xf32>
  %0 = tx.mul %x, %x : tensor<4x64xf32>
  %1 = tx.sum %0 dims = [1] : tensor<4x64xf32> -> tensor<4xf32>
  %2 = tx.div %1, %n : tensor<4xf32>
  %mean = tx.reshape %2 : tensor<4xf32> -> tensor<4x1xf32>
  %4 = tx.add %mean, %eps : tensor<4x1xf32>
  %5 = tx.rsqrt %4 : tensor<4x1xf32>
  %6 = tx.broadcast %5 dims = [0, 1] : tensor<4x1xf32> -> tensor<4x64xf32>
  %y = tx.mul %x, %6 : tensor<4x64xf32>
  return %y, %mean : tensor<4x64xf32>, tensor<4x1xf32>
}

// -----

// Two passes over a row, and what both reduce; the centered elements are stored nowhere.
// CHECK-LABEL: @row_and_its_moments
// CHECK:       tx.fusion "row"
// CHECK-SAME:  -> (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>)
// CHECK-NOT:   tx.fusion
func.func @row_and_its_moments(%x: tensor<?x64xf32, #tx.dims<[n, 64]>>)
    -> (tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>) {
  %mean = tx.sum %x dims = [1] : tensor<?x64xf32, #tx.dims<[n, 64]>> -> tensor<?xf32, #tx.dims<[n]>>
  %0 = tx.broadcast %mean dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %1 = tx.sub %x, %0 : tensor<?x64xf32, #tx.dims<[n, 64]>>
  %2 = tx.mul %1, %1 : tensor<?x64xf32, #tx.dims<[n, 64]>>
  %variance = tx.sum %2 dims = [1] : tensor<?x64xf32, #tx.dims<[n, 64]>> -> tensor<?xf32, #tx.dims<[n]>>
  %4 = tx.rsqrt %variance : tensor<?xf32, #tx.dims<[n]>>
  %5 = tx.broadcast %4 dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x64xf32, #tx.dims<[n, 64]>>
  %y = tx.mul %1, %5 : tensor<?x64xf32, #tx.dims<[n, 64]>>
  return %y, %mean, %variance
      : tensor<?x64xf32, #tx.dims<[n, 64]>>, tensor<?xf32, #tx.dims<[n]>>, tensor<?xf32, #tx.dims<[n]>>
}

// -----

// A function that is costly for each row is computed once for each.
// CHECK-LABEL: @column_and_its_scale
// CHECK:       tx.fusion "column"
// CHECK-SAME:  -> (tensor<4x64xf32>, tensor<64xf32>)
// CHECK-NOT:   tx.fusion
func.func @column_and_its_scale(%x: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<64xf32>) {
  %0 = tx.sum %x dims = [0] : tensor<4x64xf32> -> tensor<64xf32>
  %scale = tx.exp %0 : tensor<64xf32>
  %1 = tx.broadcast %scale dims = [1] : tensor<64xf32> -> tensor<4x64xf32>
  %y = tx.mul %x, %1 : tensor<4x64xf32>
  return %y, %scale : tensor<4x64xf32>, tensor<64xf32>
}

// -----

// Between the mean and its reader there is another kernel: no cycle.
// CHECK-LABEL: @mean_read_through_a_scan
// CHECK:       tx.fusion "row" {{.*}} -> tensor<64xf32>
// CHECK:       tx.fusion "scan" {{.*}} -> tensor<64xf32>
// CHECK:       tx.fusion "loop" {{.*}} -> tensor<64x64xf32>
// CHECK-NOT:   tx.fusion
func.func @mean_read_through_a_scan(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %mean = tx.sum %x dims = [1] : tensor<64x64xf32> -> tensor<64xf32>
  %0 = tx.broadcast %mean dims = [0] : tensor<64xf32> -> tensor<64x64xf32>
  %1 = tx.sub %x, %0 : tensor<64x64xf32>
  %2 = tx.cumsum %mean dim = 0 : tensor<64xf32>
  %3 = tx.broadcast %2 dims = [1] : tensor<64xf32> -> tensor<64x64xf32>
  %y = tx.mul %1, %3 : tensor<64x64xf32>
  return %y, %mean : tensor<64x64xf32>, tensor<64xf32>
}

// -----

// Rows of one tensor, read as the columns of another one.
// CHECK-LABEL: @mean_read_elsewhere
// CHECK:       tx.fusion "row" {{.*}} -> tensor<64xf32>
// CHECK:       tx.fusion "loop" {{.*}} -> tensor<64x64xf32>
// CHECK-NOT:   tx.fusion
func.func @mean_read_elsewhere(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64xf32>) {
  %mean = tx.sum %x dims = [1] : tensor<64x64xf32> -> tensor<64xf32>
  %0 = tx.broadcast %mean dims = [1] : tensor<64xf32> -> tensor<64x64xf32>
  %y = tx.sub %x, %0 : tensor<64x64xf32>
  return %y, %mean : tensor<64x64xf32>, tensor<64xf32>
}

// -----

// Two rows have two work items. Threads share the long ones, and the elements, if each have a kernel.
// CHECK-LABEL: @few_long_rows
// CHECK:       tx.fusion "row" {{.*}} -> tensor<2xf32>
// CHECK:       tx.fusion "loop" {{.*}} -> tensor<2x65537xf32>
// CHECK-NOT:   tx.fusion
func.func @few_long_rows(%x: tensor<2x65537xf32>) -> (tensor<2x65537xf32>, tensor<2xf32>) {
  %mean = tx.sum %x dims = [1] : tensor<2x65537xf32> -> tensor<2xf32>
  %0 = tx.broadcast %mean dims = [0] : tensor<2xf32> -> tensor<2x65537xf32>
  %y = tx.sub %x, %0 : tensor<2x65537xf32>
  return %y, %mean : tensor<2x65537xf32>, tensor<2xf32>
}

// -----

// Shorter ones are not worth more kernels.
// CHECK-LABEL: @few_short_rows
// CHECK:       tx.fusion "row" {{.*}} -> (tensor<2x65536xf32>, tensor<2xf32>)
// CHECK-NOT:   tx.fusion
func.func @few_short_rows(%x: tensor<2x65536xf32>) -> (tensor<2x65536xf32>, tensor<2xf32>) {
  %mean = tx.sum %x dims = [1] : tensor<2x65536xf32> -> tensor<2xf32>
  %0 = tx.broadcast %mean dims = [0] : tensor<2xf32> -> tensor<2x65536xf32>
  %y = tx.sub %x, %0 : tensor<2x65536xf32>
  return %y, %mean : tensor<2x65536xf32>, tensor<2xf32>
}

// -----

// CHECK-LABEL: @many_long_rows
// CHECK:       tx.fusion "row" {{.*}} -> (tensor<9x65537xf32>, tensor<9xf32>)
// CHECK-NOT:   tx.fusion
func.func @many_long_rows(%x: tensor<9x65537xf32>) -> (tensor<9x65537xf32>, tensor<9xf32>) {
  %mean = tx.sum %x dims = [1] : tensor<9x65537xf32> -> tensor<9xf32>
  %0 = tx.broadcast %mean dims = [0] : tensor<9xf32> -> tensor<9x65537xf32>
  %y = tx.sub %x, %0 : tensor<9x65537xf32>
  return %y, %mean : tensor<9x65537xf32>, tensor<9xf32>
}

// -----

// Nobody knows how long the row is.
// CHECK-LABEL: @one_named_row
// CHECK:       tx.fusion "row" {{.*}} -> tensor<f32>
// CHECK:       tx.fusion "loop"
// CHECK-NOT:   tx.fusion
func.func @one_named_row(%x: tensor<?xf32, #tx.dims<[n]>>) -> (tensor<?xf32, #tx.dims<[n]>>, tensor<f32>) {
  %sum = tx.sum %x dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<f32>
  %0 = tx.broadcast %sum dims = [] : tensor<f32> -> tensor<?xf32, #tx.dims<[n]>>
  %y = tx.sub %x, %0 : tensor<?xf32, #tx.dims<[n]>>
  return %y, %sum : tensor<?xf32, #tx.dims<[n]>>, tensor<f32>
}

// -----

// A column's work items are runs of lanes, and its steps rows.
// CHECK-LABEL: @few_long_columns
// CHECK:       tx.fusion "column" {{.*}} -> tensor<64xf32>
// CHECK:       tx.fusion "loop" {{.*}} -> tensor<2049x64xf32>
// CHECK-NOT:   tx.fusion
func.func @few_long_columns(%x: tensor<2049x64xf32>) -> (tensor<2049x64xf32>, tensor<64xf32>) {
  %sum = tx.sum %x dims = [0] : tensor<2049x64xf32> -> tensor<64xf32>
  %0 = tx.broadcast %sum dims = [1] : tensor<64xf32> -> tensor<2049x64xf32>
  %y = tx.sub %x, %0 : tensor<2049x64xf32>
  return %y, %sum : tensor<2049x64xf32>, tensor<64xf32>
}

// -----

// CHECK-LABEL: @many_long_columns
// CHECK:       tx.fusion "column" {{.*}} -> (tensor<2049x4096xf32>, tensor<4096xf32>)
// CHECK-NOT:   tx.fusion
func.func @many_long_columns(%x: tensor<2049x4096xf32>) -> (tensor<2049x4096xf32>, tensor<4096xf32>) {
  %sum = tx.sum %x dims = [0] : tensor<2049x4096xf32> -> tensor<4096xf32>
  %0 = tx.broadcast %sum dims = [1] : tensor<4096xf32> -> tensor<2049x4096xf32>
  %y = tx.sub %x, %0 : tensor<2049x4096xf32>
  return %y, %sum : tensor<2049x4096xf32>, tensor<4096xf32>
}

// -----

// More rows are few for a GPU.
// CHECK-LABEL: @few_long_rows_on_grid
// CHECK:       tx.fusion "row" {{.*}} -> tensor<200xf32>
// CHECK:       tx.fusion "loop" {{.*}} -> tensor<200x65537xf32>
// CHECK-NOT:   tx.fusion
module attributes {tx.target = "cuda:sm_80"} {
  func.func @few_long_rows_on_grid(%x: tensor<200x65537xf32>) -> (tensor<200x65537xf32>, tensor<200xf32>) {
    %mean = tx.sum %x dims = [1] : tensor<200x65537xf32> -> tensor<200xf32>
    %0 = tx.broadcast %mean dims = [0] : tensor<200xf32> -> tensor<200x65537xf32>
    %y = tx.sub %x, %0 : tensor<200x65537xf32>
    return %y, %mean : tensor<200x65537xf32>, tensor<200xf32>
  }
}
