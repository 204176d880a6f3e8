// Ops on bits, powers of integers, parts of words.
//
// RUN: %npy %t.0.npy i32 '[[1,2,3,4],[5,6,7,8]]'
// RUN: %tensorc run %s --input=%t.0.npy | FileCheck %s
//
//      CHECK: out0: i32[2,4]
// CHECK-NEXT: {{\[\[}}4, 8, 12, 16],
// CHECK-NEXT:  [20, 24, 28, 32]]
//      CHECK: out1: i32[2,4]
// CHECK-NEXT: {{\[\[}}0, 0, 1, 1],
// CHECK-NEXT:  [1, 2, 2, 2]]
//      CHECK: out2: i32[2,4]
// CHECK-NEXT: {{\[\[}}1, 2, 0, 1],
// CHECK-NEXT:  [2, 0, 1, 2]]
//      CHECK: out3: i32[2,4]
// CHECK-NEXT: {{\[\[}}1, 1, 2, 1],
// CHECK-NEXT:  [2, 2, 3, 1]]
//      CHECK: out4: i32[2,4]
// CHECK-NEXT: {{\[\[}}-2, -3, -4, -5],
// CHECK-NEXT:  [-6, -7, -8, -9]]
//      CHECK: out5: i32[2,4]
// CHECK-NEXT: {{\[\[}}1, 4, 9, 16],
// CHECK-NEXT:  [25, 36, 49, 64]]
//      CHECK: out6: ui8[4,4]
// CHECK-NEXT: {{\[\[}}1, 0, 0, 0],
// CHECK-NEXT:  [2, 0, 0, 0],
// CHECK-NEXT:  [3, 0, 0, 0],
// CHECK-NEXT:  [4, 0, 0, 0]]
//      CHECK: out7: i32[2,4]
// CHECK-NEXT: {{\[\[}}1, 2, 9, 64],
// CHECK-NEXT:  [1, 6, 49, 512]]

