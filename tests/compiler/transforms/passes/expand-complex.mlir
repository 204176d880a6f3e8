// Complex numbers are pairs in memory at a program's edges and two real tensors between them.
//
// RUN: %tensorc-opt %s --tx-expand-complex --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @edges
// CHECK-SAME:  %[[X:.*]]: tensor<6xcomplex<f32>>
// CHECK:       %[[PAIRS:.*]] = tx.reinterpret %[[X]] : tensor<6xcomplex<f32>> -> tensor<6x2xf32>
// CHECK:       %[[FIRST:.*]] = tx.slice %[[PAIRS]] offsets = [0, 0] strides = [1, 1] : tensor<6x2xf32> -> tensor<6x1xf32>
// CHECK:       %[[RE:.*]] = tx.reshape %[[FIRST]] : tensor<6x1xf32> -> tensor<6xf32>
// CHECK:       %[[SECOND:.*]] = tx.slice %[[PAIRS]] offsets = [0, 1] strides = [1, 1] : tensor<6x2xf32> -> tensor<6x1xf32>
// CHECK:       %[[IM:.*]] = tx.reshape %[[SECOND]] : tensor<6x1xf32> -> tensor<6xf32>
// CHECK:       %[[NRE:.*]] = tx.neg %[[RE]] : tensor<6xf32>
// CHECK:       %[[NIM:.*]] = tx.neg %[[IM]] : tensor<6xf32>
// CHECK:       %[[A:.*]] = tx.reshape %[[NRE]] : tensor<6xf32> -> tensor<6x1xf32>
// CHECK:       %[[B:.*]] = tx.reshape %[[NIM]] : tensor<6xf32> -> tensor<6x1xf32>
// CHECK:       %[[BOTH:.*]] = tx.concatenate %[[A]], %[[B]] dim = 1
// CHECK:       %[[Y:.*]] = tx.reinterpret %[[BOTH]] : tensor<6x2xf32> -> tensor<6xcomplex<f32>>
// CHECK:       return %[[Y]]
func.func @edges(%x: tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>> {
  %0 = tx.neg %x : tensor<6xcomplex<f32>>
  return %0 : tensor<6xcomplex<f32>>
}

// What is only handed on is not taken apart; named sizes stay.
// CHECK-LABEL: func.func @same
// CHECK-NEXT:  tx.custom_call "app.f"(%arg0)
// CHECK-NEXT:  return
func.func @same(%x: tensor<?xcomplex<f64>, #tx.dims<[n]>>) -> (tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>) {
  %0 = tx.custom_call "app.f" (%x) : (tensor<?xcomplex<f64>, #tx.dims<[n]>>) -> tensor<?xcomplex<f64>, #tx.dims<[n]>>
  return %0, %x : tensor<?xcomplex<f64>, #tx.dims<[n]>>, tensor<?xcomplex<f64>, #tx.dims<[n]>>
}

// The library of linear algebra gets them as they lie in memory.
// CHECK-LABEL: func.func @solve
// CHECK-NEXT:  tx.custom_call "linalg.solve"(%arg0, %arg1)
// CHECK-SAME:    tensor<2x2xcomplex<f64>>
// CHECK-NEXT:  return
func.func @solve(%a: tensor<2x2xcomplex<f64>>, %b: tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>> {
  %0 = tx.solve %a, %b : (tensor<2x2xcomplex<f64>>, tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  return %0 : tensor<2x1xcomplex<f64>>
}

// No real number passes through memory for the sake of its being complex.
// CHECK-LABEL: func.func @within
// CHECK-NOT:   complex
// CHECK:       tx.mul
// CHECK:       tx.sub
// CHECK-NOT:   complex
// CHECK:       return
func.func @within(%x: tensor<?xf32, #tx.dims<[n]>>, %y: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.complex %x, %y : tensor<?xf32, #tx.dims<[n]>> -> tensor<?xcomplex<f32>, #tx.dims<[n]>>
  %1 = tx.mul %0, %0 : tensor<?xcomplex<f32>, #tx.dims<[n]>>
  %2 = tx.real %1 : tensor<?xcomplex<f32>, #tx.dims<[n]>> -> tensor<?xf32, #tx.dims<[n]>>
  return %2 : tensor<?xf32, #tx.dims<[n]>>
}

// A small constant is two; a large one is a buffer, as it is.
// CHECK-LABEL: func.func @constants
// CHECK:       tx.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK:       tx.constant dense<[2.000000e+00, -4.000000e+00]> : tensor<2xf32>
// CHECK:       tx.constant dense<5.000000e-01> : tensor<100xf64>
func.func @constants() -> (tensor<2xcomplex<f32>>, tensor<100xcomplex<f64>>) {
  %0 = tx.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %1 = tx.constant dense<(0.5, 0.0)> : tensor<100xcomplex<f64>>
  return %0, %1 : tensor<2xcomplex<f32>>, tensor<100xcomplex<f64>>
}

// Four real contractions.
// CHECK-LABEL: func.func @dot
// CHECK-COUNT-4: tx.dot_general
// CHECK-NOT:   tx.dot_general
func.func @dot(%x: tensor<2x3xcomplex<f32>>, %y: tensor<3x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<2x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  return %0 : tensor<2x4xcomplex<f32>>
}

// Blocks get two values for each complex one.
// CHECK-LABEL: func.func @loop
// CHECK:       tx.scan <[8]> carried = 2 scanned = 2({{.*}}) : (tensor<f32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<f32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT:  ^bb0(%{{.*}}: tensor<i64>, %[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %[[C:.*]]: tensor<f32>, %[[D:.*]]: tensor<f32>)
// CHECK-NEXT:  %[[RE:.*]] = tx.add %[[A]], %[[C]]
// CHECK-NEXT:  %[[IM:.*]] = tx.add %[[B]], %[[D]]
// CHECK-NEXT:  tx.return %[[RE]], %[[IM]], %[[A]], %[[B]]
func.func @loop(%x: tensor<complex<f32>>, %y: tensor<8xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<8xcomplex<f32>>) {
  %0:2 = tx.scan <[8]> carried = 1 scanned = 1 (%x, %y) : (tensor<complex<f32>>, tensor<8xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<8xcomplex<f32>>) {
  ^bb0(%i: tensor<i64>, %a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %r = tx.add %a, %b : tensor<complex<f32>>
    tx.return %r, %a : tensor<complex<f32>>, tensor<complex<f32>>
  }
  return %0#0, %0#1 : tensor<complex<f32>>, tensor<8xcomplex<f32>>
}

// -----

func.func @update(%x: tensor<4xcomplex<f32>>, %i: tensor<3x1xi32>, %u: tensor<3xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{'tx.scatter' op cannot max 'complex<f32>', which has no order}}
  %0 = tx.scatter "max" %x, %i, %u update_window_dims = [] inserted_window_dims = [0] scatter_dims_to_operand_dims = [0] index_vector_dim = 1
      : (tensor<4xcomplex<f32>>, tensor<3x1xi32>, tensor<3xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
