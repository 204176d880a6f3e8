// f8, bf16 and 4-bit integers in files: what is written is read again, with the
// dtype from the header's comment or from the program; packages hold nibbles.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %npy %t/x.npy f32 '[1.5, -2.0, 7.0, -8.0, 3.0]'
// RUN: %tensorc run %s --entry=narrow --input=%t/x.npy --output-dir=%t
// RUN: %python -c "print(open(r'%t/i4.npy', 'rb').read()[10:96])" | FileCheck %s --check-prefix=I4
// RUN: %python -c "print(open(r'%t/f8.npy', 'rb').read()[10:96])" | FileCheck %s --check-prefix=F8
// I4: 'descr': '|i1', 'fortran_order': False, 'shape': (5, ), } # dtype: i4
// F8: 'descr': '|u1', 'fortran_order': False, 'shape': (5, ), } # dtype: f8E4M3FN

// RUN: %tensorc run %s --entry=wide --input=a=%t/i4.npy --input=b=%t/ui4.npy --input=c=%t/f8.npy --input=d=%t/bf16.npy | FileCheck %s
// RUN: %tensorc compile %s --entry=wide -o %t/wide.tcpkg
// RUN: %tensorc run %t/wide.tcpkg --input=a=%t/i4.npy --input=b=%t/ui4.npy --input=c=%t/f8.npy --input=d=%t/bf16.npy | FileCheck %s
// CHECK:      out0: f32[5]
// CHECK-NEXT: [1, -2, 7, -8, 3]
// CHECK-NEXT: out1: f32[5]
// CHECK-NEXT: [1, 0, 7, 0, 3]
// CHECK-NEXT: out2: f32[5]
// CHECK-NEXT: [1.5, -2, 7, -8, 3]
// CHECK-NEXT: out3: f32[5]
// CHECK-NEXT: [1.5, -2, 7, -8, 3]

// The comment is a dtype; another one is refused, and so are values outside.
// RUN: %exits 1 %tensorc run %s --entry=wide --input=a=%t/ui4.npy 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: argument a is ui4[5], not i4[5]
// RUN: %npy %t/nine.npy i8 '[0, 0, 9, 0, 0]'
// RUN: %exits 1 %tensorc run %s --entry=wide --input=a=%t/nine.npy 2>&1 | FileCheck %s --check-prefix=NINE
// NINE: error: argument 'a': 9 is outside i4

// RUN: %tensorc explain %s --entry=wide | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: reads {{.*}}i8[3]

func.func @narrow(%x: tensor<5xf32>)
    -> (tensor<5xi4> {tx.name = "i4"}, tensor<5xui4> {tx.name = "ui4"},
        tensor<5xf8E4M3FN> {tx.name = "f8"}, tensor<5xbf16> {tx.name = "bf16"}) {
  %0 = tx.convert %x : tensor<5xf32> -> tensor<5xi4>
  %1 = tx.convert %x : tensor<5xf32> -> tensor<5xui4>
  %2 = tx.convert %x : tensor<5xf32> -> tensor<5xf8E4M3FN>
  %3 = tx.convert %x : tensor<5xf32> -> tensor<5xbf16>
  return %0, %1, %2, %3 : tensor<5xi4>, tensor<5xui4>, tensor<5xf8E4M3FN>, tensor<5xbf16>
}

func.func @wide(%a: tensor<5xi4> {tx.name = "a"}, %b: tensor<5xui4> {tx.name = "b"},
                %c: tensor<5xf8E4M3FN> {tx.name = "c"}, %d: tensor<5xbf16> {tx.name = "d"})
    -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %0 = tx.convert %a : tensor<5xi4> -> tensor<5xf32>
  %1 = tx.convert %b : tensor<5xui4> -> tensor<5xf32>
  %2 = tx.convert %c : tensor<5xf8E4M3FN> -> tensor<5xf32>
  %3 = tx.convert %d : tensor<5xbf16> -> tensor<5xf32>
  return %0, %1, %2, %3 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}
