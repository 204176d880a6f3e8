// Names are UTF-8 without control characters, not empty, and no two outputs or inputs share
// one; what does not hold this is refused on import, by every command and device.
//
// RUN: split-file --leading-lines %s %t
// RUN: %exits 1 %tensorc run %t/utf8.mlir --random-inputs --device=reference 2>&1 | FileCheck %s --check-prefix=UTF8
// RUN: %exits 1 %tensorc explain %t/utf8.mlir --json 2>&1 | FileCheck %s --check-prefix=UTF8
// RUN: %exits 1 %tensorc compile %t/utf8.mlir -o %t/out.tcpkg 2>&1 | FileCheck %s --check-prefix=UTF8
// RUN: %exits 1 %tensorc explain %t/function.mlir --json 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: %exits 1 %tensorc run %t/nul.mlir --random-inputs --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=NUL
// RUN: %exits 1 %tensorc run %t/twice.mlir --random-inputs --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %exits 1 %tensorc run %t/default.mlir --random-inputs --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: %exits 1 %tensorc run %t/inputs.mlir --random-inputs 2>&1 | FileCheck %s --check-prefix=INPUTS
// RUN: %exits 1 %tensorc run %t/empty.mlir --random-inputs --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not ls %t/out %t/out.tcpkg

// A terminal does not see what it would obey, in names that are not the program's either.
// RUN: printf '\033[31m\377.mlir' | xargs -0 %exits 1 %tensorc run 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: printf -- '--entry=\033[31m' | xargs -0 %exits 1 %tensorc run %t/paths.mlir 2>&1 | FileCheck %s --check-prefix=ENTRY
// PATH: tensorc: error: \1b[31m\ff.mlir: No such file or directory
// ENTRY: paths.mlir: has no function '\1b[31m'; there are: main

// Editors put a mark before a text, which no program begins with.
// RUN: printf '\357\273\277' > %t/mark.mlir
// RUN: cat %t/paths.mlir >> %t/mark.mlir
// RUN: %exits 1 %tensorc run %t/mark.mlir 2>&1 | FileCheck %s --check-prefix=MARK
// MARK: mark.mlir:1:1: error: begins with a byte order mark (U+FEFF): save the file as UTF-8 without one

// Names that a file's name cannot be have files of their own within the folder.
// RUN: %tensorc run %t/paths.mlir --random-inputs --output-dir=%t/paths
// RUN: ls -A %t/paths | sort | FileCheck %s --check-prefix=PATHS
// RUN: ls %t | FileCheck %s --check-prefix=OUTSIDE
// PATHS:      {{^}}%2fetc%2fx.npy
// PATHS-NEXT: {{^}}..%2f..%2fup.npy
// PATHS-NEXT: {{^}}...npy
// PATHS-NEXT: {{^}}a%252fb.npy
// PATHS-NEXT: {{^}}a%2fb.npy
// PATHS-NEXT: {{^}}a_b.npy
// OUTSIDE-NOT: up
// RUN: %python -c "print('func.func @main(%%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32> {tx.name = \"' + 'l' * 300 + '\"}) { return %%x, %%x : tensor<2xf32>, tensor<2xf32> }')" > %t/long.mlir
// RUN: %exits 1 %tensorc run %t/long.mlir --random-inputs --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: --output-dir: the name 'lll{{l*}}' is too long for a file's
// RUN: not ls %t/out
// RUN: %python -c "print('func.func @main(%%x: tensor<2xf32>) -> (tensor<2xf32> {tx.name = \"' + 'l' * 251 + '\"}) { return %%x : tensor<2xf32> }')" > %t/long.mlir
// RUN: %tensorc run %t/long.mlir --random-inputs --output-dir=%t/long

//--- utf8.mlir
// UTF8: utf8.mlir:[[#@LINE+1]]:1: error: an argument's name '\ffx': the byte 0xff is not UTF-8; a name is UTF-8 without control characters
func.func @main(%x: tensor<4xf32> {tx.name = "\FFx"}) -> (tensor<4xf32> {tx.name = "y"}) {
  return %x : tensor<4xf32>
}

//--- function.mlir
// FUNCTION: function.mlir:[[#@LINE+1]]:1: error: func.func's name '\ffmain': the byte 0xff is not UTF-8
func.func @"\FFmain"(%x: tensor<?xf32, #tx.dims<[n]>>) -> tensor<?xf32, #tx.dims<[n]>> {
  return %x : tensor<?xf32, #tx.dims<[n]>>
}

//--- nul.mlir
// NUL: nul.mlir:[[#@LINE+1]]:1: error: a result's name 'a\00b': the control character 0x00
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32> {tx.name = "a\00b"}) {
  return %x : tensor<2xf32>
}

//--- twice.mlir
// TWICE: twice.mlir:[[#@LINE+1]]:1: error: a result is called 'y', and so is another
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32> {tx.name = "y"}, tensor<2xf32> {tx.name = "y"}) {
  %0 = tx.neg %x : tensor<2xf32>
  return %x, %0 : tensor<2xf32>, tensor<2xf32>
}

//--- default.mlir
// DEFAULT: default.mlir:[[#@LINE+1]]:1: error: a result is called 'out1', and so is another
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32> {tx.name = "out1"}, tensor<2xf32>) {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}

//--- inputs.mlir
// INPUTS: inputs.mlir:[[#@LINE+1]]:1: error: an argument is called 'x', and so is another
func.func @main(%x: tensor<2xf32> {tx.name = "x"}, %y: tensor<2xf32> {tx.name = "x"}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

//--- empty.mlir
// EMPTY: empty.mlir:[[#@LINE+1]]:1: error: a result's name is empty
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32> {tx.name = ""}) {
  return %x : tensor<2xf32>
}

//--- paths.mlir
func.func @main(%x: tensor<2xf32>)
    -> (tensor<2xf32> {tx.name = "a/b"}, tensor<2xf32> {tx.name = "a_b"}, tensor<2xf32> {tx.name = "a%2fb"},
        tensor<2xf32> {tx.name = "../../up"}, tensor<2xf32> {tx.name = "/etc/x"}, tensor<2xf32> {tx.name = ".."}) {
  return %x, %x, %x, %x, %x, %x : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
