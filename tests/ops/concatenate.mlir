// Tensors one after another along a dimension.
//
// RUN: %npy %t.x.npy f32 '[[1, 2], [nan, -0.0]]'
// RUN: %npy %t.y.npy f32 '[[5, 6]]'
// RUN: %run_op --input=%t.x.npy --input=%t.y.npy | FileCheck %s
// RUN: %run_op --entry=dtypes --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --compare=reference
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:0,33 --shape=y:67,33 --compare=reference
// RUN: %run_op --entry=flattened --random-inputs --shape=x:2,3,5 --compare=reference
// RUN: %run_op --entry=flattened --random-inputs --shape=x:2,0,5 --compare=reference
// RUN: %run_op --entry=long --random-inputs --compare=reference
// RUN: %run_op --entry=borders --random-inputs --compare=reference
// RUN: %run_op --entry=extended --random-inputs --shape=x:3,5 --shape=y:3,2 --compare=reference
// RUN: %run_op --entry=extended --random-inputs --shape=x:3,0 --shape=y:3,67 --compare=reference

func.func @main(%x: tensor<2x2xf32>, %y: tensor<1x2xf32>)
    -> (tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>) {
  %0 = tx.concatenate %x, %y, %y dim = 0
      : (tensor<2x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
  %1 = tx.concatenate %x, %x dim = 1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  %e = tx.slice %x offsets = [0, 0] strides = [1, 1] : tensor<2x2xf32> -> tensor<2x0xf32>
  %2 = tx.concatenate %e, %x dim = 1 : (tensor<2x0xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2 : tensor<4x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>
}
// CHECK:      out0: f32[4,2]
// CHECK-NEXT: {{\[\[}}1, 2],
// CHECK-NEXT:  [nan, -0],
// CHECK-NEXT:  [5, 6],
// CHECK-NEXT:  [5, 6]]
// CHECK-NEXT: out1: f32[2,4]
// CHECK-NEXT: {{\[\[}}1, 2, 1, 2],
// CHECK-NEXT:  [nan, -0, nan, -0]]
// CHECK-NEXT: out2: f32[2,2]
// CHECK-NEXT: {{\[\[}}1, 2],
// CHECK-NEXT:  [nan, -0]]

func.func @dtypes(%a: tensor<37xf64>, %b: tensor<5x37xbf16>, %c: tensor<3xi32>,
                  %d: tensor<1x2x3xi64>, %e: tensor<3xi1>, %f: tensor<999xf32>, %g: tensor<1xf32>,
                  %h: tensor<3xi8>, %i: tensor<3xf16>)
    -> (tensor<74xf64>, tensor<5x74xbf16>, tensor<3xi32>, tensor<1x4x3xi64>, tensor<9xi1>,
        tensor<1000xf32>, tensor<6xi8>, tensor<6xf16>) {
  %0 = tx.concatenate %a, %a dim = 0 : (tensor<37xf64>, tensor<37xf64>) -> tensor<74xf64>
  %n = tx.neg %b : tensor<5x37xbf16>
  %1 = tx.concatenate %b, %n dim = 1 : (tensor<5x37xbf16>, tensor<5x37xbf16>) -> tensor<5x74xbf16>
  %2 = tx.concatenate %c dim = 0 : (tensor<3xi32>) -> tensor<3xi32>
  %3 = tx.concatenate %d, %d dim = 1 : (tensor<1x2x3xi64>, tensor<1x2x3xi64>) -> tensor<1x4x3xi64>
  %4 = tx.concatenate %e, %e, %e dim = 0 : (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) -> tensor<9xi1>
  %5 = tx.concatenate %f, %g dim = 0 : (tensor<999xf32>, tensor<1xf32>) -> tensor<1000xf32>
  %6 = tx.concatenate %h, %h dim = 0 : (tensor<3xi8>, tensor<3xi8>) -> tensor<6xi8>
  %7 = tx.concatenate %i, %i dim = 0 : (tensor<3xf16>, tensor<3xf16>) -> tensor<6xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<74xf64>, tensor<5x74xbf16>, tensor<3xi32>, tensor<1x4x3xi64>, tensor<9xi1>,
        tensor<1000xf32>, tensor<6xi8>, tensor<6xf16>
}

func.func @symbolic(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"},
                    %y: tensor<?x?xf32, #tx.dims<[k, m]>> {tx.name = "y"})
    -> tensor<?x?xf32, #tx.dims<[n * 2 + k, m]>> {
  %0 = tx.concatenate %x, %y, %x dim = 0
      : (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xf32, #tx.dims<[k, m]>>,
         tensor<?x?xf32, #tx.dims<[n, m]>>) -> tensor<?x?xf32, #tx.dims<[n * 2 + k, m]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n * 2 + k, m]>>
}

// A part without elements has indices all the same: they are divided by b.
func.func @flattened(%x: tensor<?x?x?xf32, #tx.dims<[a, b, c]>> {tx.name = "x"},
                     %v: tensor<?xf32, #tx.dims<[c]>>, %key: tensor<2xui32>)
    -> tensor<?xf32, #tx.dims<[b * c + c * 2]>> {
  %0 = tx.random_bits %key philox4x32_10 : tensor<2xui32> -> tensor<?x?xui32, #tx.dims<[c, b]>>
  %1 = tx.reshape %0 : tensor<?x?xui32, #tx.dims<[c, b]>> -> tensor<?xui32, #tx.dims<[b * c]>>
  %2 = tx.convert %1 : tensor<?xui32, #tx.dims<[b * c]>> -> tensor<?xf32, #tx.dims<[b * c]>>
  %3 = tx.concatenate %v, %v, %2 dim = 0
      : (tensor<?xf32, #tx.dims<[c]>>, tensor<?xf32, #tx.dims<[c]>>, tensor<?xf32, #tx.dims<[b * c]>>)
      -> tensor<?xf32, #tx.dims<[b * c + c * 2]>>
  return %3 : tensor<?xf32, #tx.dims<[b * c + c * 2]>>
}

// Long enough for loops of their own, at any place: with arithmetic, beside a pad, of narrow and of wide elements.
func.func @long(%x: tensor<3x2x131xf32>, %y: tensor<3x5x131xf32>, %a: tensor<3x300xf16>, %b: tensor<3x257xf16>, %c: tensor<3x700xf16>, %u: tensor<997xi64>, %v: tensor<1000xi64>)
    -> (tensor<3x7x131xf32>, tensor<3x1257xf16>, tensor<3x3100xf16>, tensor<1997xi64>) {
  %0 = tx.concatenate %x, %y dim = 1 : (tensor<3x2x131xf32>, tensor<3x5x131xf32>) -> tensor<3x7x131xf32>
  %1 = tx.mul %0, %0 : tensor<3x7x131xf32>
  %2 = tx.concatenate %a, %b, %c dim = 1 : (tensor<3x300xf16>, tensor<3x257xf16>, tensor<3x700xf16>) -> tensor<3x1257xf16>
  %z = tx.constant dense<1.5> : tensor<f16>
  %3 = tx.pad %2, %z low = [0, 900] high = [0, 943] interior = [0, 0] : tensor<3x1257xf16> -> tensor<3x3100xf16>
  %n = tx.neg %3 : tensor<3x3100xf16>
  %4 = tx.concatenate %u, %v dim = 0 : (tensor<997xi64>, tensor<1000xi64>) -> tensor<1997xi64>
  return %1, %2, %n, %4 : tensor<3x7x131xf32>, tensor<3x1257xf16>, tensor<3x3100xf16>, tensor<1997xi64>
}

// Each goes on from the operands of one before it, as layers of a dense block do.
func.func @extended(%x: tensor<?x?xf32, #tx.dims<[n, p]>> {tx.name = "x"},
                    %y: tensor<?x?xf32, #tx.dims<[n, q]>> {tx.name = "y"})
    -> (tensor<?x?xf32, #tx.dims<[n, p * 4 + q * 4]>>, tensor<?x?xf32, #tx.dims<[n, p * 5 + q * 4]>>,
        tensor<?x?xf32, #tx.dims<[n, p * 7 + q * 9]>>, tensor<?x?xf32, #tx.dims<[n, p * 8 + q * 9]>>) {
  %a = tx.concatenate %x, %y, %y, %x, %y, %x, %x, %y dim = 1
      : (tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>)
      -> tensor<?x?xf32, #tx.dims<[n, p * 4 + q * 4]>>
  %b = tx.concatenate %x, %y, %y, %x, %y, %x, %x, %y, %x dim = 1
      : (tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>)
      -> tensor<?x?xf32, #tx.dims<[n, p * 5 + q * 4]>>
  %nb = tx.neg %b : tensor<?x?xf32, #tx.dims<[n, p * 5 + q * 4]>>
  %c = tx.concatenate %x, %y, %y, %x, %y, %x, %x, %y, %x, %y, %y, %x, %y, %y, %x, %y dim = 1
      : (tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>)
      -> tensor<?x?xf32, #tx.dims<[n, p * 7 + q * 9]>>
  %nc = tx.neg %c : tensor<?x?xf32, #tx.dims<[n, p * 7 + q * 9]>>
  %d = tx.concatenate %x, %y, %y, %x, %y, %x, %x, %y, %x, %y, %y, %x, %y, %y, %x, %y, %x dim = 1
      : (tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>, tensor<?x?xf32, #tx.dims<[n, q]>>, tensor<?x?xf32, #tx.dims<[n, p]>>)
      -> tensor<?x?xf32, #tx.dims<[n, p * 8 + q * 9]>>
  return %a, %nb, %nc, %d
      : tensor<?x?xf32, #tx.dims<[n, p * 4 + q * 4]>>, tensor<?x?xf32, #tx.dims<[n, p * 5 + q * 4]>>,
        tensor<?x?xf32, #tx.dims<[n, p * 7 + q * 9]>>, tensor<?x?xf32, #tx.dims<[n, p * 8 + q * 9]>>
}

// Rows with short ends, of one picture above another.
func.func @borders(%x: tensor<3x4x67xf32>, %y: tensor<3x4x67xbf16>, %z: tensor<3x4x129xi8>, %m: tensor<3x4x65xi1>)
    -> (tensor<3x7x74xf32>, tensor<3x4x70xbf16>, tensor<3x4x132xi8>, tensor<3x4x67xi1>) {
  %x0 = tx.slice %x offsets = [0, 0, 4] strides = [1, 1, -1] : tensor<3x4x67xf32> -> tensor<3x4x4xf32>
  %x1 = tx.slice %x offsets = [0, 0, 7] strides = [1, 1, 1] : tensor<3x4x67xf32> -> tensor<3x4x3xf32>
  %x2 = tx.concatenate %x0, %x, %x1 dim = 2 : (tensor<3x4x4xf32>, tensor<3x4x67xf32>, tensor<3x4x3xf32>) -> tensor<3x4x74xf32>
  %y0 = tx.slice %y offsets = [0, 0, 1] strides = [1, 1, -1] : tensor<3x4x67xbf16> -> tensor<3x4x1xbf16>
  %y1 = tx.slice %y offsets = [0, 0, 7] strides = [1, 1, 1] : tensor<3x4x67xbf16> -> tensor<3x4x2xbf16>
  %y2 = tx.concatenate %y0, %y, %y1 dim = 2 : (tensor<3x4x1xbf16>, tensor<3x4x67xbf16>, tensor<3x4x2xbf16>) -> tensor<3x4x70xbf16>
  %z0 = tx.slice %z offsets = [0, 0, 2] strides = [1, 1, -1] : tensor<3x4x129xi8> -> tensor<3x4x2xi8>
  %z1 = tx.slice %z offsets = [0, 0, 7] strides = [1, 1, 1] : tensor<3x4x129xi8> -> tensor<3x4x1xi8>
  %z2 = tx.concatenate %z0, %z, %z1 dim = 2 : (tensor<3x4x2xi8>, tensor<3x4x129xi8>, tensor<3x4x1xi8>) -> tensor<3x4x132xi8>
  %m0 = tx.slice %m offsets = [0, 0, 1] strides = [1, 1, -1] : tensor<3x4x65xi1> -> tensor<3x4x1xi1>
  %m1 = tx.slice %m offsets = [0, 0, 7] strides = [1, 1, 1] : tensor<3x4x65xi1> -> tensor<3x4x1xi1>
  %m2 = tx.concatenate %m0, %m, %m1 dim = 2 : (tensor<3x4x1xi1>, tensor<3x4x65xi1>, tensor<3x4x1xi1>) -> tensor<3x4x67xi1>
  %above = tx.slice %x2 offsets = [0, 3, 0] strides = [1, -1, 1] : tensor<3x4x74xf32> -> tensor<3x3x74xf32>
  %0 = tx.concatenate %above, %x2 dim = 1 : (tensor<3x3x74xf32>, tensor<3x4x74xf32>) -> tensor<3x7x74xf32>
  return %0, %y2, %z2, %m2 : tensor<3x7x74xf32>, tensor<3x4x70xbf16>, tensor<3x4x132xi8>, tensor<3x4x67xi1>
}
