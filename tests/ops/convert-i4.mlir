// 4-bit integers, two to a byte: floats truncate and saturate, NaN becomes 0;
// integers wrap. Even and odd numbers of them, and none.
//
// RUN: %npy %t.x.npy f64 '[1.9, -1.9, nan, inf, -inf, 7.5, -8.9, -9.0, 15.9, 16.0, -0.5]'
// RUN: %run_op --input=%t.x.npy | FileCheck %s
// RUN: %npy %t.i.npy i64 '[7, 8, -8, -9, 15, 16, 255, -1, 9223372036854775807]'
// RUN: %run_op --entry=ints --input=%t.i.npy | FileCheck %s --check-prefix=INT
// RUN: %npy %t.n.npy i8 '[[-8, -7, -1], [0, 1, 7]]'
// RUN: %run_op --entry=wider --input=%t.n.npy | FileCheck %s --check-prefix=WIDER
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=e:129,2 --compare=reference
// RUN: %npy %t.o.npy i8 '[[8, 0, 0], [0, 0, 0]]'
// RUN: not %run_op --entry=wider --input=%t.o.npy 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: argument 'x': 8 is outside i4

func.func @main(%x: tensor<11xf64>)
    -> (tensor<11xi4> {tx.name = "i4"}, tensor<11xui4> {tx.name = "ui4"}) {
  %0 = tx.convert %x : tensor<11xf64> -> tensor<11xi4>
  %1 = tx.convert %x : tensor<11xf64> -> tensor<11xui4>
  return %0, %1 : tensor<11xi4>, tensor<11xui4>
}
// CHECK:      i4: i4[11]
// CHECK-NEXT: [1, -1, 0, 7, -8, 7, -8, -8, 7, 7, 0]
// CHECK-NEXT: ui4: ui4[11]
// CHECK-NEXT: [1, 0, 0, 15, 0, 7, 0, 0, 15, 15, 0]

func.func @ints(%x: tensor<9xi64>)
    -> (tensor<9xi4> {tx.name = "i4"}, tensor<9xui4> {tx.name = "ui4"}, tensor<9xui4> {tx.name = "bits"}) {
  %0 = tx.convert %x : tensor<9xi64> -> tensor<9xi4>
  %1 = tx.convert %x : tensor<9xi64> -> tensor<9xui4>
  %2 = tx.bitcast %0 : tensor<9xi4> -> tensor<9xui4>
  return %0, %1, %2 : tensor<9xi4>, tensor<9xui4>, tensor<9xui4>
}
// INT:      i4: i4[9]
// INT-NEXT: [7, -8, -8, 7, -1, 0, -1, -1, -1]
// INT-NEXT: ui4: ui4[9]
// INT-NEXT: [7, 8, 8, 7, 15, 0, 15, 15, 15]
// INT-NEXT: bits: ui4[9]
// INT-NEXT: [7, 8, 8, 7, 15, 0, 15, 15, 15]

func.func @wider(%x: tensor<2x3xi4> {tx.name = "x"})
    -> (tensor<2x3xi32> {tx.name = "i32"}, tensor<2x3xf16> {tx.name = "f16"},
        tensor<2x3xui8> {tx.name = "ui8"}, tensor<2x3xui4> {tx.name = "ui4"},
        tensor<2x3xi1> {tx.name = "i1"}, tensor<2x3xf8E4M3FN> {tx.name = "f8"}) {
  %0 = tx.convert %x : tensor<2x3xi4> -> tensor<2x3xi32>
  %1 = tx.convert %x : tensor<2x3xi4> -> tensor<2x3xf16>
  %2 = tx.convert %x : tensor<2x3xi4> -> tensor<2x3xui8>
  %3 = tx.convert %x : tensor<2x3xi4> -> tensor<2x3xui4>
  %4 = tx.convert %x : tensor<2x3xi4> -> tensor<2x3xi1>
  %5 = tx.convert %x : tensor<2x3xi4> -> tensor<2x3xf8E4M3FN>
  return %0, %1, %2, %3, %4, %5 : tensor<2x3xi32>, tensor<2x3xf16>, tensor<2x3xui8>,
      tensor<2x3xui4>, tensor<2x3xi1>, tensor<2x3xf8E4M3FN>
}
// WIDER:      i32: i32[2,3]
// WIDER-NEXT: {{\[\[}}-8, -7, -1],
// WIDER-NEXT:  [0, 1, 7]]
// WIDER-NEXT: f16: f16[2,3]
// WIDER-NEXT: {{\[\[}}-8, -7, -1],
// WIDER-NEXT:  [0, 1, 7]]
// WIDER-NEXT: ui8: ui8[2,3]
// WIDER-NEXT: {{\[\[}}248, 249, 255],
// WIDER-NEXT:  [0, 1, 7]]
// WIDER-NEXT: ui4: ui4[2,3]
// WIDER-NEXT: {{\[\[}}8, 9, 15],
// WIDER-NEXT:  [0, 1, 7]]
// WIDER-NEXT: i1: i1[2,3]
// WIDER-NEXT: {{\[\[}}true, true, true],
// WIDER-NEXT:  [false, true, true]]
// WIDER-NEXT: f8: f8E4M3FN[2,3]
// WIDER-NEXT: {{\[\[}}-8, -7, -1],
// WIDER-NEXT:  [0, 1, 7]]

func.func @sizes(%a: tensor<i4>, %b: tensor<0x3xui4>, %c: tensor<1xui4>, %d: tensor<997xi4>,
                 %e: tensor<?x?xf32, #tx.dims<[en, em]>> {tx.name = "e"}, %f: tensor<?x6xui4, #tx.dims<[en, 6]>>)
    -> (tensor<f32>, tensor<0x3xi4>, tensor<1xi4>, tensor<997xf32>,
        tensor<?x?xi4, #tx.dims<[en, em]>>, tensor<?x6xbf16, #tx.dims<[en, 6]>>) {
  %0 = tx.convert %a : tensor<i4> -> tensor<f32>
  %1 = tx.convert %b : tensor<0x3xui4> -> tensor<0x3xi4>
  %2 = tx.convert %c : tensor<1xui4> -> tensor<1xi4>
  %3 = tx.convert %d : tensor<997xi4> -> tensor<997xf32>
  %4 = tx.convert %e : tensor<?x?xf32, #tx.dims<[en, em]>> -> tensor<?x?xi4, #tx.dims<[en, em]>>
  %5 = tx.convert %f : tensor<?x6xui4, #tx.dims<[en, 6]>> -> tensor<?x6xbf16, #tx.dims<[en, 6]>>
  return %0, %1, %2, %3, %4, %5 : tensor<f32>, tensor<0x3xi4>, tensor<1xi4>, tensor<997xf32>,
      tensor<?x?xi4, #tx.dims<[en, em]>>, tensor<?x6xbf16, #tx.dims<[en, 6]>>
}
