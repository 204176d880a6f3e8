// Updates at indices that are a tensor; what lies outside is dropped.
//
// RUN: %npy %t.x.npy f32 '[[0, 1, 2], [3, nan, 5], [6, 7, -0.0], [9, 10, 11]]'
// RUN: %npy %t.i.npy i64 '[2, 0, -1, 2, 4]'
// RUN: %npy %t.u.npy f32 '[[1, 2, -0.0], [10, 20, 30], [5, 5, 5], [100, -200, 300], [7, 7, 7]]'
// RUN: %run_op --input=%t.x.npy --input=%t.i.npy --input=%t.u.npy | FileCheck %s
// RUN: %run_op --entry=order --input=%t.i.npy | FileCheck %s --check-prefix=ORDER
// RUN: %run_op --entry=windows --input=%t.i.npy | FileCheck %s --check-prefix=WINDOWS
// RUN: %run_op --entry=floats --random-inputs --compare=reference
// RUN: %run_op --entry=ints --random-inputs --compare=reference
// RUN: %run_op --entry=bools --random-inputs --compare=reference
// RUN: %run_op --entry=points --random-inputs --compare=reference
// RUN: %run_op --entry=dims --random-inputs --compare=reference
// RUN: %run_op --entry=fused --random-inputs --compare=reference
// RUN: %run_op --entry=edges --random-inputs --compare=reference
// RUN: %run_op --entry=units --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:50,33 --shape=i:70 --shape=u:70,33 --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:2,1 --shape=i:0 --shape=u:0,1 --compare=reference
// RUN: %run_op --entry=window --random-inputs --shape=x:9 --shape=u:5,4 --compare=reference
// RUN: not %run_op --entry=window --random-inputs --shape=x:3 --shape=u:5,4 2>&1 | FileCheck %s --check-prefix=LARGE

func.func @main(%x: tensor<4x3xf32>, %i: tensor<5xi64>, %u: tensor<5x3xf32>)
    -> (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) {
  %0 = tx.scatter "set" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<4x3xf32>, tensor<5xi64>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %1 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<4x3xf32>, tensor<5xi64>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %2 = tx.scatter "mul" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<4x3xf32>, tensor<5xi64>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %3 = tx.scatter "min" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<4x3xf32>, tensor<5xi64>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %4 = tx.scatter "max" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<4x3xf32>, tensor<5xi64>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return %0, %1, %2, %3, %4 : tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>
}
// CHECK:      out0: f32[4,3]
// CHECK-NEXT: {{\[\[}}10, 20, 30],
// CHECK-NEXT: [3, nan, 5],
// CHECK-NEXT: [100, -200, 300],
// CHECK-NEXT: [9, 10, 11]]
// CHECK-NEXT: out1: f32[4,3]
// CHECK-NEXT: {{\[\[}}10, 21, 32],
// CHECK-NEXT: [3, nan, 5],
// CHECK-NEXT: [107, -191, 300],
// CHECK-NEXT: [9, 10, 11]]
// CHECK-NEXT: out2: f32[4,3]
// CHECK-NEXT: {{\[\[}}0, 20, 60],
// CHECK-NEXT: [3, nan, 5],
// CHECK-NEXT: [600, -2800, 0],
// CHECK-NEXT: [9, 10, 11]]
// CHECK-NEXT: out3: f32[4,3]
// CHECK-NEXT: {{\[\[}}0, 1, 2],
// CHECK-NEXT: [3, nan, 5],
// CHECK-NEXT: [1, -200, -0],
// CHECK-NEXT: [9, 10, 11]]
// CHECK-NEXT: out4: f32[4,3]
// CHECK-NEXT: {{\[\[}}10, 20, 30],
// CHECK-NEXT: [3, nan, 5],
// CHECK-NEXT: [100, 7, 300],
// CHECK-NEXT: [9, 10, 11]]

