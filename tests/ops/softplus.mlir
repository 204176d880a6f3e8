// log(1 + e^(beta x)) / beta, with and without a beta.
//
// RUN: %npy %t.x.npy f64 '[-3.5, -1.25, -0.3, 0.2, 0.75, 2.5, 7.0]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:129,9 --compare=reference

func.func @main(%x: tensor<7xf64> {tx.name = "x"})
    -> (tensor<7xf64> {tx.name = "y"},
        tensor<7xf64> {tx.name = "one"}) {
  %beta = tx.constant dense<2.5> : tensor<f64>
  %r_y = tx.softplus %x beta %beta : (tensor<7xf64>, tensor<f64>) -> tensor<7xf64>
  %r_one = tx.softplus %x : (tensor<7xf64>) -> tensor<7xf64>
  return %r_y, %r_one
      : tensor<7xf64>, tensor<7xf64>
}
// CHECK: y: f64[7]
// CHECK-NEXT: 6.337950{{[0-9]*}}e-05, 0.017199{{[0-9]*}}, 0.154748{{[0-9]*}}, 0.389630{{[0-9]*}}, 0.807070{{[0-9]*}}, 2.500771{{[0-9]*}}, 7.000000{{[0-9]*}}
// CHECK: one: f64[7]
// CHECK-NEXT: 0.029750{{[0-9]*}}, 0.251929{{[0-9]*}}, 0.554355{{[0-9]*}}, 0.798138{{[0-9]*}}, 1.136871{{[0-9]*}}, 2.578889{{[0-9]*}}, 7.000911{{[0-9]*}}

func.func @sizes(%a: tensor<37xbf16>, %b: tensor<3x5x67xf32>, %h: tensor<1000xf16>, %n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"})
    -> (tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>) {
  %s_f32 = tx.constant dense<2.5> : tensor<f32>
  %ra = tx.softplus %a beta %s_f32 : (tensor<37xbf16>, tensor<f32>) -> tensor<37xbf16>
  %rb = tx.softplus %b beta %s_f32 : (tensor<3x5x67xf32>, tensor<f32>) -> tensor<3x5x67xf32>
  %rh = tx.softplus %h beta %s_f32 : (tensor<1000xf16>, tensor<f32>) -> tensor<1000xf16>
  %rn = tx.softplus %n beta %s_f32 : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<f32>) -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %ra, %rb, %rh, %rn : tensor<37xbf16>, tensor<3x5x67xf32>, tensor<1000xf16>, tensor<?x?xf32, #tx.dims<[n, m]>>
}
