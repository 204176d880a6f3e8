// A schedule changes no bit: tiles, rows of a block, lanes, stages, and one kernel or two.
//
// DEFINE: %{same} = %python %S/Inputs/same_bits.py %tensorc %s
// RUN: %{same} --entry=matmul --device=cpu -- dot_general:rows=1 dot_general:vectors=1 dot_general:vectors=4
// RUN: %{same} --entry=convolution --device=cpu -- dot_general:rows=1 dot_general:vectors=1 dot_general:rows=1,vectors=4
// RUN: %{same} --entry=channels_last --device=cpu -- conv:outer=1 conv:outer=1,rows=1
// RUN: %{same} --entry=matmul --device=sim:sm_80 -- dot_general:rows=16 dot_general:columns=16 dot_general:rows=32,columns=16
// RUN: %{same} --entry=chunks --device=sim:sm_80 -- dot_general:rows=128 dot_general:rows=64,columns=128 dot_general:stages=2
// RUN: %{same} --entry=chunks --device=sim:gfx942 -- dot_general:rows=128 dot_general:rows=128,columns=64
// RUN: %if x86-64-v4 %{ env TENSORC_CPU=x86-64-v4 %{same} --entry=attention --device=cpu -- attention:rows=16 attention:rows=32 attention:rows=48 attention:rows=64 %}
// RUN: %{same} --entry=attention --device=sim:sm_80 -- attention:rows=32 attention:rows=128
// RUN: %{same} --entry=attention --device=sim:gfx1100 -- attention:threads=128
// RUN: %{same} --entry=rows --device=sim:sm_80 -- sum:threads=128 sum:threads=64
// RUN: %{same} --entry=rows --device=cpu -- sum:kernels=2
// RUN: %{same} --entry=long_rows --device=sim:sm_80 -- sum:kernels=1 sum:kernels=2
// RUN: %{same} --entry=long_rows --device=cpu -- sum:kernels=1 sum:kernels=2
// RUN: %{same} --entry=columns --device=sim:sm_80 -- sum:lanes=1 sum:columns=16 sum:lanes=1,columns=16
// RUN: %{same} --entry=columns --device=cpu -- sum:lanes=2 sum:kernels=1 sum:kernels=2
// RUN: %{same} --entry=window_sums --device=cpu -- sum:skeleton=rows pad_mul_sum:skeleton=rows sum_1:skeleton=rows
// RUN: %{same} --entry=turned --device=cpu -- transpose:skeleton=elements transpose:squares=1 transpose:squares=4
// RUN: %{same} --entry=scan --device=cpu -- cumsum:kernels=1 cumsum:kernels=3
// RUN: %{same} --entry=scan_columns --device=cpu -- cumsum:kernels=3 cumsum:lanes=2
// RUN: %{same} --entry=sorted --device=cpu -- sort:digits_from=1 sort:network_from=2147483648,digits_from=2147483648 sort:network_from=1 sort:network_from=32,partition_from=2147483648
// RUN: %{same} --entry=first --device=cpu -- sort_argsort:skeleton=sort sort_argsort:room=256 sort_argsort:room=16,digits_from=1
// RUN: %{same} --entry=first_across --device=cpu -- sort_argsort:skeleton=sort sort_argsort:skeleton=select sort_argsort:vectors=1 sort_argsort:vectors=16
// RUN: %if x86-64-v4 %{ env TENSORC_CPU=x86-64-v4 %{same} --entry=short --device=cpu -- sort:alone_from=1 argsort:alone_from=1,digits_from=2147483648 argsort_1:alone_from=1 %}
// RUN: %{same} --entry=loop --device=sim:sm_80 -- exp:lanes=1 exp:lanes=2,threads=128
// RUN: %{same} --entry=loop --device=cpu -- exp:lanes=8
// RUN: %{same} --entry=across --device=cpu -- fft:skeleton=rows

// Two chips' skeletons for one order: wgmma, and instructions of a subgroup.
// RUN: %{same} --entry=large --device=sim:sm_90a -- dot_general:skeleton=mma dot_general:columns=256 dot_general:stages=2