// Each update is rounded, in the order of the index vectors: 2048 + 1 - 2048 + 1 + 1 in f16.
func.func @order(%i: tensor<5xi64>) -> (tensor<1xf16>, tensor<1xf16>) {
  %zero = tx.constant dense<0> : tensor<5xi64>
  %x = tx.constant dense<0.0> : tensor<1xf16>
  %u = tx.constant dense<[2048.0, 1.0, -2048.0, 1.0, 1.0]> : tensor<5xf16>
  %at = tx.mul %i, %zero : tensor<5xi64>
  %0 = tx.scatter "add" %x, %at, %u update_window_dims = [] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<1xf16>, tensor<5xi64>, tensor<5xf16>) -> tensor<1xf16>
  %1 = tx.scatter "set" %x, %at, %u update_window_dims = [] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<1xf16>, tensor<5xi64>, tensor<5xf16>) -> tensor<1xf16>
  return %0, %1 : tensor<1xf16>, tensor<1xf16>
}
// ORDER:      [2]
// ORDER:      [1]

// Windows that overlap, and hang over either end: each element is asked about.
func.func @windows(%i: tensor<5xi64>) -> tensor<4xi32> {
  %x = tx.constant dense<0> : tensor<4xi32>
  %u = tx.constant dense<[[1, 2], [10, 20], [100, 200], [1000, 2000], [10000, 20000]]> : tensor<5x2xi32>
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<4xi32>, tensor<5xi64>, tensor<5x2xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
// WINDOWS: [210, 20, 1001, 2002]

func.func @floats(%a: tensor<9x37xf64>, %b: tensor<9x37xbf16>, %e: tensor<9x37xf16>, %ua: tensor<20x37xf64>,
                  %ub: tensor<20x37xbf16>, %ue: tensor<20x37xf16>, %i: tensor<20xi32>, %j: tensor<20xui8>, %k: tensor<20xi8>)
    -> (tensor<9x37xf64>, tensor<9x37xbf16>, tensor<9x37xf16>, tensor<9x37xf16>) {
  %0 = tx.scatter "add" %a, %i, %ua update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xf64>, tensor<20xi32>, tensor<20x37xf64>) -> tensor<9x37xf64>
  %1 = tx.scatter "mul" %b, %j, %ub update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xbf16>, tensor<20xui8>, tensor<20x37xbf16>) -> tensor<9x37xbf16>
  %2 = tx.scatter "add" %e, %k, %ue update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xf16>, tensor<20xi8>, tensor<20x37xf16>) -> tensor<9x37xf16>
  %3 = tx.scatter "max" %e, %k, %ue update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xf16>, tensor<20xi8>, tensor<20x37xf16>) -> tensor<9x37xf16>
  return %0, %1, %2, %3 : tensor<9x37xf64>, tensor<9x37xbf16>, tensor<9x37xf16>, tensor<9x37xf16>
}

func.func @ints(%a: tensor<9x37xi8>, %b: tensor<9x37xui8>, %c: tensor<9x37xi64>, %d: tensor<9x37xui32>, %e: tensor<9x37xi16>,
                %ua: tensor<20x37xi8>, %ub: tensor<20x37xui8>, %uc: tensor<20x37xi64>, %ud: tensor<20x37xui32>,
                %ue: tensor<20x37xi16>, %i: tensor<20xui64>, %j: tensor<20xi16>)
    -> (tensor<9x37xi8>, tensor<9x37xui8>, tensor<9x37xi64>, tensor<9x37xui32>, tensor<9x37xi16>) {
  %0 = tx.scatter "mul" %a, %i, %ua update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xi8>, tensor<20xui64>, tensor<20x37xi8>) -> tensor<9x37xi8>
  %low = tx.constant dense<250> : tensor<20x37xui8>
  %vb = tx.add %ub, %low : tensor<20x37xui8>
  %1 = tx.scatter "max" %b, %j, %vb update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xui8>, tensor<20xi16>, tensor<20x37xui8>) -> tensor<9x37xui8>
  %two = tx.constant dense<5> : tensor<20x37xi64>
  %vc = tx.sub %uc, %two : tensor<20x37xi64>
  %2 = tx.scatter "min" %c, %j, %vc update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xi64>, tensor<20xi16>, tensor<20x37xi64>) -> tensor<9x37xi64>
  // Beyond i64: outside, not negative.
  %big = tx.constant dense<18446744073709551608> : tensor<20xui64>
  %far = tx.add %big, %i : tensor<20xui64>
  %3 = tx.scatter "set" %d, %far, %ud update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xui32>, tensor<20xui64>, tensor<20x37xui32>) -> tensor<9x37xui32>
  %4 = tx.scatter "add" %e, %j, %ue update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xi16>, tensor<20xi16>, tensor<20x37xi16>) -> tensor<9x37xi16>
  return %0, %1, %2, %3, %4 : tensor<9x37xi8>, tensor<9x37xui8>, tensor<9x37xi64>, tensor<9x37xui32>, tensor<9x37xi16>
}

