// Convolutions: padded with a bias, strided and dilated, in groups.
//
// RUN: %npy %t.x.npy f64 '[[[1.0, 2.0, -1.0, 0.5, 3.0], [0.0, 1.5, 2.5, -2.0, 1.0]]]'
// RUN: %npy %t.k.npy f64 '[[[0.5, -1.0, 2.0], [1.0, 0.25, -0.5]], [[1.5, 1.0, 0.0], [-1.0, 2.0, 0.5]]]'
// RUN: %npy %t.g.npy f64 '[[[0.5, -1.0, 2.0]], [[1.5, 1.0, 0.0]]]'
// RUN: %npy %t.b.npy f64 '[0.5, -1.5]'
// RUN: %run_op --input=x=%t.x.npy --input=k=%t.k.npy --input=g=%t.g.npy --input=b=%t.b.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:2,4,7,9 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,4,16,33 --compare=reference
// RUN: %run_op --entry=channels --random-inputs --shape=x:2,4,9 --shape=g:6,2,3 --compare=reference

func.func @main(%x: tensor<1x2x5xf64> {tx.name = "x"},
                %k: tensor<2x2x3xf64> {tx.name = "k"},
                %g: tensor<2x1x3xf64> {tx.name = "g"},
                %b: tensor<2xf64> {tx.name = "b"})
    -> (tensor<1x2x5xf64> {tx.name = "padded"},
        tensor<1x2x2xf64> {tx.name = "strided"},
        tensor<1x2x3xf64> {tx.name = "groups"}) {
  %r_padded = tx.conv %x, %k bias %b groups = 1 sizes = [3] strides = [1] dilations = [1] low = [1] high = [1] input_dilations = [1] : (tensor<1x2x5xf64>, tensor<2x2x3xf64>, tensor<2xf64>) -> tensor<1x2x5xf64>
  %r_strided = tx.conv %x, %k groups = 1 sizes = [3] strides = [2] dilations = [2] low = [2] high = [1] input_dilations = [1] : (tensor<1x2x5xf64>, tensor<2x2x3xf64>) -> tensor<1x2x2xf64>
  %r_groups = tx.conv %x, %g groups = 2 sizes = [3] strides = [1] dilations = [1] low = [0] high = [0] input_dilations = [1] : (tensor<1x2x5xf64>, tensor<2x1x3xf64>) -> tensor<1x2x3xf64>
  return %r_padded, %r_strided, %r_groups
      : tensor<1x2x5xf64>, tensor<1x2x2xf64>, tensor<1x2x3xf64>
}
// CHECK: padded: f64[1,2,5]
// CHECK-NEXT: {{2\.75|2\.749999[0-9]*|2\.750000[0-9]*}}, -{{3\.875|3\.8749999[0-9]*|3\.8750000[0-9]*}}, {{6\.625|6\.6249999[0-9]*|6\.6250000[0-9]*}}, {{7|6\.9999[0-9]*|7\.0000[0-9]*}}, -{{4|3\.9999[0-9]*|4\.0000[0-9]*}}
// CHECK-NEXT: {{0\.25|0\.249999[0-9]*|0\.250000[0-9]*}}, {{6\.25|6\.249999[0-9]*|6\.250000[0-9]*}}, {{3|2\.9999[0-9]*|3\.0000[0-9]*}}, -{{8\.5|8\.49999[0-9]*|8\.50000[0-9]*}}, {{6\.25|6\.249999[0-9]*|6\.250000[0-9]*}}
// CHECK: strided: f64[1,2,2]
// CHECK-NEXT: -{{4\.25|4\.249999[0-9]*|4\.250000[0-9]*}}, {{7\.625|7\.6249999[0-9]*|7\.6250000[0-9]*}}
// CHECK-NEXT: {{2\.25|2\.249999[0-9]*|2\.250000[0-9]*}}, {{6|5\.9999[0-9]*|6\.0000[0-9]*}}
// CHECK: groups: f64[1,2,3]
// CHECK-NEXT: -{{3\.5|3\.49999[0-9]*|3\.50000[0-9]*}}, {{3|2\.9999[0-9]*|3\.0000[0-9]*}}, {{5|4\.9999[0-9]*|5\.0000[0-9]*}}
// CHECK-NEXT: {{1\.5|1\.49999[0-9]*|1\.50000[0-9]*}}, {{4\.75|4\.749999[0-9]*|4\.750000[0-9]*}}, {{1\.75|1\.749999[0-9]*|1\.750000[0-9]*}}

func.func @sizes(%n: tensor<?x4x?x?xf32, #tx.dims<[n, 4, h, w]>> {tx.name = "n"}, %k: tensor<6x4x3x3xf32>, %b: tensor<6xf32>) -> tensor<?x6x?x?xf32, #tx.dims<[n, 6, h, (w - 1) floordiv 2 + 1]>> {
  %0 = tx.conv %n, %k bias %b groups = 1 sizes = [3, 3] strides = [1, 2] dilations = [1, 1] low = [1, 1] high = [1, 1]
      input_dilations = [1, 1] : (tensor<?x4x?x?xf32, #tx.dims<[n, 4, h, w]>>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<?x6x?x?xf32, #tx.dims<[n, 6, h, (w - 1) floordiv 2 + 1]>>
  return %0 : tensor<?x6x?x?xf32, #tx.dims<[n, 6, h, (w - 1) floordiv 2 + 1]>>
}

// A named number of channels stays what it is called through its groups.
func.func @channels(%x: tensor<?x4x9xf32, #tx.dims<[n, 4, 9]>> {tx.name = "x"},
                    %g: tensor<?x2x3xf32, #tx.dims<[m, 2, 3]>> {tx.name = "g"}) -> tensor<?x?x7xf32, #tx.dims<[n, m, 7]>> {
  %0 = tx.conv %x, %g groups = 2 sizes = [3] strides = [1] dilations = [1] low = [0] high = [0] input_dilations = [1] : (tensor<?x4x9xf32, #tx.dims<[n, 4, 9]>>, tensor<?x2x3xf32, #tx.dims<[m, 2, 3]>>) -> tensor<?x?x7xf32, #tx.dims<[n, m, 7]>>
  return %0 : tensor<?x?x7xf32, #tx.dims<[n, m, 7]>>
}
