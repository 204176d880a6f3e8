// Transposed convolution: gaps in the image, a mirrored kernel.
//
// RUN: %npy %t.x.npy f64 '[[[1.0, 2.0, -1.0, 0.5, 3.0], [0.0, 1.5, 2.5, -2.0, 1.0]]]'
// RUN: %npy %t.k.npy f64 '[[[0.5, -1.0, 2.0], [1.0, 0.25, -0.5]], [[1.5, 1.0, 0.0], [-1.0, 2.0, 0.5]]]'
// RUN: %run_op --input=x=%t.x.npy --input=k=%t.k.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:2,2,9 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,2,33 --compare=reference
// RUN: %run_op --entry=large --random-inputs --compare=reference
// RUN: %run_op --entry=large_odd --random-inputs --compare=reference
// RUN: %run_op --entry=large_one --random-inputs --compare=reference
// RUN: %run_op --entry=small --random-inputs --compare=reference
// RUN: %run_op --entry=beyond --random-inputs --compare=reference
// RUN: %run_op --entry=common_gaps --random-inputs --compare=reference
// RUN: %run_op --entry=coprime_gaps --random-inputs --compare=reference

func.func @main(%x: tensor<1x2x5xf64> {tx.name = "x"},
                %k: tensor<2x2x3xf64> {tx.name = "k"})
    -> (tensor<1x2x11xf64> {tx.name = "y"}) {
  %r_y = tx.conv_transpose %x, %k groups = 1 sizes = [3] strides = [1] dilations = [1] low = [2] high = [2] input_dilations = [2] : (tensor<1x2x5xf64>, tensor<2x2x3xf64>) -> tensor<1x2x11xf64>
  return %r_y
      : tensor<1x2x11xf64>
}
// CHECK: y: f64[1,2,11]
// CHECK-NEXT: {{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}, -{{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{5\.25|5\.249999[0-9]*|5\.250000[0-9]*}}, -{{0\.5|0\.49999[0-9]*|0\.50000[0-9]*}}, {{7\.25|7\.249999[0-9]*|7\.250000[0-9]*}}, {{3\.5|3\.49999[0-9]*|3\.50000[0-9]*}}, -{{4\.75|4\.749999[0-9]*|4\.750000[0-9]*}}, -{{2\.5|2\.49999[0-9]*|2\.50000[0-9]*}}, {{4|3\.9999[0-9]*|4\.0000[0-9]*}}, -{{2|1\.9999[0-9]*|2\.0000[0-9]*}}, {{6|5\.9999[0-9]*|6\.0000[0-9]*}}
// CHECK-NEXT: {{1|0\.9999[0-9]*|1\.0000[0-9]*}}, {{0\.25|0\.249999[0-9]*|0\.250000[0-9]*}}, {{-?(0|[0-9.]+e-1[0-9])}}, {{3\.5|3\.49999[0-9]*|3\.50000[0-9]*}}, -{{3\.75|3\.749999[0-9]*|3\.750000[0-9]*}}, {{4\.75|4\.749999[0-9]*|4\.750000[0-9]*}}, {{4\.25|4\.249999[0-9]*|4\.250000[0-9]*}}, -{{3\.875|3\.8749999[0-9]*|3\.8750000[0-9]*}}, {{0\.75|0\.749999[0-9]*|0\.750000[0-9]*}}, {{2\.75|2\.749999[0-9]*|2\.750000[0-9]*}}, -{{1|0\.9999[0-9]*|1\.0000[0-9]*}}

