// Several results that share what they are computed from.
//
// RUN: %run_op --random-inputs --compare=reference
// RUN: %run_op --entry=rows --random-inputs --compare=reference
// RUN: %run_op --entry=slices --random-inputs --compare=reference
// RUN: %run_op --entry=slice_of_row --random-inputs --compare=reference
// RUN: %run_op --entry=pads --random-inputs --shape=x:61 --shape=w:64,7 --compare=reference
// RUN: %run_op --entry=pads --random-inputs --shape=x:0 --shape=w:3,7 --compare=reference
// RUN: %run_op --entry=epilogues --random-inputs --compare=reference
// RUN: %run_op --entry=kept --random-inputs --compare=reference

// A part of what the other result's kernel iterates: at the beginning, so that it is read at the same index.
func.func @main(%x: tensor<5x32xf32>, %w: tensor<3x5x64xf32>) -> (tensor<5x64xf32>, tensor<5x32xf32>) {
  %a = tx.add %x, %x : tensor<5x32xf32>
  %c = tx.concatenate %a, %x dim = 1 : (tensor<5x32xf32>, tensor<5x32xf32>) -> tensor<5x64xf32>
  %s = tx.sum %w dims = [0] : tensor<3x5x64xf32> -> tensor<5x64xf32>
  %y = tx.mul %c, %s : tensor<5x64xf32>
  return %y, %a : tensor<5x64xf32>, tensor<5x32xf32>
}

func.func @rows(%x: tensor<100xf32>, %w: tensor<200x64xf32>) -> (tensor<200xf32>, tensor<100xf32>) {
  %a = tx.add %x, %x : tensor<100xf32>
  %c = tx.concatenate %a, %x dim = 0 : (tensor<100xf32>, tensor<100xf32>) -> tensor<200xf32>
  %s = tx.sum %w dims = [1] : tensor<200x64xf32> -> tensor<200xf32>
  %y = tx.mul %c, %s : tensor<200xf32>
  return %y, %a : tensor<200xf32>, tensor<100xf32>
}

// More than it iterates.
func.func @slices(%x: tensor<10x64xf32>, %w: tensor<3x5x64xf32>) -> (tensor<5x64xf32>, tensor<10x64xf32>) {
  %a = tx.add %x, %x : tensor<10x64xf32>
  %c = tx.slice %a offsets = [0, 0] strides = [1, 1] : tensor<10x64xf32> -> tensor<5x64xf32>
  %s = tx.sum %w dims = [0] : tensor<3x5x64xf32> -> tensor<5x64xf32>
  %y = tx.mul %c, %s : tensor<5x64xf32>
  return %y, %a : tensor<5x64xf32>, tensor<10x64xf32>
}

func.func @slice_of_row(%x: tensor<10xf32>, %w: tensor<5x64xf32>) -> (tensor<5xf32>, tensor<10xf32>) {
  %a = tx.add %x, %x : tensor<10xf32>
  %c = tx.slice %a offsets = [0] strides = [1] : tensor<10xf32> -> tensor<5xf32>
  %s = tx.sum %w dims = [1] : tensor<5x64xf32> -> tensor<5xf32>
  %y = tx.mul %c, %s : tensor<5xf32>
  return %y, %a : tensor<5xf32>, tensor<10xf32>
}

func.func @pads(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}, %w: tensor<?x7xf32, #tx.dims<[n + 3, 7]>> {tx.name = "w"})
    -> (tensor<?xf32, #tx.dims<[n + 3]>>, tensor<?xf32, #tx.dims<[n]>>) {
  %a = tx.add %x, %x : tensor<?xf32, #tx.dims<[n]>>
  %z = tx.constant dense<0.0> : tensor<f32>
  %c = tx.pad %a, %z low = [0] high = [3] interior = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<?xf32, #tx.dims<[n + 3]>>
  %s = tx.sum %w dims = [1] : tensor<?x7xf32, #tx.dims<[n + 3, 7]>> -> tensor<?xf32, #tx.dims<[n + 3]>>
  %y = tx.mul %c, %s : tensor<?xf32, #tx.dims<[n + 3]>>
  return %y, %a : tensor<?xf32, #tx.dims<[n + 3]>>, tensor<?xf32, #tx.dims<[n]>>
}

// What a contraction's epilogue computes and reads.
func.func @epilogues(%x: tensor<33x17xf32>, %w: tensor<17x9xf32>, %b: tensor<33x9xf32>)
    -> (tensor<33x9xf32>, tensor<33x9xf32>, tensor<33x9xf32>, tensor<33x4xf32>) {
  %d = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0] : (tensor<33x17xf32>, tensor<17x9xf32>) -> tensor<33x9xf32>
  %e = tx.exp %b : tensor<33x9xf32>
  %h = tx.slice %b offsets = [0, 0] strides = [1, 1] : tensor<33x9xf32> -> tensor<33x4xf32>
  %n = tx.neg %h : tensor<33x4xf32>
  %t = tx.slice %b offsets = [0, 4] strides = [1, 1] : tensor<33x9xf32> -> tensor<33x5xf32>
  %c = tx.concatenate %n, %t dim = 1 : (tensor<33x4xf32>, tensor<33x5xf32>) -> tensor<33x9xf32>
  %r = tx.add %d, %e : tensor<33x9xf32>
  %y = tx.mul %r, %c : tensor<33x9xf32>
  return %y, %r, %e, %n : tensor<33x9xf32>, tensor<33x9xf32>, tensor<33x9xf32>, tensor<33x4xf32>
}

func.func @kept(%x: tensor<5x64xf32>, %w: tensor<3x5x64xf32>) -> (tensor<5x64xf32>, tensor<5x64xf32>) {
  %a = tx.add %x, %x : tensor<5x64xf32>
  %s = tx.sum %w dims = [0] : tensor<3x5x64xf32> -> tensor<5x64xf32>
  %y = tx.mul %a, %s : tensor<5x64xf32>
  return %y, %a : tensor<5x64xf32>, tensor<5x64xf32>
}
