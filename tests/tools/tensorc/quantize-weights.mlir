// Constants that contractions and convolutions read become narrow integers and
// scales, which the same numbers come from where they are exact.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/weights.py %t
// RUN: %tensorc compile %s --entry=main --weights=%t/w.npz --quantize-weights=i4:4 --stop-after=import 2>%t/report | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s --check-prefix=REPORT < %t/report
// RUN: %tensorc run %s --weights=%t/w.npz --quantize-weights=i4:4 --input=%t/x.npy --input=%t/image.npy 2>/dev/null | FileCheck %s --check-prefix=EXACT
// RUN: %tensorc run %s --weights=%t/w.npz --quantize-weights=i8 --input=%t/x.npy --input=%t/image.npy --compare=reference 2>%t/i8 | FileCheck %s --check-prefix=COMPARE
// RUN: FileCheck %s --check-prefix=CHANNELS < %t/i8
// RUN: %tensorc compile %s --weights=%t/w.npz --quantize-weights=i4:4 -o %t/q.tcpkg
// RUN: %tensorc run %t/q.tcpkg --input=%t/x.npy --input=%t/image.npy | FileCheck %s --check-prefix=EXACT
//
// The halves of a group share bytes; the lookup reads floats.
// IR-LABEL: @main
// IR-DAG: tx.dequantize {{.*}} (tensor<2x2x2x2xi4>, tensor<2x1x2x1xf32>) -> tensor<2x2x2x2xf32>
// IR-DAG: tx.dequantize {{.*}} (tensor<1x4x1x1x2xi4>, tensor<1x1x1x1x2xf32>) -> tensor<1x4x1x1x2xf32>
// IR-DAG: tx.dequantize {{.*}} (tensor<16x2x7x2xi4>, tensor<16x1x7x1xf32>) -> tensor<16x2x7x2xf32>
// IR: tx.gather {{.*}} slice_sizes = [1, 7] : (tensor<64x7xf32>
// REPORT: matmul f32[2,8]: groups of 4, error at most 0.00E+00, mean 0.00E+00, relative 0.00%, 64 B -> 24 B
// REPORT: conv f32[2,4,1,1]: groups of 4, error at most 0.00E+00
// REPORT: table f32[64,7]: groups of 4, error at most {{[0-9.]+}}E-0{{.*}}, 1792 B -> 2464 B
// REPORT: nan f32[64,7] stays: it has infinite elements or NaN
// REPORT: one f32[64,7]: groups of 4, error at most
// REPORT: short f32[1,7] stays: it would not be smaller
// REPORT: 4 weights as i4: {{[0-9]+}} B -> {{[0-9]+}} B
// EXACT: [10, 800]
// EXACT: {{\[\[\[\[}}7
// EXACT-NEXT: {{\[\[}}-8
// COMPARE: compare out2: largest error
// CHANNELS: table f32[64,7]: groups of 64
//
// RUN: not %tensorc compile %s --quantize-weights=i8 -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not %tensorc compile %s --quantize-weights=i5 -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=DTYPE
// RUN: not %tensorc compile %s --quantize-weights=i4:1 -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not %tensorc compile %s --quantize-weights=i4: -o %t/no.tcpkg 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not %tensorc run %t/q.tcpkg --quantize-weights=i8 2>&1 | FileCheck %s --check-prefix=PACKAGE
// RUN: not test -e %t/no.tcpkg
// NOTHING: error: --quantize-weights: no constant is read by a contraction or convolution and gets smaller (--weights=FILE makes constants of arguments)
// DTYPE: --quantize-weights: weights are quantized to i8 or i4, each with :GROUP behind it or not, and not to i5
// GROUP: --quantize-weights: a group is of 2 elements or more, not
// PACKAGE: --quantize-weights does not apply to the package

func.func @main(%w: tensor<2x8xf32> {tx.name = "matmul"}, %k: tensor<2x4x1x1xf32> {tx.name = "conv"},
                %table: tensor<64x7xf32> {tx.name = "table"}, %nan: tensor<64x7xf32> {tx.name = "nan"},
                %one: tensor<64x7xf32> {tx.name = "one"}, %short: tensor<1x7xf32> {tx.name = "short"},
                %x: tensor<8xf32> {tx.name = "x"}, %image: tensor<1x4x1x1xf32> {tx.name = "image"})
    -> (tensor<2xf32>, tensor<1x2x1x1xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<3x7xf32>) {
  %0 = tx.dot_general %w, %x batch = [] x [] contracting = [1] x [0] : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2xf32>
  %1 = tx.conv %image, %k groups = 1 sizes = [1, 1] strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] input_dilations = [1, 1]
      : (tensor<1x4x1x1xf32>, tensor<2x4x1x1xf32>) -> tensor<1x2x1x1xf32>
  %zero = tx.constant dense<0.0> : tensor<f32>
  %row = tx.pad %x, %zero low = [28] high = [28] interior = [0] : tensor<8xf32> -> tensor<64xf32>
  %turned = tx.transpose %table permutation = [1, 0] : tensor<64x7xf32> -> tensor<7x64xf32>
  %2 = tx.dot_general %turned, %row batch = [] x [] contracting = [1] x [0] : (tensor<7x64xf32>, tensor<64xf32>) -> tensor<7xf32>
  %3 = tx.dot_general %row, %nan batch = [] x [] contracting = [0] x [0] : (tensor<64xf32>, tensor<64x7xf32>) -> tensor<7xf32>
  %4 = tx.dot_general %row, %one batch = [] x [] contracting = [0] x [0] : (tensor<64xf32>, tensor<64x7xf32>) -> tensor<7xf32>
  %two = tx.constant dense<2.0> : tensor<1xf32>
  %5 = tx.dot_general %two, %short batch = [] x [] contracting = [0] x [0] : (tensor<1xf32>, tensor<1x7xf32>) -> tensor<7xf32>
  %at = tx.constant dense<[[3], [0], [63]]> : tensor<3x1xi64>
  %6 = tx.gather %table, %at offset_dims = [1] collapsed_slice_dims = [0] start_index_map = [0] index_vector_dim = 1
      slice_sizes = [1, 7] : (tensor<64x7xf32>, tensor<3x1xi64>) -> tensor<3x7xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf32>, tensor<1x2x1x1xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<3x7xf32>
}
