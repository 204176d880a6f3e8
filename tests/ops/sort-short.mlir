// Short rows, which are sorted side by side: as many as a vector has lanes, and some more; rows of equal keys, of zeros of both signs and of NaN of different bits.
//
// RUN: %npy %t.npy f32 '[[2, 1] * 16 + [1], [0.0, -0.0, -1] * 11, [nan, -nan, 3] * 11, [-inf, inf, -0.0] * 11, [5] * 33] + [[7, 3, 9, 3, 1] * 6 + [0, 2, 8], [1, 2, 3] * 11, [3, 2, 1] * 11, [4] * 16 + [-4] * 17] * 8'
// RUN: %run_op --input=x=%t.npy --compare=reference
// NaN with a sign comes last, though its bits would come first: all rows are in order but for it.
// RUN: %npy %t.first.npy f32 '[[-nan, -nan] + [-3] * 10 + [0.5] * 21] * 37'
// RUN: %run_op --input=x=%t.first.npy --compare=reference
// RUN: %npy %t.last.npy f32 '[[4] * 2 + [0.5] * 20 + [-3] * 10 + [-nan]] * 37'
// RUN: %run_op --input=x=%t.last.npy --compare=reference
// RUN: %run_op --entry=dtypes --random-inputs=3 --compare=reference
// RUN: %run_op --entry=lengths --random-inputs=4 --compare=reference
// RUN: %run_op --entry=axes --random-inputs=5 --compare=reference
// RUN: %run_op --entry=first --random-inputs=6 --compare=reference
// RUN: %run_op --entry=nearly --compare=reference
// RUN: %run_op --entry=named --random-inputs=7 --shape=x:21,50 --compare=reference
// RUN: %run_op --entry=named --random-inputs=8 --shape=x:3,7 --compare=reference
// RUN: %run_op --entry=named --random-inputs=9 --shape=x:5,1 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:5,0 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:0,5 --compare=reference

func.func @main(%x: tensor<37x33xf32> {tx.name = "x"}) -> (tensor<37x33xf32>, tensor<37x33xi64>, tensor<37x33xf32>, tensor<37x33xi64>, tensor<37x33xf64>, tensor<37x33xi64>, tensor<37x33xf16>, tensor<37x33xi64>, tensor<37x33xf32>) {
  %0 = tx.sort %x dim = 1 : tensor<37x33xf32>
  %1 = tx.argsort %x dim = 1 descending : tensor<37x33xf32>
  %m = tx.neg %x : tensor<37x33xf32>
  %2 = tx.sort %m dim = 1 descending : tensor<37x33xf32>
  %3 = tx.argsort %m dim = 1 descending : tensor<37x33xf32>
  %d = tx.convert %x : tensor<37x33xf32> -> tensor<37x33xf64>
  %4 = tx.sort %d dim = 1 : tensor<37x33xf64>
  %5 = tx.argsort %d dim = 1 : tensor<37x33xf64>
  %h = tx.convert %x : tensor<37x33xf32> -> tensor<37x33xf16>
  %6 = tx.sort %h dim = 1 : tensor<37x33xf16>
  %7 = tx.argsort %h dim = 1 descending : tensor<37x33xf16>
  %e = tx.exp %x : tensor<37x33xf32>
  %8 = tx.sort %e dim = 1 descending : tensor<37x33xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<37x33xf32>, tensor<37x33xi64>, tensor<37x33xf32>, tensor<37x33xi64>, tensor<37x33xf64>, tensor<37x33xi64>, tensor<37x33xf16>, tensor<37x33xi64>, tensor<37x33xf32>
}

func.func @dtypes(%a: tensor<19x40xi8>, %b: tensor<19x40xui16>, %c: tensor<19x40xi64>, %d: tensor<19x40xui64>)
    -> (tensor<19x40xi8>, tensor<19x40xi64>, tensor<19x40xui16>, tensor<19x40xi64>, tensor<19x40xi64>, tensor<19x40xi64>, tensor<19x40xui64>, tensor<19x40xi64>, tensor<19x40xi1>) {
  %0 = tx.sort %a dim = 1 : tensor<19x40xi8>
  %1 = tx.argsort %a dim = 1 descending : tensor<19x40xi8>
  %2 = tx.sort %b dim = 1 descending : tensor<19x40xui16>
  %3 = tx.argsort %b dim = 1 : tensor<19x40xui16>
  %4 = tx.sort %c dim = 1 descending : tensor<19x40xi64>
  %5 = tx.argsort %c dim = 1 : tensor<19x40xi64>
  %6 = tx.sort %d dim = 1 : tensor<19x40xui64>
  %7 = tx.argsort %d dim = 1 descending : tensor<19x40xui64>
  %o = tx.convert %a : tensor<19x40xi8> -> tensor<19x40xi1>
  %8 = tx.sort %o dim = 1 : tensor<19x40xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<19x40xi8>, tensor<19x40xi64>, tensor<19x40xui16>, tensor<19x40xi64>, tensor<19x40xi64>, tensor<19x40xi64>, tensor<19x40xui64>, tensor<19x40xi64>, tensor<19x40xi1>
}

