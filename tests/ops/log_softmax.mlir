// The logarithm of the shares.
//
// RUN: %npy %t.x.npy f64 '[[0.5, -1.25, 2.0, 0.1], [3.0, 2.9, -0.7, 1.6], [-2.0, 0.3, 0.9, -4.0]]'
// RUN: %run_op --input=x=%t.x.npy | FileCheck %s
// RUN: %run_op --entry=sizes --random-inputs --shape=n:3,5 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:33,257 --compare=reference
// RUN: %run_op --entry=sizes --random-inputs --shape=n:1,1 --compare=reference

func.func @main(%x: tensor<3x4xf64> {tx.name = "x"})
    -> (tensor<3x4xf64> {tx.name = "last"},
        tensor<3x4xf64> {tx.name = "first"}) {
  %r_last = tx.log_softmax %x dim = 1 : tensor<3x4xf64>
  %r_first = tx.log_softmax %x dim = 0 : tensor<3x4xf64>
  return %r_last, %r_first
      : tensor<3x4xf64>, tensor<3x4xf64>
}
// CHECK: last: f64[3,4]
// CHECK-NEXT: -1.844633{{[0-9]*}}, -3.594633{{[0-9]*}}, -0.344633{{[0-9]*}}, -2.244633{{[0-9]*}}
// CHECK-NEXT: -0.777560{{[0-9]*}}, -0.877560{{[0-9]*}}, -4.477560{{[0-9]*}}, -2.177560{{[0-9]*}}
// CHECK-NEXT: -3.377029{{[0-9]*}}, -1.077029{{[0-9]*}}, -0.477029{{[0-9]*}}, -5.377029{{[0-9]*}}
// CHECK: first: f64[3,4]
// CHECK-NEXT: -2.585097{{[0-9]*}}, -4.236212{{[0-9]*}}, -0.336526{{[0-9]*}}, -1.704431{{[0-9]*}}
// CHECK-NEXT: -0.085097{{[0-9]*}}, -0.086212{{[0-9]*}}, -3.036526{{[0-9]*}}, -0.204431{{[0-9]*}}
// CHECK-NEXT: -5.085097{{[0-9]*}}, -2.686212{{[0-9]*}}, -1.436526{{[0-9]*}}, -5.804431{{[0-9]*}}

func.func @sizes(%n: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "n"}, %h: tensor<5x130xf16>) -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<5x130xf16>) {
  %0 = tx.log_softmax %n dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.log_softmax %n dim = 0 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.log_softmax %h dim = 1 : tensor<5x130xf16>
  return %0, %1, %2 : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<5x130xf16>
}
