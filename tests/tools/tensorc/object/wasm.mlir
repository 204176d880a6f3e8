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
// CHECK-NEXT: f16: 3c00 2e66 7bff 7c00 fc00 7e00 8000 1 0 3c00 3c02
// CHECK-NEXT: bf16: 3f80 3dcd 4780 4780 ff80 7fc0 8000 3380 3300 3f80 3f80
// CHECK-NEXT: f8E4M3FN: 38 1d 7f 7f ff 7f 80 0 0 38 38
// CHECK-NEXT: f8E5M2: 3c 2e 7c 7c fc 7e 80 0 0 3c 3c
// CHECK-NEXT: i8 -128, i1 1
// CHECK-NEXT: RangeError: e: 300 is no value of i8
// CHECK-NEXT: RangeError: e: 1.5 is no value of i8
// CHECK-NEXT: RangeError: e: NaN is no value of i8
// CHECK-NEXT: RangeError: i: 18446744073709551616 is no value of i64
// CHECK-NEXT: RangeError: t: 2 is no value of i1
// CHECK-NEXT: TypeError: a: expected a number, not undefined
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
// TYPES:        "t": number | boolean; // i1[]

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

func.func @scalars(%a: tensor<f16> {tx.name = "a", tx.scalar}, %b: tensor<bf16> {tx.name = "b", tx.scalar},
                   %c: tensor<f8E4M3FN> {tx.name = "c", tx.scalar}, %d: tensor<f8E5M2> {tx.name = "d", tx.scalar},
                   %e: tensor<i8> {tx.name = "e", tx.scalar}, %i: tensor<i64> {tx.name = "i", tx.scalar}, %t: tensor<i1> {tx.name = "t", tx.scalar})
    -> (tensor<f16> {tx.name = "f16"}, tensor<bf16> {tx.name = "bf16"}, tensor<f8E4M3FN> {tx.name = "f8E4M3FN"},
        tensor<f8E5M2> {tx.name = "f8E5M2"}, tensor<i8> {tx.name = "i8"}, tensor<i64> {tx.name = "i64"}, tensor<i1> {tx.name = "i1"}) {
  return %a, %b, %c, %d, %e, %i, %t : tensor<f16>, tensor<bf16>, tensor<f8E4M3FN>, tensor<f8E5M2>, tensor<i8>, tensor<i64>, tensor<i1>
}