func.func @lengths(%a: tensor<20x1xf32>, %b: tensor<20x5xf32>, %c: tensor<3x16xf32>, %d: tensor<17x129xf32>)
    -> (tensor<20x1xf32>, tensor<20x1xi64>, tensor<20x5xf32>, tensor<20x5xi64>, tensor<3x16xf32>, tensor<3x16xi64>, tensor<17x129xf32>, tensor<17x129xi64>) {
  %0 = tx.sort %a dim = 1 : tensor<20x1xf32>
  %1 = tx.argsort %a dim = 1 : tensor<20x1xf32>
  %2 = tx.sort %b dim = 1 : tensor<20x5xf32>
  %3 = tx.argsort %b dim = 1 : tensor<20x5xf32>
  %4 = tx.sort %c dim = 1 : tensor<3x16xf32>
  %5 = tx.argsort %c dim = 1 descending : tensor<3x16xf32>
  %6 = tx.sort %d dim = 1 : tensor<17x129xf32>
  %7 = tx.argsort %d dim = 1 : tensor<17x129xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<20x1xf32>, tensor<20x1xi64>, tensor<20x5xf32>, tensor<20x5xi64>, tensor<3x16xf32>, tensor<3x16xi64>, tensor<17x129xf32>, tensor<17x129xi64>
}

// Rows apart in memory, and beside each other.
func.func @axes(%x: tensor<5x30x11xf32>) -> (tensor<5x30x11xf32>, tensor<5x30x11xi64>, tensor<5x30x11xf32>, tensor<5x30x11xi64>) {
  %0 = tx.sort %x dim = 1 : tensor<5x30x11xf32>
  %1 = tx.argsort %x dim = 1 descending : tensor<5x30x11xf32>
  %2 = tx.sort %x dim = 0 descending : tensor<5x30x11xf32>
  %3 = tx.argsort %x dim = 2 : tensor<5x30x11xf32>
  return %0, %1, %2, %3 : tensor<5x30x11xf32>, tensor<5x30x11xi64>, tensor<5x30x11xf32>, tensor<5x30x11xi64>
}

func.func @first(%x: tensor<23x40xi32>) -> (tensor<23x9xi32>, tensor<23x9xi64>, tensor<23x9xi64>) {
  %s = tx.sort %x dim = 1 descending : tensor<23x40xi32>
  %a = tx.argsort %x dim = 1 descending : tensor<23x40xi32>
  %b = tx.argsort %x dim = 1 : tensor<23x40xi32>
  %0 = tx.slice %s offsets = [0, 0] strides = [1, 1] : tensor<23x40xi32> -> tensor<23x9xi32>
  %1 = tx.slice %a offsets = [0, 0] strides = [1, 1] : tensor<23x40xi64> -> tensor<23x9xi64>
  %2 = tx.slice %b offsets = [0, 0] strides = [1, 1] : tensor<23x40xi64> -> tensor<23x9xi64>
  return %0, %1, %2 : tensor<23x9xi32>, tensor<23x9xi64>, tensor<23x9xi64>
}

// In row r, element r is less than all others, or more, or as much as one further left.
func.func @nearly() -> (tensor<40x64xi32>, tensor<40x64xi64>, tensor<40x64xf32>, tensor<40x64xi64>, tensor<40x64xi64>, tensor<40x64xi64>, tensor<40x64xi64>) {
  %r = tx.iota dim = 0 : tensor<40x64xi32>
  %i = tx.iota dim = 1 : tensor<40x64xi32>
  %same = tx.eq %r, %i : tensor<40x64xi32>
  %low = tx.constant dense<-1> : tensor<40x64xi32>
  %high = tx.constant dense<1000> : tensor<40x64xi32>
  %some = tx.constant dense<7> : tensor<40x64xi32>
  %x = tx.select %same, %low, %i : tensor<40x64xi1>, tensor<40x64xi32>
  %y = tx.select %same, %high, %i : tensor<40x64xi1>, tensor<40x64xi32>
  %z = tx.select %same, %some, %i : tensor<40x64xi1>, tensor<40x64xi32>
  %0 = tx.sort %x dim = 1 : tensor<40x64xi32>
  %1 = tx.argsort %y dim = 1 : tensor<40x64xi32>
  %f = tx.convert %y : tensor<40x64xi32> -> tensor<40x64xf32>
  %n = tx.neg %f : tensor<40x64xf32>
  %2 = tx.sort %n dim = 1 descending : tensor<40x64xf32>
  %3 = tx.argsort %n dim = 1 descending : tensor<40x64xf32>
  %w = tx.convert %z : tensor<40x64xi32> -> tensor<40x64xi64>
  %4 = tx.argsort %w dim = 1 : tensor<40x64xi64>
  %5 = tx.argsort %z dim = 1 : tensor<40x64xi32>
  %v = tx.convert %x : tensor<40x64xi32> -> tensor<40x64xi64>
  %6 = tx.argsort %v dim = 1 : tensor<40x64xi64>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<40x64xi32>, tensor<40x64xi64>, tensor<40x64xf32>, tensor<40x64xi64>, tensor<40x64xi64>, tensor<40x64xi64>, tensor<40x64xi64>
}

func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>) {
  %0 = tx.sort %x dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.argsort %x dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %2 = tx.argsort %x dim = 0 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0, %1, %2 : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>
}
