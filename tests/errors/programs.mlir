// Programs that are refused: status 1, one located message, no output file.
//
// RUN: split-file --leading-lines %s %t
// RUN: rm -f %t.out

// RUN: %exits 1 %tensorc compile %t/syntax.mlir -o %t.tcpkg 2>&1 | FileCheck %s --check-prefix=SYNTAX
// RUN: %exits 1 %tensorc compile %t/number.mlir -o %t.tcpkg 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: %exits 1 %tensorc compile %t/unknown.mlir -o %t.tcpkg 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %exits 1 %tensorc compile %t/outside.mlir -o %t.tcpkg 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: %exits 1 %tensorc compile %t/type.mlir -o %t.tcpkg 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: %exits 1 %tensorc run %t/empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %exits 1 %tensorc run %t/several.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: %exits 1 %tensorc run %t/several.mlir --entry=h 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: %exits 1 %tensorc run %t/unbound.mlir --random-inputs --device=reference 2>&1 | FileCheck %s --check-prefix=UNBOUND
// RUN: %exits 1 %tensorc run %t/negative.mlir --random-inputs --shape=x:3 --device=reference 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: %exits 1 %tensorc run %t/memory.mlir --device=reference 2>&1 | FileCheck %s --check-prefix=MEMORY
// RUN: %exits 1 %tensorc run %t/bounds.mlir --random-inputs --shape=x:12 --device=reference 2>&1 | FileCheck %s --check-prefix=FORBIDDEN
// RUN: %npy %t/12.npy f32 '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]'
// RUN: %npy %t/72.npy f32 '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]'
// RUN: %exits 1 %tensorc run %t/bounds.mlir --input=%t/12.npy --device=reference 2>&1 | FileCheck %s --check-prefix=MULTIPLE
// RUN: %exits 1 %tensorc run %t/bounds.mlir --input=%t/72.npy --device=reference 2>&1 | FileCheck %s --check-prefix=MAXIMUM
// RUN: %exits 1 %tensorc run %t/other.mlir --device=reference 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %exits 1 %tensorc run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 1 %tensorc run %t/none.onnx 2>&1 | FileCheck %s --check-prefix=ONNX
// RUN: %exits 1 %tensorc compile %t/several.mlir --entry=f --shape=q:3 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: %exits 1 %tensorc compile %t/several.mlir --entry=f --shape=arg0:3 -o %t.tcpkg 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not ls %t.out

// NONE: tensorc: error: {{.*}}none.mlir: No such file or directory
// ONNX: tensorc: error: {{.*}}none.onnx: No such file or directory

//--- number.mlir
// A parser that made room for them all would have no memory left.
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // %x#2147483647 is nothing to it here.
  // NUMBER: number.mlir:[[#@LINE+1]]:12: error: no operation has a result number 2147483647
  return %x#2147483647 : tensor<2xf32>
}

//--- outside.mlir
// Simplifying it would not end.
// OUTSIDE: outside.mlir:[[#@LINE+1]]:6: error: 'tx.neg' op must be in a function
%y = tx.neg %y : tensor<4xf32>

//--- syntax.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // SYNTAX: syntax.mlir:[[#@LINE+1]]:17: error: expected
  %0 = tx.add %x  %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- unknown.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // UNKNOWN: unknown.mlir:[[#@LINE+1]]:8: error: {{.*}}tx.ad
  %0 = tx.ad %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- type.mlir
func.func @main(%x: tensor<4xi1>) -> tensor<4xi1> {
  // TYPE: type.mlir:[[#@LINE+1]]:8: error: 'tx.add' op operand #0 must be {{.*}}, but got 'tensor<4xi1>'
  %0 = tx.add %x, %x : tensor<4xi1>
  return %0 : tensor<4xi1>
}

//--- empty.mlir
// EMPTY: tensorc: error: {{.*}}empty.mlir: contains no func.func to run

//--- several.mlir
// SEVERAL: several.mlir: has several functions and none is called main; choose one by --entry=NAME: f, g
// ENTRY: several.mlir: has no function 'h'; there are: f, g
// ARGUMENT: several.mlir:[[#@LINE+2]]:1: error: {{.*}}has no argument q for --shape
// SIZE: several.mlir:[[#@LINE+1]]:14: error: --shape of arg0 does not fit its type 'tensor<4xf32>': a dimension is 4, not 3
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

//--- unbound.mlir
func.func @main() -> tensor<?xi32, #tx.dims<[n]>> {
  // UNBOUND: unbound.mlir:[[#@LINE+1]]:8: error: no argument gives dimension n a size
  %0 = tx.iota dim = 0 : tensor<?xi32, #tx.dims<[n]>>
  return %0 : tensor<?xi32, #tx.dims<[n]>>
}

//--- negative.mlir
func.func @main(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}) -> tensor<?xf32, #tx.dims<[n - 5]>> {
  // NEGATIVE: negative.mlir:[[#@LINE+1]]:8: error: the size n - 5 is negative: -2
  %0 = tx.iota dim = 0 : tensor<?xf32, #tx.dims<[n - 5]>>
  return %0 : tensor<?xf32, #tx.dims<[n - 5]>>
}

//--- memory.mlir
func.func @main() -> tensor<4611686018427387904x4xi32> {
  // MEMORY: memory.mlir:[[#@LINE+1]]:8: error: not enough memory for i32[4611686018427387904,4]
  %0 = tx.iota dim = 0 : tensor<4611686018427387904x4xi32>
  return %0 : tensor<4611686018427387904x4xi32>
}

//--- bounds.mlir
// FORBIDDEN: bounds.mlir:[[#@LINE+3]]:1: error: --shape makes n 12, which its tx.symbols do not allow
// MULTIPLE: bounds.mlir:[[#@LINE+2]]:1: error: dimension n is 12 (dimension 0 of x), not a multiple of 8
// MAXIMUM: bounds.mlir:[[#@LINE+1]]:1: error: dimension n is 72 (dimension 0 of x), more than its maximum of 64
func.func @main(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "x"}) -> tensor<?xf32, #tx.dims<[n]>>
    attributes {tx.symbols = [#tx.symbol<"n", min = 8, max = 64, divisor = 8>]} {
  return %x : tensor<?xf32, #tx.dims<[n]>>
}

//--- other.mlir
func.func @main() -> tensor<2xf32> {
  // OTHER: other.mlir:[[#@LINE+1]]:8: error: the interpreter runs tx ops only, not arith.constant
  %0 = arith.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
