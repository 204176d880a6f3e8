// --compare=reference: the tolerance is that of the coarsest dtype on the way.
//
// RUN: %tensorc run %s --entry=widened --random-inputs --compare=reference | FileCheck %s --check-prefix=WIDENED
// WIDENED: compare out0: {{.*}} allowed 0.004 + 0.004 * |reference|)
// WIDENED: compare out1: {{.*}} allowed 2e-05 + 2e-05 * |reference|)

// RUN: %tensorc run %s --entry=narrowed --random-inputs --compare=reference | FileCheck %s --check-prefix=NARROWED
// NARROWED: compare out0: {{.*}} allowed 0.03 + 0.03 * |reference|)
// NARROWED: compare out1: {{.*}} allowed 2e-05 + 2e-05 * |reference|)

// Integers: exact while the floats before them are, else a neighbour.
// RUN: %tensorc run %s --entry=rounded --random-inputs --compare=reference | FileCheck %s --check-prefix=ROUNDED
// ROUNDED: compare out0: equal
// ROUNDED: compare out1: {{.*}} allowed 1 + 2e-05 * |reference|)
// ROUNDED: compare out2: {{.*}} allowed 1 + 0.004 * |reference|)
// ROUNDED: compare out3: equal
// ROUNDED: compare out4: {{.*}} allowed 1 + 2e-05 * |reference|)

// RUN: %tensorc run %s --entry=inside --random-inputs --compare=reference | FileCheck %s --check-prefix=INSIDE
// INSIDE: compare out0: {{.*}} allowed 0.004 + 0.004 * |reference|)

func.func @widened(%x: tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>) {
  %0 = tx.convert %x : tensor<37xf32> -> tensor<37xf16>
  %1 = tx.exp %0 : tensor<37xf16>
  %2 = tx.convert %1 : tensor<37xf16> -> tensor<37xf32>
  %3 = tx.exp %x : tensor<37xf32>
  return %2, %3 : tensor<37xf32>, tensor<37xf32>
}

func.func @narrowed(%x: tensor<37xbf16>, %y: tensor<37xf32>) -> (tensor<37xf16>, tensor<37xf64>) {
  %0 = tx.convert %x : tensor<37xbf16> -> tensor<37xf16>
  %1 = tx.convert %y : tensor<37xf32> -> tensor<37xf64>
  return %0, %1 : tensor<37xf16>, tensor<37xf64>
}

func.func @rounded(%x: tensor<37xf32>)
    -> (tensor<37xi32>, tensor<37xui8>, tensor<37xi64>, tensor<37xi1>, tensor<37xi32>) {
  %c = tx.constant dense<100.0> : tensor<37xf32>
  %0 = tx.mul %x, %c : tensor<37xf32>
  %exact = tx.convert %0 : tensor<37xf32> -> tensor<37xi32>
  %1 = tx.exp %x : tensor<37xf32>
  %2 = tx.mul %1, %c : tensor<37xf32>
  %3 = tx.convert %2 : tensor<37xf32> -> tensor<37xui8>
  %4 = tx.convert %2 : tensor<37xf32> -> tensor<37xf16>
  %5 = tx.convert %4 : tensor<37xf16> -> tensor<37xi64>
  %6 = tx.gt %2, %c : tensor<37xf32>
  %7 = tx.convert %2 : tensor<37xf32> -> tensor<37xi32>
  %8 = tx.add %7, %exact : tensor<37xi32>
  return %exact, %3, %5, %6, %8 : tensor<37xi32>, tensor<37xui8>, tensor<37xi64>, tensor<37xi1>, tensor<37xi32>
}

func.func @inside(%x: tensor<37xf32>) -> tensor<37xf32> {
  %0 = tx.convert %x : tensor<37xf32> -> tensor<37xf16>
  %1 = tx.softmax %0 dim = 0 : tensor<37xf16>
  %2 = tx.convert %1 : tensor<37xf16> -> tensor<37xf32>
  return %2 : tensor<37xf32>
}
