// Rows of few ascending runs, which are merged: with equal elements in two runs, zeros of both signs among them, and with NaN; and rows whose runs change places too often.
//
// RUN: %run_op --compare=reference
// RUN: %run_op --entry=floats --compare=reference
// RUN: %run_op --entry=often --compare=reference
// RUN: %run_op --entry=apart --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:3,700 --compare=reference
// RUN: %run_op --entry=named --random-inputs --shape=x:4,90 --compare=reference

// The first 100 r elements of row r are 500 larger.
func.func @main() -> (tensor<13x1200xi32>, tensor<13x1200xi64>, tensor<13x1200xi32>, tensor<13x1200xi64>, tensor<13x1200xi16>, tensor<13x1200xi64>) {
  %r = tx.iota dim = 0 : tensor<13x1200xi32>
  %i = tx.iota dim = 1 : tensor<13x1200xi32>
  %c100 = tx.constant dense<100> : tensor<13x1200xi32>
  %c2 = tx.constant dense<2> : tensor<13x1200xi32>
  %c500 = tx.constant dense<500> : tensor<13x1200xi32>
  %end = tx.mul %r, %c100 : tensor<13x1200xi32>
  %first = tx.lt %i, %end : tensor<13x1200xi32>
  %h = tx.div %i, %c2 : tensor<13x1200xi32>
  %more = tx.add %h, %c500 : tensor<13x1200xi32>
  %x = tx.select %first, %more, %h : tensor<13x1200xi1>, tensor<13x1200xi32>
  %0 = tx.sort %x dim = 1 : tensor<13x1200xi32>
  %1 = tx.argsort %x dim = 1 : tensor<13x1200xi32>
  %n = tx.neg %x : tensor<13x1200xi32>
  %2 = tx.sort %n dim = 1 descending : tensor<13x1200xi32>
  %3 = tx.argsort %n dim = 1 descending : tensor<13x1200xi32>
  %s = tx.convert %x : tensor<13x1200xi32> -> tensor<13x1200xi16>
  %4 = tx.sort %s dim = 1 : tensor<13x1200xi16>
  %5 = tx.argsort %x dim = 1 descending : tensor<13x1200xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<13x1200xi32>, tensor<13x1200xi64>, tensor<13x1200xi32>, tensor<13x1200xi64>, tensor<13x1200xi16>, tensor<13x1200xi64>
}

func.func @floats() -> (tensor<13x1200xf32>, tensor<13x1200xi64>, tensor<13x1200xf64>, tensor<13x1200xi64>, tensor<13x1200xf16>) {
  %r = tx.iota dim = 0 : tensor<13x1200xf32>
  %i = tx.iota dim = 1 : tensor<13x1200xf32>
  %c100 = tx.constant dense<100.0> : tensor<13x1200xf32>
  %c600 = tx.constant dense<600.0> : tensor<13x1200xf32>
  %c900 = tx.constant dense<900.0> : tensor<13x1200xf32>
  %zero = tx.constant dense<0.0> : tensor<13x1200xf32>
  %minus = tx.constant dense<-0.0> : tensor<13x1200xf32>
  %nan = tx.constant dense<0x7FC00000> : tensor<13x1200xf32>
  %end = tx.mul %r, %c100 : tensor<13x1200xf32>
  %first = tx.lt %i, %end : tensor<13x1200xf32>
  %low = tx.sub %i, %c600 : tensor<13x1200xf32>
  %less = tx.lt %low, %zero : tensor<13x1200xf32>
  %sign = tx.select %first, %zero, %minus : tensor<13x1200xi1>, tensor<13x1200xf32>
  %a = tx.select %less, %sign, %low : tensor<13x1200xi1>, tensor<13x1200xf32>
  %late = tx.gt %i, %c900 : tensor<13x1200xf32>
  %b = tx.select %late, %nan, %a : tensor<13x1200xi1>, tensor<13x1200xf32>
  %x = tx.select %first, %a, %b : tensor<13x1200xi1>, tensor<13x1200xf32>
  %0 = tx.sort %x dim = 1 : tensor<13x1200xf32>
  %1 = tx.argsort %x dim = 1 : tensor<13x1200xf32>
  %d = tx.convert %x : tensor<13x1200xf32> -> tensor<13x1200xf64>
  %2 = tx.sort %d dim = 1 : tensor<13x1200xf64>
  %3 = tx.argsort %d dim = 1 descending : tensor<13x1200xf64>
  %h = tx.convert %x : tensor<13x1200xf32> -> tensor<13x1200xf16>
  %4 = tx.sort %h dim = 1 : tensor<13x1200xf16>
  return %0, %1, %2, %3, %4 : tensor<13x1200xf32>, tensor<13x1200xi64>, tensor<13x1200xf64>, tensor<13x1200xi64>, tensor<13x1200xf16>
}

