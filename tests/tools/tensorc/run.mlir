// tensorc run: names, printing, files, seeds.
//
// RUN: %npy %t.x.npy f32 '[[1, 2, 3], [4, 5, 6]]'
// RUN: %npy %t.s.npy f32 '10'
// RUN: %tensorc run %s --device=reference --input=s=%t.s.npy --input=%t.x.npy | FileCheck %s
// RUN: %tensorc run - --device=reference --input=s=%t.s.npy --input=%t.x.npy < %s | FileCheck %s
// RUN: env TENSORC_DEVICE=reference %tensorc run %s --input=s=%t.s.npy --input=%t.x.npy --time 2>&1 | FileCheck %s --check-prefix=TIME
// CHECK:      y: f32[2,3]
// CHECK-NEXT: {{\[\[}}10, 20, 30],
// CHECK-NEXT:  [40, 50, 60]]
// CHECK-NEXT: out1: bf16[2]
// CHECK-NEXT: [6, 15]
// TIME: run {{.*}} ms

// Files instead of text; what is written reads back.
// RUN: rm -rf %t.dir
// RUN: %tensorc run %s --device=reference --input=s=%t.s.npy --input=%t.x.npy --output-dir=%t.dir | count 0
// RUN: ls %t.dir | FileCheck %s --check-prefix=FILES
// RUN: %tensorc run %s --device=reference --input=s=%t.s.npy --input=x=%t.dir/y.npy | FileCheck %s --check-prefix=AGAIN
// RUN: %tensorc run %s --entry=half --device=reference --input=%t.dir/out1.npy | FileCheck %s --check-prefix=HALF
// RUN: %python -c "import sys, ast; d = open(sys.argv[1], 'rb').read(); print(d[10:128], d[128:])" %t.dir/out1.npy | FileCheck %s --check-prefix=NPY
// FILES: out1.npy
// FILES: y.npy
// FILES-NOT: tmp
// AGAIN: {{\[\[}}100, 200, 300],
// HALF: [12, 30]
// NPY: {'descr': '<u2', 'fortran_order': False, 'shape': (2, ), } # dtype: bf16
// NPY-SAME: b'\xc0@pA'

// The same seed, the same inputs; inputs given keep the sizes of the rest.
// RUN: %tensorc run %s --entry=pair --device=reference --random-inputs=7 > %t.7
// RUN: %tensorc run %s --entry=pair --device=reference --random-inputs=7 | diff - %t.7
// RUN: %tensorc run %s --entry=pair --device=reference --random-inputs=8 | not diff - %t.7
// RUN: FileCheck %s --check-prefix=PRIMES < %t.7
// RUN: %tensorc run %s --entry=pair --device=reference --random-inputs --shape=b:1001 | FileCheck %s --check-prefix=LARGE
// RUN: %tensorc run %s --entry=pair --device=reference --random-inputs --input=a=%t.x.npy | FileCheck %s --check-prefix=GIVEN
// PRIMES: out0: f32[5,7]
// PRIMES: out1: i32[7]
// LARGE: out1: i32[1001]
// LARGE-NEXT: [{{.}}, {{.}}, {{.}}, ..., {{.}}, {{.}}, {{.}}]
// GIVEN: out0: f32[2,3]
// GIVEN: out1: i32[3]

// RUN: %tensorc run %s --entry=pair --random-inputs --compare=reference | FileCheck %s --check-prefix=COMPARE
// COMPARE: compare out0: largest error 0 (relative 0; allowed 2e-05 + 2e-05 * |reference|)
// COMPARE: compare out1: equal

func.func @main(%x: tensor<?x3xf32, #tx.dims<[n, 3]>> {tx.name = "x"},
                %s: tensor<f32> {tx.name = "s", tx.scalar})
    -> (tensor<?x3xf32, #tx.dims<[n, 3]>> {tx.name = "y"}, tensor<?xbf16, #tx.dims<[n]>>) {
  %0 = tx.broadcast %s dims = [] : tensor<f32> -> tensor<?x3xf32, #tx.dims<[n, 3]>>
  %1 = tx.mul %x, %0 : tensor<?x3xf32, #tx.dims<[n, 3]>>
  %2 = tx.sum %x dims = [1] : tensor<?x3xf32, #tx.dims<[n, 3]>> -> tensor<?xf32, #tx.dims<[n]>>
  %3 = tx.convert %2 : tensor<?xf32, #tx.dims<[n]>> -> tensor<?xbf16, #tx.dims<[n]>>
  return %1, %3 : tensor<?x3xf32, #tx.dims<[n, 3]>>, tensor<?xbf16, #tx.dims<[n]>>
}

func.func @half(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = tx.add %x, %x : tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

func.func @pair(%a: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "a"},
                %b: tensor<?xi32, #tx.dims<[m]>> {tx.name = "b"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xi32, #tx.dims<[m]>>) {
  return %a, %b : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?xi32, #tx.dims<[m]>>
}
