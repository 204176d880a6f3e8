// Transposed convolution: gaps in the image, a mirrored kernel.
//
// RUN: %npy %t.x.npy f64 '[[[1.0, 2.0, -1.0, 0.5, 3.0], [0.0, 1.5, 2.5, -2.0, 1.0]]]'
// RUN: %npy %t.k.npy f64 '[[[0.5, -1.0, 2.0], [1.0, 0.25, -0.5]], [[1.5, 1.0, 0.0], [-1.0, 2.0, 0.5]]]'
// RUN: %run_op --input=x=%t.x.npy --input=k=%t.k.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:2,2,9 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,2,33 --compare=reference

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
