// A matrix of more than a MB whose rows are short, but nothing is between them: a Sapphire Rapids, whose last-level cache is slow,
// reads it in the order of memory for few rows of x, and copies blocks of it for more. The bits are those of tiles.
//
// REQUIRES: x86-64-v4
// RUN: env TENSORC_TEST_CPU=sapphirerapids %tensorc explain %s --entry=swept | FileCheck %s --check-prefix=SWEEP
// RUN: env TENSORC_TEST_CPU=sapphirerapids %tensorc explain %s --entry=copied | FileCheck %s --check-prefix=BLOCKED
// RUN: env TENSORC_TEST_CPU=sapphirerapids %tensorc explain %s --entry=part | FileCheck %s --check-prefix=PANEL
// RUN: env TENSORC_TEST_CPU=zen5 %tensorc explain %s --entry=swept | FileCheck %s --check-prefix=PANEL
// RUN: env TENSORC_TEST_CPU=zen5 %tensorc explain %s --entry=copied | FileCheck %s --check-prefix=PANEL
// SWEEP: schedule sweep rows=3
// BLOCKED: schedule blocked
// PANEL: schedule panel
//
// DEFINE: %{rapids} = env TENSORC_TEST_CPU=sapphirerapids TENSORC_CHECK=memory %tensorc run %s --device=cpu --random-inputs
// RUN: rm -rf %t && mkdir -p %t/swept %t/copied %t/tiles
// RUN: %{rapids} --entry=swept --output-dir=%t/swept
// RUN: %{rapids} --entry=swept --schedule=dot_general_neg:skeleton=panel --output-dir=%t/tiles
// RUN: cmp %t/swept/out0.npy %t/tiles/out0.npy
// RUN: %{rapids} --entry=copied --output-dir=%t/copied
// RUN: %{rapids} --entry=copied --schedule=dot_general:skeleton=panel --output-dir=%t/tiles
// RUN: cmp %t/copied/out0.npy %t/tiles/out0.npy

func.func @swept(%x: tensor<3x14003xf32>, %y: tensor<14003x19xf32>) -> tensor<3x19xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<3x14003xf32>, tensor<14003x19xf32>) -> tensor<3x19xf32>
  %1 = tx.neg %0 : tensor<3x19xf32>
  return %1 : tensor<3x19xf32>
}

func.func @copied(%x: tensor<13x3471xf32>, %y: tensor<3471x378xf32>) -> tensor<13x378xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<13x3471xf32>, tensor<3471x378xf32>) -> tensor<13x378xf32>
  return %0 : tensor<13x378xf32>
}

// Columns of longer rows are no memory in order.
func.func @part(%x: tensor<3x14003xf32>, %y: tensor<14003x38xf32>) -> tensor<3x19xf32> {
  %s = tx.slice %y offsets = [0, 5] strides = [1, 1] : tensor<14003x38xf32> -> tensor<14003x19xf32>
  %0 = tx.dot_general %x, %s batch = [] x [] contracting = [1] x [0] : (tensor<3x14003xf32>, tensor<14003x19xf32>) -> tensor<3x19xf32>
  return %0 : tensor<3x19xf32>
}
