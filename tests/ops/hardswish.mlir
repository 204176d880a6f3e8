// x min(max(x + 3, 0), 6) / 6.
//
// RUN: %npy %t.x.npy f64 '[-3.5, -1.25, -0.3, 0.2, 0.75, 2.5, 7.0]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:129,9 --compare=reference

func.func @main(%x: tensor<7xf64> {tx.name = "x"})
    -> (tensor<7xf64> {tx.name = "y"}) {
  %r_y = tx.hardswish %x : tensor<7xf64>
  return %r_y
      : tensor<7xf64>
}
// CHECK: y: f64[7]
// CHECK-NEXT: {{-?(0|[0-9.]+e-1[0-9])}}, -0.364583{{[0-9]*}}, -{{0\.135|0\.1349999[0-9]*|0\.1350000[0-9]*}}, 0.106666{{[0-9]*}}, {{0\.46875|0\.468749999[0-9]*|0\.468750000[0-9]*}}, 2.291666{{[0-9]*}}, {{7|6\.9999[0-9]*|7\.0000[0-9]*}}

func.func @sizes(%a: tensor<37xbf16>, %b: tensor<3x5x67xf32>, %h: tensor<1000xf16>, %n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"})
    -> (tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %ra = tx.hardswish %a : tensor<37xbf16>
  %rb = tx.hardswish %b : tensor<3x5x67xf32>
  %rh = tx.hardswish %h : tensor<1000xf16>
  %rn = tx.hardswish %n : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %ra, %rb, %rh, %rn : tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
