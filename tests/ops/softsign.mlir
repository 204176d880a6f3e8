// x / (1 + |x|).
//
// RUN: %npy %t.x.npy f64 '[-3.5, -1.25, -0.3, 0.2, 0.75, 2.5, 7.0]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:129,9 --compare=reference

func.func @main(%x: tensor<7xf64> {tx.name = "x"})
    -> (tensor<7xf64> {tx.name = "y"}) {
  %r_y = tx.softsign %x : tensor<7xf64>
  return %r_y
      : tensor<7xf64>
}
// CHECK: y: f64[7]
// CHECK-NEXT: -0.777777{{[0-9]*}}, -0.555555{{[0-9]*}}, -0.230769{{[0-9]*}}, 0.166666{{[0-9]*}}, 0.428571{{[0-9]*}}, 0.714285{{[0-9]*}}, {{0\.875|0\.8749999[0-9]*|0\.8750000[0-9]*}}

func.func @sizes(%a: tensor<37xbf16>, %b: tensor<3x5x67xf32>, %h: tensor<1000xf16>, %n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"})
    -> (tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %ra = tx.softsign %a : tensor<37xbf16>
  %rb = tx.softsign %b : tensor<3x5x67xf32>
  %rh = tx.softsign %h : tensor<1000xf16>
  %rn = tx.softsign %n : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %ra, %rb, %rh, %rn : tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
