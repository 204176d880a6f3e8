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
// RUN: %run_op --entry=norm --random-inputs --shape=x:37,65 --compare=reference
// RUN: %run_op --entry=norm --random-inputs --shape=x:1,1 --compare=reference
// RUN: %run_op --entry=norm --random-inputs --shape=x:0,7 --compare=reference
// RUN: %run_op --entry=norm --random-inputs --shape=x:7,0 --compare=reference
// RUN: %run_op --entry=moments --random-inputs --compare=reference
// RUN: %run_op --entry=whole --random-inputs --shape=x:100003 --compare=reference
// RUN: %run_op --entry=whole --random-inputs --shape=x:0 --compare=reference
// RUN: %run_op --entry=few --random-inputs --compare=reference

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

// What a row, or a column, reduces, beside its elements.
func.func @norm(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x1xf32, #tx.dims<[n, 1]>>) {
  %eps = tx.constant dense<1.0e-06> : tensor<f32>
  %0 = tx.mul %x, %x : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.sum %0 dims = [1] : tensor<?x?xf32, #tx.dims<[n, m]>> -> tensor<?xf32, #tx.dims<[n]>>
  %power = tx.reshape %1 : tensor<?xf32, #tx.dims<[n]>> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
  %e = tx.broadcast %eps dims = [] : tensor<f32> -> tensor<?x1xf32, #tx.dims<[n, 1]>>
  %2 = tx.add %power, %e : tensor<?x1xf32, #tx.dims<[n, 1]>>
  %3 = tx.rsqrt %2 : tensor<?x1xf32, #tx.dims<[n, 1]>>
  %4 = tx.broadcast %3 dims = [0, 1] : tensor<?x1xf32, #tx.dims<[n, 1]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %y = tx.mul %x, %4 : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %y, %power : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x1xf32, #tx.dims<[n, 1]>>
}

func.func @moments(%x: tensor<7x130xf32>, %h: tensor<130x9xf16>)
    -> (tensor<7x130xf32>, tensor<7xf32>, tensor<7xf32>, tensor<130x9xf16>, tensor<9xf16>, tensor<9xi32>) {
  %n = tx.constant dense<130.0> : tensor<7xf32>
  %s = tx.sum %x dims = [1] : tensor<7x130xf32> -> tensor<7xf32>
  %mean = tx.div %s, %n : tensor<7xf32>
  %0 = tx.broadcast %mean dims = [0] : tensor<7xf32> -> tensor<7x130xf32>
  %1 = tx.sub %x, %0 : tensor<7x130xf32>
  %2 = tx.mul %1, %1 : tensor<7x130xf32>
  %variance = tx.sum %2 dims = [1] : tensor<7x130xf32> -> tensor<7xf32>
  %4 = tx.sqrt %variance : tensor<7xf32>
  %5 = tx.broadcast %4 dims = [0] : tensor<7xf32> -> tensor<7x130xf32>
  %y = tx.div %1, %5 : tensor<7x130xf32>
  %most = tx.reduce_max %h dims = [0] : tensor<130x9xf16> -> tensor<9xf16>
  %where = tx.argmax %h dims = [0] : tensor<130x9xf16> -> tensor<9xi32>
  %6 = tx.exp %most : tensor<9xf16>
  %7 = tx.broadcast %6 dims = [1] : tensor<9xf16> -> tensor<130x9xf16>
  %z = tx.mul %h, %7 : tensor<130x9xf16>
  return %y, %mean, %variance, %z, %6, %where
      : tensor<7x130xf32>, tensor<7xf32>, tensor<7xf32>, tensor<130x9xf16>, tensor<9xf16>, tensor<9xi32>
}

// Few rows that are long, and none.
func.func @whole(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}) -> (tensor<?xf32, #tx.dims<[n]>>, tensor<f32>) {
  %most = tx.reduce_max %x dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<f32>
  %0 = tx.broadcast %most dims = [] : tensor<f32> -> tensor<?xf32, #tx.dims<[n]>>
  %y = tx.sub %x, %0 : tensor<?xf32, #tx.dims<[n]>>
  return %y, %most : tensor<?xf32, #tx.dims<[n]>>, tensor<f32>
}

// Rows, and columns, that are few and long on every target: what is reduced, held or not, has kernels of its own.
func.func @few(%x: tensor<2x65600xf32>, %w: tensor<2100x7xf32>)
    -> (tensor<2x65600xf32>, tensor<2xf32>, tensor<2x65600xf32>, tensor<2xf32>, tensor<2100x7xf32>, tensor<2100x7xf32>, tensor<7xf32>) {
  %n = tx.constant dense<1.5e-05> : tensor<2xf32>
  %0 = tx.sum %x dims = [1] : tensor<2x65600xf32> -> tensor<2xf32>
  %mean = tx.mul %0, %n : tensor<2xf32>
  %1 = tx.broadcast %mean dims = [0] : tensor<2xf32> -> tensor<2x65600xf32>
  %y = tx.sub %x, %1 : tensor<2x65600xf32>
  %most = tx.reduce_max %x dims = [1] : tensor<2x65600xf32> -> tensor<2xf32>
  %2 = tx.broadcast %most dims = [0] : tensor<2xf32> -> tensor<2x65600xf32>
  %z = tx.sub %x, %2 : tensor<2x65600xf32>
  %3 = tx.mul %z, %z : tensor<2x65600xf32>
  %spread = tx.sum %3 dims = [1] : tensor<2x65600xf32> -> tensor<2xf32>
  %4 = tx.sum %w dims = [0] : tensor<2100x7xf32> -> tensor<7xf32>
  %5 = tx.broadcast %4 dims = [1] : tensor<7xf32> -> tensor<2100x7xf32>
  %u = tx.sub %w, %5 : tensor<2100x7xf32>
  %least = tx.reduce_min %w dims = [0] : tensor<2100x7xf32> -> tensor<7xf32>
  %6 = tx.broadcast %least dims = [1] : tensor<7xf32> -> tensor<2100x7xf32>
  %v = tx.sub %w, %6 : tensor<2100x7xf32>
  return %y, %mean, %z, %spread, %u, %v, %least
      : tensor<2x65600xf32>, tensor<2xf32>, tensor<2x65600xf32>, tensor<2xf32>, tensor<2100x7xf32>, tensor<2100x7xf32>, tensor<7xf32>
}
