// Contractions of bytes with sums in i32, which chips with matrix instructions do in tiles. They are exact.
//
// RUN: %run_op --entry=layouts --random-inputs --compare=reference | FileCheck %s
// RUN: %run_op --entry=signs --random-inputs --compare=reference | FileCheck %s
// RUN: %run_op --entry=computed --random-inputs --compare=reference | FileCheck %s
// RUN: %run_op --entry=long --random-inputs --compare=reference | FileCheck %s
// RUN: %run_op --entry=symbolic --random-inputs --shape=x:33,47 --shape=y:20,47 --compare=reference | FileCheck %s
// CHECK-NOT: largest error {{[^0]}}

// Each operand contiguous along K, or along its rows.
func.func @layouts(%a: tensor<40x70xi8>, %b: tensor<24x70xi8>, %c: tensor<70x48xi8>, %d: tensor<70x32xi8>)
    -> (tensor<40x24xi32>, tensor<40x48xi32>, tensor<48x32xi32>) {
  %aw = tx.convert %a : tensor<40x70xi8> -> tensor<40x70xi32>
  %bw = tx.convert %b : tensor<24x70xi8> -> tensor<24x70xi32>
  %cw = tx.convert %c : tensor<70x48xi8> -> tensor<70x48xi32>
  %dw = tx.convert %d : tensor<70x32xi8> -> tensor<70x32xi32>
  %0 = tx.dot_general %aw, %bw batch = [] x [] contracting = [1] x [1]
      : (tensor<40x70xi32>, tensor<24x70xi32>) -> tensor<40x24xi32>
  %1 = tx.dot_general %aw, %cw batch = [] x [] contracting = [1] x [0]
      : (tensor<40x70xi32>, tensor<70x48xi32>) -> tensor<40x48xi32>
  %2 = tx.dot_general %cw, %dw batch = [] x [] contracting = [0] x [0]
      : (tensor<70x48xi32>, tensor<70x32xi32>) -> tensor<48x32xi32>
  return %0, %1, %2 : tensor<40x24xi32>, tensor<40x48xi32>, tensor<48x32xi32>
}

// Unsigned bytes, on one side or both, in rows that 16 bytes divide.
func.func @signs(%s: tensor<2x20x96xi8>, %u: tensor<2x18x96xui8>)
    -> (tensor<2x20x18xi32>, tensor<2x18x20xi32>, tensor<2x18x18xi32>) {
  %sw = tx.convert %s : tensor<2x20x96xi8> -> tensor<2x20x96xi32>
  %uw = tx.convert %u : tensor<2x18x96xui8> -> tensor<2x18x96xi32>
  %0 = tx.dot_general %sw, %uw batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x20x96xi32>, tensor<2x18x96xi32>) -> tensor<2x20x18xi32>
  %1 = tx.dot_general %uw, %sw batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x18x96xi32>, tensor<2x20x96xi32>) -> tensor<2x18x20xi32>
  %2 = tx.dot_general %uw, %uw batch = [0] x [0] contracting = [2] x [2]
      : (tensor<2x18x96xi32>, tensor<2x18x96xi32>) -> tensor<2x18x18xi32>
  return %0, %1, %2 : tensor<2x20x18xi32>, tensor<2x18x20xi32>, tensor<2x18x18xi32>
}

// A zero point is subtracted before the product; the result is scaled after it.
func.func @computed(%u: tensor<33x64xui8>, %s: tensor<64x17xi8>, %scale: tensor<17xf32>) -> tensor<33x17xf32> {
  %uw = tx.convert %u : tensor<33x64xui8> -> tensor<33x64xi32>
  %zero = tx.constant dense<128> : tensor<33x64xi32>
  %x = tx.sub %uw, %zero : tensor<33x64xi32>
  %y = tx.convert %s : tensor<64x17xi8> -> tensor<64x17xi32>
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<33x64xi32>, tensor<64x17xi32>) -> tensor<33x17xi32>
  %1 = tx.convert %0 : tensor<33x17xi32> -> tensor<33x17xf32>
  %2 = tx.broadcast %scale dims = [1] : tensor<17xf32> -> tensor<33x17xf32>
  %3 = tx.mul %1, %2 : tensor<33x17xf32>
  return %3 : tensor<33x17xf32>
}

// Few tiles and many steps: parts of k, the last one shorter.
func.func @long(%x: tensor<17x1100xi8>, %y: tensor<20x1100xi8>) -> tensor<17x20xi32> {
  %xw = tx.convert %x : tensor<17x1100xi8> -> tensor<17x1100xi32>
  %yw = tx.convert %y : tensor<20x1100xi8> -> tensor<20x1100xi32>
  %0 = tx.dot_general %xw, %yw batch = [] x [] contracting = [1] x [1]
      : (tensor<17x1100xi32>, tensor<20x1100xi32>) -> tensor<17x20xi32>
  return %0 : tensor<17x20xi32>
}

func.func @symbolic(%x: tensor<?x?xi8, #tx.dims<[m, k]>> {tx.name = "x"},
                    %y: tensor<?x?xi8, #tx.dims<[n, k]>> {tx.name = "y"})
    -> tensor<?x?xi32, #tx.dims<[m, n]>> {
  %xw = tx.convert %x : tensor<?x?xi8, #tx.dims<[m, k]>> -> tensor<?x?xi32, #tx.dims<[m, k]>>
  %yw = tx.convert %y : tensor<?x?xi8, #tx.dims<[n, k]>> -> tensor<?x?xi32, #tx.dims<[n, k]>>
  %0 = tx.dot_general %xw, %yw batch = [] x [] contracting = [1] x [1]
      : (tensor<?x?xi32, #tx.dims<[m, k]>>, tensor<?x?xi32, #tx.dims<[n, k]>>) -> tensor<?x?xi32, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xi32, #tx.dims<[m, n]>>
}