func.func @bools(%a: tensor<9x37xi1>, %ua: tensor<4x37xi1>, %i: tensor<4xi64>) -> (tensor<9x37xi1>, tensor<9x37xi1>, tensor<9x37xi1>) {
  %0 = tx.scatter "set" %a, %i, %ua update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xi1>, tensor<4xi64>, tensor<4x37xi1>) -> tensor<9x37xi1>
  %1 = tx.scatter "min" %a, %i, %ua update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xi1>, tensor<4xi64>, tensor<4x37xi1>) -> tensor<9x37xi1>
  %2 = tx.scatter "max" %a, %i, %ua update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<9x37xi1>, tensor<4xi64>, tensor<4x37xi1>) -> tensor<9x37xi1>
  return %0, %1, %2 : tensor<9x37xi1>, tensor<9x37xi1>, tensor<9x37xi1>
}

// Vectors of two components, along the last and along the first dimension; no dim of the windows is free.
func.func @points(%x: tensor<7x13xf32>, %i: tensor<4x40x2xi64>, %u: tensor<4x40xf32>, %j: tensor<2x40xi32>, %v: tensor<40x3x2xf32>)
    -> (tensor<7x13xf32>, tensor<7x13xf32>) {
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [] inserted_window_dims = [0, 1] scatter_dims_to_operand_dims = [0, 1]
      index_vector_dim = 2 : (tensor<7x13xf32>, tensor<4x40x2xi64>, tensor<4x40xf32>) -> tensor<7x13xf32>
  %1 = tx.scatter "set" %x, %j, %v update_window_dims = [1, 2] inserted_window_dims = [] scatter_dims_to_operand_dims = [1, 0]
      index_vector_dim = 0 : (tensor<7x13xf32>, tensor<2x40xi32>, tensor<40x3x2xf32>) -> tensor<7x13xf32>
  return %0, %1 : tensor<7x13xf32>, tensor<7x13xf32>
}

// Free dims that are first, last and several; windows that are smaller than x.
func.func @dims(%x: tensor<7x13x5x21xf32>, %i: tensor<6xi64>, %u: tensor<7x6x5x21xf32>, %v: tensor<6x4x3x2x19xf32>, %w: tensor<7x13x5x6xf32>)
    -> (tensor<7x13x5x21xf32>, tensor<7x13x5x21xf32>, tensor<7x13x5x21xf32>) {
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [0, 2, 3] inserted_window_dims = [1] scatter_dims_to_operand_dims = [1]
      index_vector_dim = 1 : (tensor<7x13x5x21xf32>, tensor<6xi64>, tensor<7x6x5x21xf32>) -> tensor<7x13x5x21xf32>
  %1 = tx.scatter "add" %x, %i, %v update_window_dims = [1, 2, 3, 4] inserted_window_dims = [] scatter_dims_to_operand_dims = [2]
      index_vector_dim = 1 : (tensor<7x13x5x21xf32>, tensor<6xi64>, tensor<6x4x3x2x19xf32>) -> tensor<7x13x5x21xf32>
  %2 = tx.scatter "add" %x, %i, %w update_window_dims = [0, 1, 2] inserted_window_dims = [3] scatter_dims_to_operand_dims = [3]
      index_vector_dim = 1 : (tensor<7x13x5x21xf32>, tensor<6xi64>, tensor<7x13x5x6xf32>) -> tensor<7x13x5x21xf32>
  return %0, %1, %2 : tensor<7x13x5x21xf32>, tensor<7x13x5x21xf32>, tensor<7x13x5x21xf32>
}

