// Whether any element is true; false over none.
//
// RUN: %npy %t.p.npy i1 '[[true, true, true], [true, false, true], [false, false, false]]'
// RUN: %run_op --entry=bools --input=%t.p.npy | FileCheck %s --check-prefix=BOOL
// RUN: %run_op --entry=sizes --random-inputs --compare=reference
// RUN: %run_op --entry=sizes --random-inputs=1 --shape=xn:129,67 --compare=reference

func.func @bools(%p: tensor<3x3xi1>) -> (tensor<3xi1>, tensor<i1>, tensor<3xi1>) {
  %0 = tx.any %p dims = [1] : tensor<3x3xi1> -> tensor<3xi1>
  %1 = tx.any %p dims = [0, 1] : tensor<3x3xi1> -> tensor<i1>
  %e = tx.slice %p offsets = [0, 0] strides = [1, 1] : tensor<3x3xi1> -> tensor<3x0xi1>
  %2 = tx.any %e dims = [1] : tensor<3x0xi1> -> tensor<3xi1>
  return %0, %1, %2 : tensor<3xi1>, tensor<i1>, tensor<3xi1>
}
// BOOL:      out0: i1[3]
// BOOL-NEXT: [true, true, false]
// BOOL-NEXT: out1: i1[]
// BOOL-NEXT: true
// BOOL-NEXT: out2: i1[3]
// BOOL-NEXT: [false, false, false]

func.func @sizes(%x0: tensor<1000xi1>,
                 %x1: tensor<37x41xi1>,
                 %x2: tensor<37x41xi1>,
                 %x3: tensor<37x41xi1>,
                 %x4: tensor<3x5x67xi1>,
                 %x5: tensor<3x5x67xi1>,
                 %x6: tensor<3x5x67xi1>,
                 %x7: tensor<1x1xi1>,
                 %x8: tensor<0x5xi1>,
                 %x9: tensor<0x5xi1>,
                 %x10: tensor<64x37xi1>,
                 %x11: tensor<64x37xi1>,
                 %x12: tensor<i1>,
                 %xn: tensor<?x?xi1, #tx.dims<[n, m]>> {tx.name = "xn"})
    -> (tensor<i1>, tensor<37xi1>, tensor<41xi1>, tensor<i1>,
        tensor<3x67xi1>, tensor<5xi1>, tensor<3xi1>, tensor<1xi1>,
        tensor<5xi1>, tensor<0xi1>, tensor<64xi1>, tensor<37xi1>,
        tensor<i1>, tensor<?xi1, #tx.dims<[n]>>, tensor<?xi1, #tx.dims<[m]>>, tensor<i1>) {
  %r0 = tx.any %x0 dims = [0] : tensor<1000xi1> -> tensor<i1>
  %r1 = tx.any %x1 dims = [1] : tensor<37x41xi1> -> tensor<37xi1>
  %r2 = tx.any %x2 dims = [0] : tensor<37x41xi1> -> tensor<41xi1>
  %r3 = tx.any %x3 dims = [0, 1] : tensor<37x41xi1> -> tensor<i1>
  %r4 = tx.any %x4 dims = [1] : tensor<3x5x67xi1> -> tensor<3x67xi1>
  %r5 = tx.any %x5 dims = [0, 2] : tensor<3x5x67xi1> -> tensor<5xi1>
  %r6 = tx.any %x6 dims = [1, 2] : tensor<3x5x67xi1> -> tensor<3xi1>
  %r7 = tx.any %x7 dims = [0] : tensor<1x1xi1> -> tensor<1xi1>
  %r8 = tx.any %x8 dims = [0] : tensor<0x5xi1> -> tensor<5xi1>
  %r9 = tx.any %x9 dims = [1] : tensor<0x5xi1> -> tensor<0xi1>
  %r10 = tx.any %x10 dims = [1] : tensor<64x37xi1> -> tensor<64xi1>
  %r11 = tx.any %x11 dims = [0] : tensor<64x37xi1> -> tensor<37xi1>
  %r12 = tx.any %x12 dims = [] : tensor<i1> -> tensor<i1>
  %n0 = tx.any %xn dims = [1] : tensor<?x?xi1, #tx.dims<[n, m]>> -> tensor<?xi1, #tx.dims<[n]>>
  %n1 = tx.any %xn dims = [0] : tensor<?x?xi1, #tx.dims<[n, m]>> -> tensor<?xi1, #tx.dims<[m]>>
  %n2 = tx.any %xn dims = [0, 1] : tensor<?x?xi1, #tx.dims<[n, m]>> -> tensor<i1>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %n0, %n1, %n2
      : tensor<i1>, tensor<37xi1>, tensor<41xi1>, tensor<i1>,
        tensor<3x67xi1>, tensor<5xi1>, tensor<3xi1>, tensor<1xi1>,
        tensor<5xi1>, tensor<0xi1>, tensor<64xi1>, tensor<37xi1>,
        tensor<i1>, tensor<?xi1, #tx.dims<[n]>>, tensor<?xi1, #tx.dims<[m]>>, tensor<i1>
}
