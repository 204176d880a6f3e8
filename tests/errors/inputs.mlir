// Inputs that are missing or do not fit: status 1 and one message.
//
// RUN: %npy %t.x.npy f32 '[[1, 2, 3], [4, 5, 6]]'
// RUN: %npy %t.y.npy f32 '[1, 2]'
// RUN: %npy %t.long.npy f32 '[1, 2, 3]'
// RUN: %npy %t.ints.npy i32 '[1, 2]'
// RUN: rm -rf %t.dir

// RUN: %exits 0 %tensorc run %s --device=reference --input=%t.x.npy --input=%t.y.npy
// RUN: %exits 1 %tensorc run %s --input=%t.none.npy --output-dir=%t.dir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: tensorc: error: {{.*}}none.npy: No such file or directory

// RUN: %exits 1 %tensorc run %s --input=%t.x.npy --output-dir=%t.dir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: inputs.mlir:[[#@LINE+33]]:17: error: no input for argument y: give --input=y=FILE.npy or --random-inputs

// RUN: %exits 1 %tensorc run %s --input=z=%t.x.npy 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: tensorc: error: --input: the program has no argument 'z'

// RUN: %exits 1 %tensorc run %s --input=x=%t.x.npy --input=x=%t.x.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: tensorc: error: argument 'x' is given twice

// RUN: %exits 1 %tensorc run %s --input=%t.x.npy --input=%t.y.npy --input=%t.y.npy 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: y.npy: the program takes 2 inputs only

// RUN: %exits 1 %tensorc run %s --input=%t.x.npy --input=%t.ints.npy 2>&1 | FileCheck %s --check-prefix=DTYPE
// DTYPE: inputs.mlir:[[#@LINE+21]]:17: error: argument y is i32[2], not f32[n]

// RUN: %exits 1 %tensorc run %s --input=%t.y.npy --input=%t.y.npy 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: inputs.mlir:[[#@LINE+17]]:17: error: argument x is f32[2], not f32[n,3]

// RUN: %exits 1 %tensorc run %s --input=%t.x.npy --input=%t.long.npy 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: inputs.mlir:[[#@LINE+15]]:17: error: dimension n is 2 (dimension 0 of x) and 3 (dimension 0 of y)

// RUN: %npy %t.wide.npy f32 '[[1, 2, 3, 4]]'
// RUN: %exits 1 %tensorc run %s --input=%t.wide.npy --random-inputs 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: error: dimension 1 of x is 4, not 3: given f32[1,4] for f32[n,3]

// RUN: %exits 1 %tensorc run %s --random-inputs --shape=x:3 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: --shape of x does not fit its type {{.*}}: ranks differ

// RUN: %exits 2 %tensorc run %s --random-inputs=abc 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: tensorc: error: --random-inputs: 'abc' is not a seed

// RUN: not ls %t.dir

func.func @main(%x: tensor<?x3xf32, #tx.dims<[n, 3]>> {tx.name = "x"},
                %y: tensor<?xf32, #tx.dims<[n]>> {tx.name = "y"})
    -> tensor<?xf32, #tx.dims<[n]>> {
  %0 = tx.sum %x dims = [1] : tensor<?x3xf32, #tx.dims<[n, 3]>> -> tensor<?xf32, #tx.dims<[n]>>
  %1 = tx.add %0, %y : tensor<?xf32, #tx.dims<[n]>>
  return %1 : tensor<?xf32, #tx.dims<[n]>>
}
