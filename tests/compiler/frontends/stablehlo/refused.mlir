// What has no meaning is named, all of it at once, and each op's name once.
//
// RUN: not %tensorc run %s --random-inputs 2>&1 | FileCheck %s
//
// CHECK: refused.mlir:[[#@LINE+14]]:{{.*}} error: stablehlo.infeed has no meaning in tensorc
// CHECK: error: 'stablehlo.add' op gives 'tensor<4xf32>' where the text says 'tensor<5xf32>'
// CHECK: error: 'stablehlo.add' op has operands of several shapes: tensor<4xf32>, tensor<3xf32>
// CHECK: error: 'stablehlo.transpose' op needs 1 numbers in 'permutation', has 2
// CHECK: error: 'stablehlo.custom_call' op of 'lapack_sgetrf' has no meaning in tensorc
// CHECK: error: 'stablehlo.custom_call' op of 'lapack_sgeev_ffi' has no meaning in tensorc
// CHECK: error: 'stablehlo.rng' op needs two numbers of the dtype of its result
// CHECK: error: 'func.call' op calls @again within itself
// CHECK: error: 'stablehlo.reshape' op is not available in the region of a reduction
// CHECK-NOT: stablehlo.infeed

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<3xf32>):
    %0 = "stablehlo.infeed"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.infeed"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
    %3 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
    %4 = "stablehlo.transpose"(%a) <{permutation = array<i64: 0, 1>}> : (tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgetrf"}> : (tensor<4xf32>) -> tensor<4xf32>
    %9 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeev_ffi"}> : (tensor<4xf32>) -> tensor<4xf32>
    %10 = "stablehlo.rng"(%a, %a, %a) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %6 = "func.call"(%a) <{callee = @again}> : (tensor<4xf32>) -> tensor<4xf32>
    %7 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %8 = "stablehlo.is_finite"(%x) : (tensor<f32>) -> tensor<i1>
      %11 = "stablehlo.reshape"(%8) : (tensor<i1>) -> tensor<1xi1>
      "stablehlo.return"(%8) : (tensor<i1>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%a) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "again", sym_visibility = "private"}> ({
  ^bb0(%a: tensor<4xf32>):
    %0 = "func.call"(%a) <{callee = @again}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
