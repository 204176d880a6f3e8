// Shares of the exponentials.
//
// RUN: %npy %t.x.npy f64 '[[0.5, -1.25, 2.0, 0.1], [3.0, 2.9, -0.7, 1.6], [-2.0, 0.3, 0.9, -4.0]]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:33,257 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,1 --compare=reference

func.func @main(%x: tensor<3x4xf64> {tx.name = "x"})
    -> (tensor<3x4xf64> {tx.name = "last"},
        tensor<3x4xf64> {tx.name = "first"}) {
  %r_last = tx.softmax %x dim = 1 : tensor<3x4xf64>
  %r_first = tx.softmax %x dim = 0 : tensor<3x4xf64>
  return %r_last, %r_first
      : tensor<3x4xf64>, tensor<3x4xf64>
}
// CHECK: last: f64[3,4]
// CHECK-NEXT: 0.158083{{[0-9]*}}, 0.027470{{[0-9]*}}, 0.708479{{[0-9]*}}, 0.105966{{[0-9]*}}
// CHECK-NEXT: 0.459525{{[0-9]*}}, 0.415795{{[0-9]*}}, 0.011361{{[0-9]*}}, 0.113317{{[0-9]*}}
// CHECK-NEXT: 0.034148{{[0-9]*}}, 0.340605{{[0-9]*}}, 0.620624{{[0-9]*}}, 0.004621{{[0-9]*}}
// CHECK: first: f64[3,4]
// CHECK-NEXT: 0.075388{{[0-9]*}}, 0.014462{{[0-9]*}}, 0.714246{{[0-9]*}}, 0.181875{{[0-9]*}}
// CHECK-NEXT: 0.918422{{[0-9]*}}, 0.917399{{[0-9]*}}, 0.048001{{[0-9]*}}, 0.815110{{[0-9]*}}
// CHECK-NEXT: 0.006188{{[0-9]*}}, 0.068138{{[0-9]*}}, 0.237752{{[0-9]*}}, 0.003014{{[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}, %h: tensor<5x130xf16>) -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<5x130xf16>) {
  %0 = tx.softmax %n dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.softmax %n dim = 0 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.softmax %h dim = 1 : tensor<5x130xf16>
  return %0, %1, %2 : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<5x130xf16>
}
