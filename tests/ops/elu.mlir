// x, or alpha (e^x - 1) below 0.
//
// RUN: %npy %t.x.npy f64 '[-3.5, -1.25, -0.3, 0.2, 0.75, 2.5, 7.0]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:129,9 --compare=reference

func.func @main(%x: tensor<7xf64> {tx.name = "x"})
    -> (tensor<7xf64> {tx.name = "y"}) {
  %alpha = tx.constant dense<1.5> : tensor<f64>
  %r_y = tx.elu %x, %alpha : (tensor<7xf64>, tensor<f64>) -> tensor<7xf64>
  return %r_y
      : tensor<7xf64>
}
// CHECK: y: f64[7]
// CHECK-NEXT: -1.454703{{[0-9]*}}, -1.070242{{[0-9]*}}, -0.388772{{[0-9]*}}, {{0\.2|0\.19999[0-9]*|0\.20000[0-9]*}}, {{0\.75|0\.749999[0-9]*|0\.750000[0-9]*}}, {{2\.5|2\.49999[0-9]*|2\.50000[0-9]*}}, {{7|6\.9999[0-9]*|7\.0000[0-9]*}}

func.func @sizes(%a: tensor<37xbf16>, %b: tensor<3x5x67xf32>, %h: tensor<1000xf16>, %n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"})
    -> (tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %s_f32 = tx.constant dense<1.5> : tensor<f32>
  %ra = tx.elu %a, %s_f32 : (tensor<37xbf16>, tensor<f32>) -> tensor<37xbf16>
  %rb = tx.elu %b, %s_f32 : (tensor<3x5x67xf32>, tensor<f32>) -> tensor<3x5x67xf32>
  %rh = tx.elu %h, %s_f32 : (tensor<1000xf16>, tensor<f32>) -> tensor<1000xf16>
  %rn = tx.elu %n, %s_f32 : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<f32>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %ra, %rb, %rh, %rn : tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
