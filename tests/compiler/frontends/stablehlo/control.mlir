// Branches, loops and functions that are called.
//
// RUN: %npy %t.0.npy f32 '[3.0,1.0,2.0,1.0,5.0]'
// RUN: %npy %t.1.npy i32 '[2,0,1]'
// RUN: %tensorc run %s --input=%t.0.npy --input=%t.1.npy | FileCheck %s
//
//      CHECK: out0: f32[5]
// CHECK-NEXT: [4, 2, 3, 2, 6]
//      CHECK: out1: f32[5]
// CHECK-NEXT: [9, 3, 6, 3, 15]
//      CHECK: out2: f32[5]
// CHECK-NEXT: [9, 3, 6, 3, 15]
//      CHECK: out3: f32[5]
// CHECK-NEXT: [12, 10, 11, 10, 14]
//      CHECK: out4: f32[]
// CHECK-NEXT: 24
//      CHECK: out5: i32[]
// CHECK-NEXT: 3
//      CHECK: out6: f32[]
// CHECK-NEXT: 15
//      CHECK: out7: f32[5]
// CHECK-NEXT: [9, 6, 14, 9, 50]
//      CHECK: out8: f32[5]
// CHECK-NEXT: [6, 4, 4, 4, 5]

"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5xf32>, tensor<3xi32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4][0]"}, {jax.result_info = "result[4][1]"}, {jax.result_info = "result[5][0]"}, {jax.result_info = "result[5][1]"}, {jax.result_info = "result[6]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg10: tensor<5xf32>, %arg11: tensor<3xi32>):
    %14 = "stablehlo.slice"(%arg10) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1xf32>
    %15 = "stablehlo.reshape"(%14) : (tensor<1xf32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.compare"(%15, %16) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %18 = "stablehlo.convert"(%17) : (tensor<i1>) -> tensor<i32>
    %19 = "stablehlo.case"(%18) ({
      %98 = "stablehlo.slice"(%arg11) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<3xi32>) -> tensor<1xi32>
      %99 = "stablehlo.reshape"(%98) : (tensor<1xi32>) -> tensor<i32>
      %100 = "stablehlo.convert"(%99) : (tensor<i32>) -> tensor<f32>
      %101 = "stablehlo.broadcast_in_dim"(%100) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %102 = "stablehlo.multiply"(%arg10, %101) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      "stablehlo.return"(%102) : (tensor<5xf32>) -> ()
    }, {
      %95 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %96 = "stablehlo.broadcast_in_dim"(%95) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %97 = "stablehlo.add"(%arg10, %96) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      "stablehlo.return"(%97) : (tensor<5xf32>) -> ()
    }) : (tensor<i32>) -> tensor<5xf32>
    %20 = "stablehlo.slice"(%arg11) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<3xi32>) -> tensor<1xi32>
    %21 = "stablehlo.reshape"(%20) : (tensor<1xi32>) -> tensor<i32>
    %22 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %23 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.clamp"(%22, %21, %23) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %25 = "stablehlo.case"(%24) ({
      "stablehlo.return"(%arg10) : (tensor<5xf32>) -> ()
    }, {
      %92 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %94 = "stablehlo.multiply"(%arg10, %93) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      "stablehlo.return"(%94) : (tensor<5xf32>) -> ()
    }, {
      %89 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %91 = "stablehlo.multiply"(%arg10, %90) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      "stablehlo.return"(%91) : (tensor<5xf32>) -> ()
    }, {
      %86 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %87 = "stablehlo.broadcast_in_dim"(%86) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %88 = "stablehlo.multiply"(%arg10, %87) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      "stablehlo.return"(%88) : (tensor<5xf32>) -> ()
    }) : (tensor<i32>) -> tensor<5xf32>
    %26 = "stablehlo.slice"(%arg11) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<3xi32>) -> tensor<1xi32>
    %27 = "stablehlo.reshape"(%26) : (tensor<1xi32>) -> tensor<i32>
    %28 = "stablehlo.constant"() <{value = dense<9> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.add"(%27, %28) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %30 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %31 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %32 = "stablehlo.clamp"(%30, %29, %31) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %33 = "stablehlo.case"(%32) ({
      "stablehlo.return"(%arg10) : (tensor<5xf32>) -> ()
    }, {
      %83 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %84 = "stablehlo.broadcast_in_dim"(%83) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %85 = "stablehlo.multiply"(%arg10, %84) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      "stablehlo.return"(%85) : (tensor<5xf32>) -> ()
    }, {
      %80 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %82 = "stablehlo.multiply"(%arg10, %81) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      "stablehlo.return"(%82) : (tensor<5xf32>) -> ()
    }) : (tensor<i32>) -> tensor<5xf32>
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %35 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %36:4 = "stablehlo.while"(%arg10, %35, %34, %arg10) ({
    ^bb0(%arg32: tensor<5xf32>, %arg33: tensor<i32>, %arg34: tensor<i32>, %arg35: tensor<5xf32>):
      %78 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %79 = "stablehlo.compare"(%arg33, %78) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%79) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg28: tensor<5xf32>, %arg29: tensor<i32>, %arg30: tensor<i32>, %arg31: tensor<5xf32>):
      %75:2 = "func.call"(%arg28, %arg30, %arg31) <{callee = @closed_call}> : (tensor<5xf32>, tensor<i32>, tensor<5xf32>) -> (tensor<i32>, tensor<5xf32>)
      %76 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %77 = "stablehlo.add"(%arg29, %76) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg28, %77, %75#0, %75#1) : (tensor<5xf32>, tensor<i32>, tensor<i32>, tensor<5xf32>) -> ()
    }) : (tensor<5xf32>, tensor<i32>, tensor<i32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<i32>, tensor<i32>, tensor<5xf32>)
    %37 = "stablehlo.slice"(%arg10) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1xf32>
    %38 = "stablehlo.reshape"(%37) : (tensor<1xf32>) -> tensor<f32>
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40:2 = "stablehlo.while"(%38, %39) ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<i32>):
      %73 = "stablehlo.constant"() <{value = dense<2.000000e+01> : tensor<f32>}> : () -> tensor<f32>
      %74 = "stablehlo.compare"(%arg26, %73) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%74) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<i32>):
      %69 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %70 = "stablehlo.multiply"(%arg24, %69) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %71 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %72 = "stablehlo.add"(%arg25, %71) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%70, %72) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    %41 = "stablehlo.slice"(%arg10) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<1xf32>) -> tensor<f32>
    %43 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46:4 = "stablehlo.while"(%arg10, %45, %42, %44) ({
    ^bb0(%arg20: tensor<5xf32>, %arg21: tensor<i32>, %arg22: tensor<f32>, %arg23: tensor<5xf32>):
      %67 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %68 = "stablehlo.compare"(%arg21, %67) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%68) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg16: tensor<5xf32>, %arg17: tensor<i32>, %arg18: tensor<f32>, %arg19: tensor<5xf32>):
      %62 = "func.call"(%arg16, %arg17) <{callee = @dynamic_index_in_dim}> : (tensor<5xf32>, tensor<i32>) -> tensor<f32>
      %63:2 = "func.call"(%arg18, %62) <{callee = @closed_call_0}> : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      %64 = "func.call"(%arg19, %63#1, %arg17) <{callee = @dynamic_update_index_in_dim}> : (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>
      %65 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %66 = "stablehlo.add"(%arg17, %65) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg16, %66, %63#0, %64) : (tensor<5xf32>, tensor<i32>, tensor<f32>, tensor<5xf32>) -> ()
    }) : (tensor<5xf32>, tensor<i32>, tensor<f32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<i32>, tensor<f32>, tensor<5xf32>)
    %47 = "stablehlo.while"(%arg10) ({
    ^bb0(%arg13: tensor<5xf32>):
      %56 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %58 = "stablehlo.compare"(%arg13, %57) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
      %59 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
      %60 = "stablehlo.reduce"(%58, %59) <{dimensions = array<i64: 0>}> ({
      ^bb0(%arg14: tensor<i1>, %arg15: tensor<i1>):
        %61 = "stablehlo.or"(%arg14, %arg15) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        "stablehlo.return"(%61) : (tensor<i1>) -> ()
      }) : (tensor<5xi1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%60) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg12: tensor<5xf32>):
      %48 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %50 = "stablehlo.multiply"(%arg12, %49) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      %51 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
      %53 = "stablehlo.compare"(%arg12, %52) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
      %54 = "stablehlo.broadcast_in_dim"(%53) <{broadcast_dimensions = array<i64: 0>}> : (tensor<5xi1>) -> tensor<5xi1>
      %55 = "stablehlo.select"(%54, %50, %arg12) : (tensor<5xi1>, tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      "stablehlo.return"(%55) : (tensor<5xf32>) -> ()
    }) : (tensor<5xf32>) -> tensor<5xf32>
    "func.return"(%19, %25, %33, %36#3, %40#0, %40#1, %46#2, %46#3, %47) : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5xf32>, tensor<i32>, tensor<5xf32>) -> (tensor<i32>, tensor<5xf32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<5xf32>, %arg8: tensor<i32>, %arg9: tensor<5xf32>):
    %6 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.add"(%arg8, %6) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %8 = "stablehlo.slice"(%arg7) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1xf32>
    %9 = "stablehlo.reshape"(%8) : (tensor<1xf32>) -> tensor<f32>
    %10 = "stablehlo.convert"(%arg8) : (tensor<i32>) -> tensor<f32>
    %11 = "stablehlo.multiply"(%9, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<5xf32>
    %13 = "stablehlo.add"(%arg9, %12) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
    "func.return"(%7, %13) : (tensor<i32>, tensor<5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5xf32>, tensor<i32>) -> tensor<f32>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<5xf32>, %arg6: tensor<i32>):
    %4 = "stablehlo.dynamic_slice"(%arg5, %arg6) <{slice_sizes = array<i64: 1>}> : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
    %5 = "stablehlo.reshape"(%4) : (tensor<1xf32>) -> tensor<f32>
    "func.return"(%5) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>), res_attrs = [{}, {}], sym_name = "closed_call_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %2 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.multiply"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "func.return"(%2, %3) : (tensor<f32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %1 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2) : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
    "func.return"(%1) : (tensor<5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