"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4xi32>) -> (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<4x4xui8>, tensor<2x4xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg19: tensor<2x4xi32>):
    %53 = "stablehlo.constant"() <{value = dense<[[0, 1, 2, 3]]> : tensor<1x4xi32>}> : () -> tensor<1x4xi32>
    %54 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %55 = "stablehlo.broadcast_in_dim"(%54) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %56 = "stablehlo.shift_left"(%arg19, %55) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %57 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %58 = "func.call"(%arg19, %57) <{callee = @floor_divide}> : (tensor<2x4xi32>, tensor<i32>) -> tensor<2x4xi32>
    %59 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %60 = "func.call"(%arg19, %59) <{callee = @remainder}> : (tensor<2x4xi32>, tensor<i32>) -> tensor<2x4xi32>
    %61 = "stablehlo.popcnt"(%arg19) : (tensor<2x4xi32>) -> tensor<2x4xi32>
    %62 = "stablehlo.not"(%arg19) : (tensor<2x4xi32>) -> tensor<2x4xi32>
    %63 = "stablehlo.slice"(%arg19) <{limit_indices = array<i64: 1, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x4xi32>) -> tensor<1x1xi32>
    %64 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %65 = "stablehlo.broadcast_in_dim"(%64) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %66 = "stablehlo.compare"(%arg19, %65) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %67 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %68 = "stablehlo.broadcast_in_dim"(%67) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %69 = "stablehlo.compare"(%63, %68) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %70 = "stablehlo.broadcast_in_dim"(%69) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<2x4xi1>
    %71 = "stablehlo.and"(%66, %70) : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %72 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %73 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %74 = "func.call"(%71, %72, %73) <{callee = @_where_1}> : (tensor<2x4xi1>, tensor<i32>, tensor<i32>) -> tensor<2x4xi32>
    %75 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %77 = "stablehlo.and"(%63, %76) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %78 = "stablehlo.multiply"(%74, %arg19) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %79 = "func.call"(%77, %78, %74) <{callee = @_where_2}> : (tensor<1x1xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %80 = "stablehlo.multiply"(%arg19, %arg19) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %81 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %83 = "stablehlo.shift_right_logical"(%63, %82) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %84 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %85 = "stablehlo.broadcast_in_dim"(%84) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %86 = "stablehlo.and"(%83, %85) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %87 = "stablehlo.multiply"(%79, %80) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %88 = "func.call"(%86, %87, %79) <{callee = @_where_2}> : (tensor<1x1xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %89 = "stablehlo.multiply"(%80, %80) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %90 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %91 = "stablehlo.broadcast_in_dim"(%90) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %92 = "stablehlo.shift_right_logical"(%83, %91) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %93 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %94 = "stablehlo.broadcast_in_dim"(%93) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %95 = "stablehlo.and"(%92, %94) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %96 = "stablehlo.multiply"(%88, %89) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %97 = "func.call"(%95, %96, %88) <{callee = @_where_2}> : (tensor<1x1xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %98 = "stablehlo.multiply"(%89, %89) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %99 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %100 = "stablehlo.broadcast_in_dim"(%99) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %101 = "stablehlo.shift_right_logical"(%92, %100) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %102 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %103 = "stablehlo.broadcast_in_dim"(%102) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %104 = "stablehlo.and"(%101, %103) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %105 = "stablehlo.multiply"(%97, %98) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %106 = "func.call"(%104, %105, %97) <{callee = @_where_2}> : (tensor<1x1xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %107 = "stablehlo.multiply"(%98, %98) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %108 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %109 = "stablehlo.broadcast_in_dim"(%108) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %110 = "stablehlo.shift_right_logical"(%101, %109) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %111 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %112 = "stablehlo.broadcast_in_dim"(%111) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %113 = "stablehlo.and"(%110, %112) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %114 = "stablehlo.multiply"(%106, %107) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %115 = "func.call"(%113, %114, %106) <{callee = @_where_2}> : (tensor<1x1xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %116 = "stablehlo.multiply"(%107, %107) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %117 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %118 = "stablehlo.broadcast_in_dim"(%117) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %119 = "stablehlo.shift_right_logical"(%110, %118) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %120 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %121 = "stablehlo.broadcast_in_dim"(%120) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %122 = "stablehlo.and"(%119, %121) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %123 = "stablehlo.multiply"(%115, %116) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %124 = "func.call"(%122, %123, %115) <{callee = @_where_2}> : (tensor<1x1xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %125 = "stablehlo.multiply"(%116, %116) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %126 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %127 = "stablehlo.broadcast_in_dim"(%126) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %128 = "stablehlo.shift_right_logical"(%119, %127) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %129 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %130 = "stablehlo.broadcast_in_dim"(%129) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %131 = "stablehlo.multiply"(%124, %130) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %132 = "stablehlo.multiply"(%arg19, %arg19) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %133 = "stablehlo.add"(%131, %132) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %134 = "stablehlo.bitcast_convert"(%arg19) : (tensor<2x4xi32>) -> tensor<2x4x4xui8>
    %135 = "stablehlo.slice"(%134) <{limit_indices = array<i64: 1, 4, 4>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x4x4xui8>) -> tensor<1x4x4xui8>
    %136 = "stablehlo.reshape"(%135) : (tensor<1x4x4xui8>) -> tensor<4x4xui8>
    %137 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %138 = "stablehlo.broadcast_in_dim"(%137) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %139 = "stablehlo.compare"(%arg19, %138) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %140 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %141 = "stablehlo.broadcast_in_dim"(%140) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %142 = "stablehlo.compare"(%53, %141) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi1>
    %143 = "stablehlo.broadcast_in_dim"(%142) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xi1>) -> tensor<2x4xi1>
    %144 = "stablehlo.and"(%139, %143) : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %145 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %146 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %147 = "func.call"(%144, %145, %146) <{callee = @_where_1}> : (tensor<2x4xi1>, tensor<i32>, tensor<i32>) -> tensor<2x4xi32>
    %148 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %149 = "stablehlo.broadcast_in_dim"(%148) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %150 = "stablehlo.and"(%53, %149) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %151 = "stablehlo.multiply"(%147, %arg19) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %152 = "func.call"(%150, %151, %147) <{callee = @_where_3}> : (tensor<1x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %153 = "stablehlo.multiply"(%arg19, %arg19) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %154 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %155 = "stablehlo.broadcast_in_dim"(%154) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %156 = "stablehlo.shift_right_logical"(%53, %155) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %157 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %158 = "stablehlo.broadcast_in_dim"(%157) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %159 = "stablehlo.and"(%156, %158) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %160 = "stablehlo.multiply"(%152, %153) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %161 = "func.call"(%159, %160, %152) <{callee = @_where_3}> : (tensor<1x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %162 = "stablehlo.multiply"(%153, %153) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %163 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %164 = "stablehlo.broadcast_in_dim"(%163) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %165 = "stablehlo.shift_right_logical"(%156, %164) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %166 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %167 = "stablehlo.broadcast_in_dim"(%166) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %168 = "stablehlo.and"(%165, %167) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %169 = "stablehlo.multiply"(%161, %162) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %170 = "func.call"(%168, %169, %161) <{callee = @_where_3}> : (tensor<1x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %171 = "stablehlo.multiply"(%162, %162) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %172 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %173 = "stablehlo.broadcast_in_dim"(%172) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %174 = "stablehlo.shift_right_logical"(%165, %173) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %175 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %176 = "stablehlo.broadcast_in_dim"(%175) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %177 = "stablehlo.and"(%174, %176) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %178 = "stablehlo.multiply"(%170, %171) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %179 = "func.call"(%177, %178, %170) <{callee = @_where_3}> : (tensor<1x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %180 = "stablehlo.multiply"(%171, %171) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %181 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %182 = "stablehlo.broadcast_in_dim"(%181) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %183 = "stablehlo.shift_right_logical"(%174, %182) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %184 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %185 = "stablehlo.broadcast_in_dim"(%184) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %186 = "stablehlo.and"(%183, %185) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %187 = "stablehlo.multiply"(%179, %180) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %188 = "func.call"(%186, %187, %179) <{callee = @_where_3}> : (tensor<1x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %189 = "stablehlo.multiply"(%180, %180) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %190 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %191 = "stablehlo.broadcast_in_dim"(%190) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %192 = "stablehlo.shift_right_logical"(%183, %191) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %193 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %194 = "stablehlo.broadcast_in_dim"(%193) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %195 = "stablehlo.and"(%192, %194) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    %196 = "stablehlo.multiply"(%188, %189) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %197 = "func.call"(%195, %196, %188) <{callee = @_where_3}> : (tensor<1x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %198 = "stablehlo.multiply"(%189, %189) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %199 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %200 = "stablehlo.broadcast_in_dim"(%199) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %201 = "stablehlo.shift_right_logical"(%192, %200) : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi32>
    "func.return"(%56, %58, %60, %61, %62, %133, %136, %197) : (tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>, tensor<4x4xui8>, tensor<2x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4xi32>, tensor<i32>) -> tensor<2x4xi32>, res_attrs = [{}], sym_name = "floor_divide", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<2x4xi32>, %arg18: tensor<i32>):
    %36 = "stablehlo.convert"(%arg18) : (tensor<i32>) -> tensor<i32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %38 = "stablehlo.divide"(%arg17, %37) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %39 = "stablehlo.sign"(%arg17) : (tensor<2x4xi32>) -> tensor<2x4xi32>
    %40 = "stablehlo.sign"(%36) : (tensor<i32>) -> tensor<i32>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %42 = "stablehlo.compare"(%39, %41) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %43 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %44 = "stablehlo.remainder"(%arg17, %43) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %47 = "stablehlo.compare"(%44, %46) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %48 = "stablehlo.and"(%42, %47) : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %49 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %51 = "stablehlo.subtract"(%38, %50) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %52 = "func.call"(%48, %51, %38) <{callee = @_where}> : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%52) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<2x4xi1>, %arg15: tensor<2x4xi32>, %arg16: tensor<2x4xi32>):
    %35 = "stablehlo.select"(%arg14, %arg15, %arg16) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%35) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4xi32>, tensor<i32>) -> tensor<2x4xi32>, res_attrs = [{}], sym_name = "remainder", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<2x4xi32>, %arg13: tensor<i32>):
    %14 = "stablehlo.convert"(%arg13) : (tensor<i32>) -> tensor<i32>
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.compare"(%14, %15) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %17 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %18 = "func.call"(%16, %17, %14) <{callee = @_where_0}> : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %20 = "stablehlo.remainder"(%arg12, %19) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %21 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %23 = "stablehlo.compare"(%20, %22) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %26 = "stablehlo.compare"(%20, %25) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %28 = "stablehlo.compare"(%18, %27) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<2x4xi1>
    %30 = "stablehlo.compare"(%26, %29) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %31 = "stablehlo.and"(%30, %23) : (tensor<2x4xi1>, tensor<2x4xi1>) -> tensor<2x4xi1>
    %32 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %33 = "stablehlo.add"(%20, %32) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    %34 = "stablehlo.select"(%31, %33, %20) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%34) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>, res_attrs = [{}], sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<i1>, %arg10: tensor<i32>, %arg11: tensor<i32>):
    %13 = "stablehlo.select"(%arg9, %arg10, %arg11) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    "func.return"(%13) : (tensor<i32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<2x4xi1>, tensor<i32>, tensor<i32>) -> tensor<2x4xi32>, res_attrs = [{}], sym_name = "_where_1", sym_visibility = "private"}> ({
  ^bb0(%arg6: tensor<2x4xi1>, %arg7: tensor<i32>, %arg8: tensor<i32>):
    %10 = "stablehlo.broadcast_in_dim"(%arg7) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %11 = "stablehlo.broadcast_in_dim"(%arg8) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %12 = "stablehlo.select"(%arg6, %10, %11) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%12) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x1xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>, res_attrs = [{}], sym_name = "_where_2", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<1x1xi32>, %arg4: tensor<2x4xi32>, %arg5: tensor<2x4xi32>):
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %7 = "stablehlo.compare"(%arg3, %6) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x1xi1>) -> tensor<2x4xi1>
    %9 = "stablehlo.select"(%8, %arg4, %arg5) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%9) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<1x4xi32>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>, res_attrs = [{}], sym_name = "_where_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<1x4xi32>, %arg1: tensor<2x4xi32>, %arg2: tensor<2x4xi32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi1>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x4xi1>) -> tensor<2x4xi1>
    %4 = "stablehlo.select"(%3, %arg1, %arg2) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%4) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