// 30 runs of the same 40 elements; and two runs, each of which has every other element.
func.func @often() -> (tensor<1200xi32>, tensor<1200xi64>, tensor<1200xi32>, tensor<1200xi64>) {
  %i = tx.iota dim = 0 : tensor<1200xi32>
  %c40 = tx.constant dense<40> : tensor<1200xi32>
  %c2 = tx.constant dense<2> : tensor<1200xi32>
  %c600 = tx.constant dense<600> : tensor<1200xi32>
  %c1199 = tx.constant dense<1199> : tensor<1200xi32>
  %q = tx.div %i, %c40 : tensor<1200xi32>
  %m = tx.mul %q, %c40 : tensor<1200xi32>
  %x = tx.sub %i, %m : tensor<1200xi32>
  %0 = tx.sort %x dim = 0 : tensor<1200xi32>
  %1 = tx.argsort %x dim = 0 : tensor<1200xi32>
  %twice = tx.mul %i, %c2 : tensor<1200xi32>
  %left = tx.lt %i, %c600 : tensor<1200xi32>
  %other = tx.sub %twice, %c1199 : tensor<1200xi32>
  %y = tx.select %left, %twice, %other : tensor<1200xi1>, tensor<1200xi32>
  %2 = tx.sort %y dim = 0 : tensor<1200xi32>
  %3 = tx.argsort %y dim = 0 : tensor<1200xi32>
  return %0, %1, %2, %3 : tensor<1200xi32>, tensor<1200xi64>, tensor<1200xi32>, tensor<1200xi64>
}

// Along the first dim.
func.func @apart() -> (tensor<1100x2xf32>, tensor<1100x2xi64>) {
  %i = tx.iota dim = 0 : tensor<1100x2xf32>
  %c300 = tx.constant dense<300.0> : tensor<1100x2xf32>
  %d = tx.sub %i, %c300 : tensor<1100x2xf32>
  %low = tx.lt %i, %c300 : tensor<1100x2xf32>
  %x = tx.select %low, %i, %d : tensor<1100x2xi1>, tensor<1100x2xf32>
  %0 = tx.sort %x dim = 0 : tensor<1100x2xf32>
  %1 = tx.argsort %x dim = 0 : tensor<1100x2xf32>
  return %0, %1 : tensor<1100x2xf32>, tensor<1100x2xi64>
}

// They count down, with equal elements.
func.func @named(%x: tensor<?x?xf32, #tx.dims<[n, m]>> {tx.name = "x"})
    -> (tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>) {
  %e = tx.eq %x, %x : tensor<?x?xf32, #tx.dims<[n, m]>>
  %o = tx.convert %e : tensor<?x?xi1, #tx.dims<[n, m]>> -> tensor<?x?xf32, #tx.dims<[n, m]>>
  %c = tx.cumsum %o dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %q = tx.sin %c : tensor<?x?xf32, #tx.dims<[n, m]>>
  %f = tx.floor %q : tensor<?x?xf32, #tx.dims<[n, m]>>
  %y = tx.cumsum %f dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  %0 = tx.sort %y dim = 1 descending : tensor<?x?xf32, #tx.dims<[n, m]>>
  %1 = tx.argsort %y dim = 1 : tensor<?x?xf32, #tx.dims<[n, m]>>
  return %0, %1 : tensor<?x?xf32, #tx.dims<[n, m]>>, tensor<?x?xi64, #tx.dims<[n, m]>>
}
