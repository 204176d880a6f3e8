// An index of no branch takes the last one, also below 0.
//
// RUN: %npy %t.low.npy i32 -1
// RUN: %npy %t.one.npy i32 1
// RUN: %npy %t.high.npy i32 9
// RUN: %tensorc run %s --input=%t.low.npy | FileCheck %s --check-prefix=LAST
// RUN: %tensorc run %s --input=%t.one.npy | FileCheck %s --check-prefix=ONE
// RUN: %tensorc run %s --input=%t.high.npy | FileCheck %s --check-prefix=LAST
// RUN: %tensorc compile %s --stop-after=import -o - | FileCheck %s
//
// CHECK:     tx.switch
// CHECK-NOT: tx.if
// LAST:      out0: f32[]
// LAST-NEXT: 30
// ONE:       out0: f32[]
// ONE-NEXT:  20

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i32>) -> tensor<f32>, sym_name = "main"}> ({
  ^bb0(%i: tensor<i32>):
    %r = "stablehlo.case"(%i) ({
      %0 = "stablehlo.constant"() <{value = dense<1.0e+01> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%0) : (tensor<f32>) -> ()
    }, {
      %0 = "stablehlo.constant"() <{value = dense<2.0e+01> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%0) : (tensor<f32>) -> ()
    }, {
      %0 = "stablehlo.constant"() <{value = dense<3.0e+01> : tensor<f32>}> : () -> tensor<f32>
      "stablehlo.return"(%0) : (tensor<f32>) -> ()
    }) : (tensor<i32>) -> tensor<f32>
    "func.return"(%r) : (tensor<f32>) -> ()
  }) : () -> ()
}) : () -> ()
