// What has no gradient is refused at its place.
//
// RUN: tensorc-opt %s --split-input-file --tx-differentiate=wrt=0 --verify-diagnostics

// expected-error @+1 {{result out0 is 'tensor<4xf32>'; a gradient is that of a float of one element, such as a sum}}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument arg0 is 'tensor<4xi32>'; a gradient is by floats}}
func.func @main(%x: tensor<4xi32>) -> tensor<f32> {
  %0 = tx.convert %x : tensor<4xi32> -> tensor<4xf32>
  %1 = tx.sum %0 dims = [0] : tensor<4xf32> -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  // expected-error @+1 {{'tx.custom_call' op app.smooth names no derivative, so it has no gradient: name one, or give the call a gradient by custom_vjp}}
  %0 = tx.custom_call "app.smooth" (%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tx.sum %0 dims = [0] : tensor<4xf32> -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @main(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<f32> {
  // expected-error @+1 {{has no gradient along a dim of named size}}
  %0 = tx.cumprod %x dim = 0 : tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.sum %0 dims = [0] : tensor<?xf32, #tx.dims<[n]>> -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{has no gradient, for its number of iterations is not known before: give it a bound, `most`, or use a scan}}
  %0 = tx.while (%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %t = tx.constant dense<9.0> : tensor<f32>
    %p = tx.lt %a, %t : tensor<f32>
    tx.return %p : tensor<i1>
  } do {
  ^bb0(%a: tensor<f32>):
    %b = tx.add %a, %a : tensor<f32>
    tx.return %b : tensor<f32>
  }
  return %0 : tensor<f32>
}
