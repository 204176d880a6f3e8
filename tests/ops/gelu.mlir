// x/2 (1 + erf(x / sqrt 2)), and its approximation by tanh.
//
// RUN: %npy %t.x.npy f64 '[-3.5, -1.25, -0.3, 0.2, 0.75, 2.5, 7.0]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:129,9 --compare=reference

func.func @main(%x: tensor<7xf64> {tx.name = "x"})
    -> (tensor<7xf64> {tx.name = "y"},
        tensor<7xf64> {tx.name = "tanh"}) {
  %r_y = tx.gelu %x : tensor<7xf64>
  %r_tanh = tx.gelu %x approximate : tensor<7xf64>
  return %r_y, %r_tanh
      : tensor<7xf64>, tensor<7xf64>
}
// CHECK: y: f64[7]
// CHECK-NEXT: -0.000814{{[0-9]*}}, -0.132062{{[0-9]*}}, -0.114626{{[0-9]*}}, 0.115851{{[0-9]*}}, 0.580029{{[0-9]*}}, 2.484475{{[0-9]*}}, {{7|6\.9999[0-9]*|7\.0000[0-9]*}}
// CHECK: tanh: f64[7]
// CHECK-NEXT: -0.000616{{[0-9]*}}, -0.132285{{[0-9]*}}, -0.114629{{[0-9]*}}, 0.115851{{[0-9]*}}, 0.579960{{[0-9]*}}, 2.484915{{[0-9]*}}, {{7|6\.9999[0-9]*|7\.0000[0-9]*}}

func.func @sizes(%a: tensor<37xbf16>, %b: tensor<3x5x67xf32>, %h: tensor<1000xf16>, %n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"})
    -> (tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %ra = tx.gelu %a : tensor<37xbf16>
  %rb = tx.gelu %b : tensor<3x5x67xf32>
  %rh = tx.gelu %h : tensor<1000xf16>
  %rn = tx.gelu %n : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %ra, %rb, %rh, %rn : tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