// Operands that are computed in place, results that are used.
func.func @fused(%x: tensor<24xf32>, %i: tensor<60xi64>, %u: tensor<60x24xf32>, %w: tensor<24x8xf32>) -> (tensor<50x24xf32>, tensor<50x8xf32>) {
  %n = tx.constant dense<53> : tensor<60xi64>
  %seven = tx.constant dense<7> : tensor<60xi64>
  %k = tx.mul %i, %seven : tensor<60xi64>
  %j = tx.mod %k, %n : tensor<60xi64>
  %y = tx.broadcast %x dims = [1] : tensor<24xf32> -> tensor<50x24xf32>
  %v = tx.exp %u : tensor<60x24xf32>
  %0 = tx.scatter "add" %y, %j, %v update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<50x24xf32>, tensor<60xi64>, tensor<60x24xf32>) -> tensor<50x24xf32>
  %1 = tx.scatter "set" %0, %j, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<50x24xf32>, tensor<60xi64>, tensor<60x24xf32>) -> tensor<50x24xf32>
  %d = tx.dot_general %1, %w batch = [] x [] contracting = [1] x [0] : (tensor<50x24xf32>, tensor<24x8xf32>) -> tensor<50x8xf32>
  %t = tx.tanh %0 : tensor<50x24xf32>
  return %t, %d : tensor<50x24xf32>, tensor<50x8xf32>
}

// No index vectors, no elements of a window, no elements of x; one index vector; a scalar.
// Along a dim of one element there are no lanes, though the updates depend on it.
func.func @units(%x: tensor<4x1xf32>, %i: tensor<5xi64>, %y: tensor<4x0xf32>, %v: tensor<5x0xi32>)
    -> (tensor<4x1xf32>, tensor<4x0xf32>) {
  %u = tx.iota dim = 1 : tensor<5x1xf32>
  %0 = tx.scatter "set" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<4x1xf32>, tensor<5xi64>, tensor<5x1xf32>) -> tensor<4x1xf32>
  %w = tx.convert %v : tensor<5x0xi32> -> tensor<5x0xf32>
  %1 = tx.scatter "set" %y, %i, %w update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<4x0xf32>, tensor<5xi64>, tensor<5x0xf32>) -> tensor<4x0xf32>
  return %0, %1 : tensor<4x1xf32>, tensor<4x0xf32>
}

func.func @edges(%x: tensor<5x3xf32>, %none: tensor<0x3xf32>, %i: tensor<0xi64>, %j: tensor<2xi64>, %v: tensor<2x3xf32>,
                 %k: tensor<1xi64>, %w: tensor<3xf32>, %z: tensor<2x0xf32>, %y: tensor<5x0xf32>, %s: tensor<f32>, %t: tensor<0xi64>,
                 %u: tensor<f32>)
    -> (tensor<5x3xf32>, tensor<0x3xf32>, tensor<5x3xf32>, tensor<5x0xf32>, tensor<f32>) {
  %0 = tx.scatter "add" %x, %i, %none update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<5x3xf32>, tensor<0xi64>, tensor<0x3xf32>) -> tensor<5x3xf32>
  %1 = tx.scatter "add" %none, %j, %v update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<0x3xf32>, tensor<2xi64>, tensor<2x3xf32>) -> tensor<0x3xf32>
  %2 = tx.scatter "add" %x, %k, %w update_window_dims = [0] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 0 : (tensor<5x3xf32>, tensor<1xi64>, tensor<3xf32>) -> tensor<5x3xf32>
  %3 = tx.scatter "add" %y, %j, %z update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<5x0xf32>, tensor<2xi64>, tensor<2x0xf32>) -> tensor<5x0xf32>
  %4 = tx.scatter "add" %s, %t, %u update_window_dims = [] inserted_window_dims = [] scatter_dims_to_operand_dims = []
      index_vector_dim = 0 : (tensor<f32>, tensor<0xi64>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2, %3, %4 : tensor<5x3xf32>, tensor<0x3xf32>, tensor<5x3xf32>, tensor<5x0xf32>, tensor<f32>
}

func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"}, %i: tensor<?xi32, #tx.dims<[k]>> {tx.name = "i"},
                    %u: tensor<?x?xf32, #tx.dims<[k, m]>> {tx.name = "u"}) -> tensor<?x?xf32, #tx.dims<[n, m]>> {
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xi32, #tx.dims<[k]>>, tensor<?x?xf32, #tx.dims<[k, m]>>)
      -> tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, m]>>
}

func.func @window(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}, %i: tensor<5xi32>,
                  %u: tensor<5x?xf32, #tx.dims<[5, m]>> {tx.name = "u"}) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.scatter "add" %x, %i, %u update_window_dims = [1] inserted_window_dims = [] scatter_dims_to_operand_dims = [0]
      index_vector_dim = 1 : (tensor<?xf32, #tx.dims<[n]>>, tensor<5xi32>, tensor<5x?xf32, #tx.dims<[5, m]>>)
      -> tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}
// LARGE: does not fit into dimension 0