func.func @sizes(%n: tensor<?x2x?xf32, #tx.dims<[n, 2, w]>> {tx.name = "n"}, %k: tensor<2x3x3xf32>) -> tensor<?x3x?xf32, #tx.dims<[n, 3, w * 2 + 1]>> {
  %0 = tx.conv_transpose %n, %k groups = 1 sizes = [3] strides = [1] dilations = [1] low = [2] high = [2] input_dilations = [2]
      : (tensor<?x2x?xf32, #tx.dims<[n, 2, w]>>, tensor<2x3x3xf32>) -> tensor<?x3x?xf32, #tx.dims<[n, 3, w * 2 + 1]>>
  return %0 : tensor<?x3x?xf32, #tx.dims<[n, 3, w * 2 + 1]>>
}
// Kernels larger than the images: a product by the kernel as it lies, and what overlaps is added up.
func.func @large(%x: tensor<2x3x3x5xf32>, %k: tensor<3x16x4x4xf32>) -> tensor<2x16x6x10xf32> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [4, 4] strides = [1, 1] dilations = [1, 1] low = [2, 2] high = [2, 2] input_dilations = [2, 2]
      : (tensor<2x3x3x5xf32>, tensor<3x16x4x4xf32>) -> tensor<2x16x6x10xf32>
  return %0 : tensor<2x16x6x10xf32>
}
func.func @large_odd(%x: tensor<1x4x4x3xf64>, %k: tensor<4x24x3x5xf64>) -> tensor<1x24x8x12xf64> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [3, 5] strides = [1, 1] dilations = [1, 1] low = [1, 4] high = [2, 5] input_dilations = [2, 3]
      : (tensor<1x4x4x3xf64>, tensor<4x24x3x5xf64>) -> tensor<1x24x8x12xf64>
  return %0 : tensor<1x24x8x12xf64>
}
func.func @large_one(%x: tensor<1x5x3xf32>, %k: tensor<5x8x16xf32>) -> tensor<1x8x24xf32> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [16] strides = [1] dilations = [1] low = [11] high = [11] input_dilations = [8]
      : (tensor<1x5x3xf32>, tensor<5x8x16xf32>) -> tensor<1x8x24xf32>
  return %0 : tensor<1x8x24xf32>
}
// A dim without gaps; elements that do not meet.
func.func @small(%x: tensor<1x2x3x4xf32>, %k: tensor<2x64x3x2xf32>) -> tensor<1x64x3x11xf32> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [3, 2] strides = [1, 1] dilations = [1, 1] low = [1, 1] high = [1, 1] input_dilations = [1, 3]
      : (tensor<1x2x3x4xf32>, tensor<2x64x3x2xf32>) -> tensor<1x64x3x11xf32>
  return %0 : tensor<1x64x3x11xf32>
}
// The result goes beyond what the products reach.
func.func @beyond(%x: tensor<1x2x3xf32>, %k: tensor<2x64x2xf32>) -> tensor<1x64x9xf32> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [2] strides = [1] dilations = [1] low = [1] high = [4] input_dilations = [2]
      : (tensor<1x2x3xf32>, tensor<2x64x2xf32>) -> tensor<1x64x9xf32>
  return %0 : tensor<1x64x9xf32>
}
// Gaps in windows, too: most sums have common ones.
func.func @common_gaps(%x: tensor<1x2x5x4xf32>, %k: tensor<2x3x3x2xf32>) -> tensor<1x3x10x16xf32> {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [3, 2] strides = [1, 1] dilations = [2, 2] low = [3, 1] high = [2, 4] input_dilations = [2, 4]
      : (tensor<1x2x5x4xf32>, tensor<2x3x3x2xf32>) -> tensor<1x3x10x16xf32>
  return %0 : tensor<1x3x10x16xf32>
}
// Without common ones.
func.func @coprime_gaps(%x: tensor<1x2x5x6xf32>, %k: tensor<2x3x3x2xf32>, %y: tensor<1x2x6xf32>, %l: tensor<2x3x2xf32>) -> (tensor<1x3x14x13xf32>, tensor<1x3x9xf32>, tensor<1x3x13xf32>) {
  %0 = tx.conv_transpose %x, %k groups = 1 sizes = [3, 2] strides = [1, 1] dilations = [2, 1] low = [2, 1] high = [3, 2] input_dilations = [3, 2]
      : (tensor<1x2x5x6xf32>, tensor<2x3x3x2xf32>) -> tensor<1x3x14x13xf32>
  %1 = tx.conv_transpose %y, %l groups = 1 sizes = [2] strides = [1] dilations = [4] low = [-1] high = [3] input_dilations = [2]
      : (tensor<1x2x6xf32>, tensor<2x3x2xf32>) -> tensor<1x3x9xf32>
  %2 = tx.conv_transpose %y, %l groups = 1 sizes = [2] strides = [1] dilations = [3] low = [2] high = [3] input_dilations = [2]
      : (tensor<1x2x6xf32>, tensor<2x3x2xf32>) -> tensor<1x3x13xf32>
  return %0, %1, %2 : tensor<1x3x14x13xf32>, tensor<1x3x9xf32>, tensor<1x3x13xf32>
}
