// Dimension numbers that do not fit to the operands are refused before they are used.
//
// RUN: not %tensorc run %s --random-inputs 2>&1 | FileCheck %s
//
// CHECK: :[[#@LINE+30]]:{{.*}} error: 'stablehlo.scatter' op the dimensions that index vectors are for must differ and lie inside [5]
// CHECK: :[[#@LINE+34]]:{{.*}} error: 'stablehlo.scatter' op the dimensions that index vectors are for must differ and lie inside [5]
// CHECK: :[[#@LINE+38]]:{{.*}} error: 'stablehlo.scatter' op the dimensions of windows must increase inside rank 2
// CHECK: :[[#@LINE+42]]:{{.*}} error: 'stablehlo.scatter' op the dimensions of windows must increase inside rank 2
// CHECK: :[[#@LINE+46]]:{{.*}} error: 'stablehlo.scatter' op windows have 0 dimensions and lack 0 of [5]
// CHECK: :[[#@LINE+50]]:{{.*}} error: 'stablehlo.scatter' op the dimensions that windows lack must increase and lie inside [5]
// CHECK: :[[#@LINE+54]]:{{.*}} error: 'stablehlo.scatter' op the dimensions that windows lack must increase and lie inside [5]
// CHECK: :[[#@LINE+58]]:{{.*}} error: 'stablehlo.scatter' op index vectors have 1 components for 0 dimensions
// CHECK: :[[#@LINE+62]]:{{.*}} error: 'stablehlo.scatter' op the dimensions that index vectors are for must differ and lie inside [5]
// CHECK: :[[#@LINE+66]]:{{.*}} error: 'stablehlo.scatter' op has wrong batching dimensions
// CHECK: :[[#@LINE+70]]:{{.*}} error: 'stablehlo.scatter' op has wrong batching dimensions
// CHECK: :[[#@LINE+74]]:{{.*}} error: 'stablehlo.scatter' op has wrong dimension numbers
// CHECK: :[[#@LINE+78]]:{{.*}} error: 'stablehlo.scatter' op has wrong dimension numbers
// CHECK: :[[#@LINE+82]]:{{.*}} error: 'stablehlo.scatter' op the dimensions that index vectors are for must differ and lie inside [5]
// CHECK: :[[#@LINE+86]]:{{.*}} error: 'stablehlo.scatter' op the dimensions of windows must increase inside rank 2
// CHECK: :[[#@LINE+90]]:{{.*}} error: 'stablehlo.scatter' op the dimensions that index vectors are for must differ and lie inside [5]
// CHECK: :[[#@LINE+94]]:{{.*}} error: 'stablehlo.scatter' op the dimensions of windows must increase inside rank 2
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.gather' op the dimensions that index vectors are for must differ and lie inside [5]
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.gather' op the dimensions of windows must increase inside rank 2
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.gather' op the dimensions of windows must increase inside rank 2
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.gather' op the dimensions that windows lack must increase and lie inside [5]
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.gather' op the dimensions that index vectors are for must differ and lie inside [5]
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.gather' op has wrong dimension numbers
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.dynamic_slice' op a slice of 6 does not fit into dimension 0 of [5]
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.dynamic_slice' op has 2 starts for an operand of rank 1
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.dynamic_slice' op has 0 starts for an operand of rank 1
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.dynamic_update_slice' op update has rank 2, the operand 1
// CHECK: :[[#@LINE+98]]:{{.*}} error: 'stablehlo.dynamic_update_slice' op has 0 starts for an operand of rank 1
// CHECK: :[[#@LINE+107]]:{{.*}} error: 'stablehlo.dynamic_slice' op has 0 starts for an operand of rank 1
func.func public @main(%x: tensor<5xf32>, %k: tensor<5xi32>, %i: tensor<3x1xi32>, %u: tensor<3x2xf32>, %v: tensor<3x2xi32>, %at: tensor<i32>) -> tensor<5xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [100], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %1 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [-1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %2 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1000], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %3 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [-1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %4 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %5 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [100], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %6 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [-1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %7 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %8 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [100], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %9 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], scatter_indices_batching_dims = [100], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %10 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], scatter_indices_batching_dims = [-1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %11 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 100>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %12 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = -1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5xf32>
  %13 = "stablehlo.scatter"(%k, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [100], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.or %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<5xi32>
  %14 = "stablehlo.scatter"(%k, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [-1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.or %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<5xi32>
  %15 = "stablehlo.scatter"(%k, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [100], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.or %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<5xi32>
  %16 = "stablehlo.scatter"(%k, %i, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [-1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.or %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<5xi32>
  %17 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [100], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<5xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  %18 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1000], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<5xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  %19 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [-1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<5xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  %20 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [-1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<5xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  %21 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<operand_batching_dims = [100], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2>}> : (tensor<5xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  %22 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 100>, slice_sizes = array<i64: 2>}> : (tensor<5xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  %23 = "stablehlo.dynamic_slice"(%x, %at) <{slice_sizes = array<i64: 6>}> : (tensor<5xf32>, tensor<i32>) -> tensor<6xf32>
  %24 = "stablehlo.dynamic_slice"(%x, %at, %at) <{slice_sizes = array<i64: 2>}> : (tensor<5xf32>, tensor<i32>, tensor<i32>) -> tensor<2xf32>
  %25 = "stablehlo.dynamic_slice"(%x) <{slice_sizes = array<i64: 2>}> : (tensor<5xf32>) -> tensor<2xf32>
  %26 = "stablehlo.dynamic_update_slice"(%x, %u, %at) : (tensor<5xf32>, tensor<3x2xf32>, tensor<i32>) -> tensor<5xf32>
  %27 = "stablehlo.dynamic_update_slice"(%x, %x) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %start = stablehlo.constant dense<0> : tensor<i32>
  %28:2 = stablehlo.while(%a = %x, %b = %start) : tensor<5xf32>, tensor<i32>
  cond {
    %five = stablehlo.constant dense<5> : tensor<i32>
    %less = stablehlo.compare LT, %b, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %step = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %b, %step : tensor<i32>
    %part = "stablehlo.dynamic_slice"(%a) <{slice_sizes = array<i64: 1>}> : (tensor<5xf32>) -> tensor<1xf32>
    stablehlo.return %a, %next : tensor<5xf32>, tensor<i32>
  }
  return %x : tensor<5xf32>
}
