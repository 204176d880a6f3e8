// A WebAssembly module, whose script takes and returns typed arrays.
//
// REQUIRES: node
// RUN: rm -rf %t && mkdir %t
// RUN: %tensorc compile %s -o %t/wasm.js
// RUN: node %S/Inputs/wasm.mjs %t/wasm.js | FileCheck %s
// RUN: FileCheck %s --input-file=%t/wasm.d.ts --check-prefix=TYPES
// RUN: %tensorc compile %s --emit=wasm -o %t/alone.wasm && cmp %t/alone.wasm %t/wasm.wasm
// RUN: %tensorc compile %s --emit=page -o %t/wasm.html && FileCheck %s --input-file=%t/wasm.html --check-prefix=PAGE

// CHECK:      imports 0
// CHECK-NEXT: exports memory
// CHECK-NEXT: y BigInt64Array [2,2]: 7 9 10 12
// CHECK-NEXT: z Uint16Array [2]: 16384 49152
// CHECK-NEXT: y BigInt64Array [0,2]:
// CHECK-NEXT: w Float64Array []: 9007199254740993n 3.5
// CHECK-NEXT: RangeError: scale: the size n is undefined
// CHECK-NEXT: TypeError: k: expected a bigint, not number
// CHECK-NEXT: TypeError: x: expected a BigInt64Array, not Int32Array
// CHECK-NEXT: RangeError: x: expected 6 elements for the shape [2,3], not 4
// CHECK-NEXT: RangeError: the run needs {{[0-9]+}} bytes of memory

// TYPES:      "scale"(inputs: {
// TYPES-NEXT:   "x": BigInt64Array; // i64[n, 3]
// TYPES-NEXT:   "k": bigint; // i64[]
// TYPES-NEXT:   "h": Uint16Array; // f16[n]
// TYPES-NEXT:   "n": number;
// TYPES-NEXT: }): {
// TYPES-NEXT:   "y": BigInt64Array & { shape: number[] }; // i64[n, 2]
// TYPES-NEXT:   "z": Uint16Array & { shape: number[] }; // f16[n]

// PAGE: globalThis["wasm"] = (() => {
// PAGE: globalThis["wasm"];

#n = #tx.dims<[n]>
#x = #tx.dims<[n, 3]>
#y = #tx.dims<[n, 2]>
func.func @scale(%x: tensor<?x3xi64, #x> {tx.name = "x"}, %k: tensor<i64> {tx.name = "k", tx.scalar},
                 %h: tensor<?xf16, #n> {tx.name = "h"})
    -> (tensor<?x2xi64, #y> {tx.name = "y"}, tensor<?xf16, #n> {tx.name = "z"}) {
  %0 = tx.broadcast %k dims = [] : tensor<i64> -> tensor<?x3xi64, #x>
  %1 = tx.add %x, %0 : tensor<?x3xi64, #x>
  %y = tx.slice %1 offsets = [0, 0] strides = [1, 2] : tensor<?x3xi64, #x> -> tensor<?x2xi64, #y>
  %z = tx.add %h, %h : tensor<?xf16, #n>
  return %y, %z : tensor<?x2xi64, #y>, tensor<?xf16, #n>
}

func.func @main(%i: tensor<i64> {tx.name = "i", tx.scalar}, %b: tensor<i1> {tx.name = "b", tx.scalar}, %f: tensor<f64> {tx.name = "f"})
    -> (tensor<i64> {tx.name = "v"}, tensor<f64> {tx.name = "w"}) {
  %0 = tx.neg %f : tensor<f64>
  %w = tx.select %b, %f, %0 : tensor<i1>, tensor<f64>
  return %i, %w : tensor<i64>, tensor<f64>
}
