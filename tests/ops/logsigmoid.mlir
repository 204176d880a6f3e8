// log(1 / (1 + e^-x)), without overflow.
//
// RUN: %npy %t.x.npy f64 '[-3.5, -1.25, -0.3, 0.2, 0.75, 2.5, 7.0]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:129,9 --compare=reference

func.func @main(%x: tensor<7xf64> {tx.name = "x"})
    -> (tensor<7xf64> {tx.name = "y"}) {
  %r_y = tx.logsigmoid %x : tensor<7xf64>
  return %r_y
      : tensor<7xf64>
}
// CHECK: y: f64[7]
// CHECK-NEXT: -3.529750{{[0-9]*}}, -1.501929{{[0-9]*}}, -0.854355{{[0-9]*}}, -0.598138{{[0-9]*}}, -0.386871{{[0-9]*}}, -0.078889{{[0-9]*}}, -0.000911{{[0-9]*}}

func.func @sizes(%a: tensor<37xbf16>, %b: tensor<3x5x67xf32>, %h: tensor<1000xf16>, %n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"})
    -> (tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %ra = tx.logsigmoid %a : tensor<37xbf16>
  %rb = tx.logsigmoid %b : tensor<3x5x67xf32>
  %rh = tx.logsigmoid %h : tensor<1000xf16>
  %rn = tx.logsigmoid %n : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %ra, %rb, %rh, %rn : tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