func.func @matmul(%x: tensor<37x70xf32>, %y: tensor<70x45xf32>) -> tensor<37x45xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<37x70xf32>, tensor<70x45xf32>) -> tensor<37x45xf32>
  return %0 : tensor<37x45xf32>
}
// Three chunks.
func.func @chunks(%x: tensor<33x1600xf16>, %y: tensor<1600x48xf16>) -> tensor<33x48xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<33x1600xf16>, tensor<1600x48xf16>) -> tensor<33x48xf16>
  return %0 : tensor<33x48xf16>
}
func.func @large(%x: tensor<1024x64xf16>, %y: tensor<64x1024xf16>) -> tensor<1024x1024xf16> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<1024x64xf16>, tensor<64x1024xf16>) -> tensor<1024x1024xf16>
  return %0 : tensor<1024x1024xf16>
}
func.func @attention(%q: tensor<2x70x32xf16>, %k: tensor<2x96x32xf16>, %v: tensor<2x96x32xf16>) -> tensor<2x70x32xf16> {
  %p = tx.dot_general %q, %k batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x70x32xf16>, tensor<2x96x32xf16>) -> tensor<2x70x96xf16>
  %x = tx.convert %p : tensor<2x70x96xf16> -> tensor<2x70x96xf32>
  %m = tx.reduce_max %x dims = [2] : tensor<2x70x96xf32> -> tensor<2x70xf32>
  %mb = tx.broadcast %m dims = [0, 1] : tensor<2x70xf32> -> tensor<2x70x96xf32>
  %d = tx.sub %x, %mb : tensor<2x70x96xf32>
  %e = tx.exp %d : tensor<2x70x96xf32>
  %s = tx.sum %e dims = [2] : tensor<2x70x96xf32> -> tensor<2x70xf32>
  %sb = tx.broadcast %s dims = [0, 1] : tensor<2x70xf32> -> tensor<2x70x96xf32>
  %w = tx.div %e, %sb : tensor<2x70x96xf32>
  %c = tx.convert %w : tensor<2x70x96xf32> -> tensor<2x70x96xf16>
  %o = tx.dot_general %c, %v batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x70x96xf16>, tensor<2x96x32xf16>) -> tensor<2x70x32xf16>
  return %o : tensor<2x70x32xf16>
}
func.func @rows(%x: tensor<7x101xf32>) -> tensor<7xf32> {
  %0 = tx.sum %x dims = [1] : tensor<7x101xf32> -> tensor<7xf32>
  return %0 : tensor<7xf32>
}
func.func @long_rows(%x: tensor<3x80000xf32>) -> tensor<3xf32> {
  %0 = tx.sum %x dims = [1] : tensor<3x80000xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @columns(%x: tensor<700x256xf32>) -> tensor<256xf32> {
  %0 = tx.sum %x dims = [0] : tensor<700x256xf32> -> tensor<256xf32>
  return %0 : tensor<256xf32>
}
func.func @scan(%x: tensor<2x40000xf32>) -> tensor<2x40000xf32> {
  %0 = tx.cumsum %x dim = 1 : tensor<2x40000xf32>
  return %0 : tensor<2x40000xf32>
}
func.func @scan_columns(%x: tensor<9000x6xf32>) -> tensor<9000x6xf32> {
  %0 = tx.cumsum %x dim = 0 : tensor<9000x6xf32>
  return %0 : tensor<9000x6xf32>
}
func.func @loop(%x: tensor<1003xf32>) -> tensor<1003xf32> {
  %0 = tx.exp %x : tensor<1003xf32>
  return %0 : tensor<1003xf32>
}
// Windows of 9, 9 and 36 elements: fewer and more than a row has lanes.
func.func @window_sums(%x: tensor<2x3x17x19xf32>, %k: tensor<3x3x3xf32>) -> (tensor<2x3x15x17xf32>, tensor<2x3x9x10xf32>, tensor<2x3x12x14xf32>) {
  %0 = tx.windows %x dims = [2, 3] sizes = [3, 3] strides = [1, 1] dilations = [1, 1] : tensor<2x3x17x19xf32> -> tensor<2x3x15x17x3x3xf32>
  %1 = tx.sum %0 dims = [4, 5] : tensor<2x3x15x17x3x3xf32> -> tensor<2x3x15x17xf32>
  %z = tx.constant dense<0.0> : tensor<f32>
  %2 = tx.pad %x, %z low = [0, 0, 1, 1] high = [0, 0, 1, 1] interior = [0, 0, 0, 0] : tensor<2x3x17x19xf32> -> tensor<2x3x19x21xf32>
  %3 = tx.windows %2 dims = [2, 3] sizes = [3, 3] strides = [2, 2] dilations = [1, 1] : tensor<2x3x19x21xf32> -> tensor<2x3x9x10x3x3xf32>
  %4 = tx.broadcast %k dims = [1, 4, 5] : tensor<3x3x3xf32> -> tensor<2x3x9x10x3x3xf32>
  %5 = tx.mul %3, %4 : tensor<2x3x9x10x3x3xf32>
  %6 = tx.sum %5 dims = [4, 5] : tensor<2x3x9x10x3x3xf32> -> tensor<2x3x9x10xf32>
  %7 = tx.windows %x dims = [2, 3] sizes = [6, 6] strides = [1, 1] dilations = [1, 1] : tensor<2x3x17x19xf32> -> tensor<2x3x12x14x6x6xf32>
  %8 = tx.sum %7 dims = [4, 5] : tensor<2x3x12x14x6x6xf32> -> tensor<2x3x12x14xf32>
  return %1, %6, %8 : tensor<2x3x15x17xf32>, tensor<2x3x9x10xf32>, tensor<2x3x12x14xf32>
}
func.func @turned(%x: tensor<37x41xf32>) -> tensor<41x37xf32> {
  %0 = tx.transpose %x permutation = [1, 0] : tensor<37x41xf32> -> tensor<41x37xf32>
  return %0 : tensor<41x37xf32>
}
// Lanes over several rows of an image, and rows over two.
func.func @convolution(%x: tensor<2x3x9x7xf32>, %w: tensor<33x3x3x3xf32>) -> tensor<2x33x7x5xf32> {
  %0 = tx.conv %x, %w groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1]
      : (tensor<2x3x9x7xf32>, tensor<33x3x3x3xf32>) -> tensor<2x33x7x5xf32>
  return %0 : tensor<2x33x7x5xf32>
}
func.func @channels_last(%x: tensor<2x9x7x3xf32>, %w: tensor<3x3x3x33xf32>) -> tensor<2x7x5x33xf32> {
  %0 = tx.conv %x, %w channels_last groups = 1 sizes = [3, 3] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1]
      : (tensor<2x9x7x3xf32>, tensor<3x3x3x33xf32>) -> tensor<2x7x5x33xf32>
  return %0 : tensor<2x7x5x33xf32>
}
// Selected, or sorted whole.
func.func @first(%x: tensor<5x2003xf32>) -> (tensor<5x30xf32>, tensor<5x30xi64>) {
  %0 = tx.sort %x dim = 1 : tensor<5x2003xf32>
  %1 = tx.argsort %x dim = 1 : tensor<5x2003xf32>
  %2 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<5x2003xf32> -> tensor<5x30xf32>
  %3 = tx.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<5x2003xi64> -> tensor<5x30xi64>
  return %2, %3 : tensor<5x30xf32>, tensor<5x30xi64>
}
func.func @first_across(%x: tensor<203x70xf32>) -> (tensor<9x70xf32>, tensor<9x70xi64>) {
  %0 = tx.sort %x dim = 0 : tensor<203x70xf32>
  %1 = tx.argsort %x dim = 0 : tensor<203x70xf32>
  %2 = tx.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<203x70xf32> -> tensor<9x70xf32>
  %3 = tx.slice %1 offsets = [0, 0] strides = [1, 1] : tensor<203x70xi64> -> tensor<9x70xi64>
  return %2, %3 : tensor<9x70xf32>, tensor<9x70xi64>
}
// In parts, by digits, by merges, in a network of vectors.
func.func @sorted(%x: tensor<5x2003xf32>) -> tensor<5x2003xf32> {
  %0 = tx.sort %x dim = 1 descending : tensor<5x2003xf32>
  return %0 : tensor<5x2003xf32>
}
// Side by side, and row by row.
func.func @short(%x: tensor<50x33xf32>, %y: tensor<50x33xi64>) -> (tensor<50x33xf32>, tensor<50x33xi64>, tensor<50x33xi64>) {
  %0 = tx.sort %x dim = 1 : tensor<50x33xf32>
  %1 = tx.argsort %x dim = 1 descending : tensor<50x33xf32>
  %2 = tx.argsort %y dim = 1 : tensor<50x33xi64>
  return %0, %1, %2 : tensor<50x33xf32>, tensor<50x33xi64>, tensor<50x33xi64>
}

func.func @across(%x: tensor<2x300x33xf32>) -> tensor<300x33x2xf32> {
  %0 = tx.transpose %x permutation = [0, 2, 1] : tensor<2x300x33xf32> -> tensor<2x33x300xf32>
  %1 = tx.fft %0 length = 300 : tensor<2x33x300xf32>
  %2 = tx.transpose %1 permutation = [2, 1, 0] : tensor<2x33x300xf32> -> tensor<300x33x2xf32>
  return %2 : tensor<300x33x2xf32>
}
