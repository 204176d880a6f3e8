// --shape is of every function that is compiled and has the argument.
//
// RUN: %tensorc compile %s --shape=x:5,64 --stop-after=import | FileCheck %s
// CHECK: func.func @main(%{{.*}}: tensor<5x64xf32>
// CHECK: func.func @second(%{{.*}}: tensor<5x64xf32> {{.*}}: tensor<?xf32, #tx.dims<[m]>>
// RUN: %tensorc compile %s --shape=y:7 --stop-after=import | FileCheck %s --check-prefix=LATER
// LATER: func.func @main(%{{.*}}: tensor<?x64xf32
// LATER: func.func @second({{.*}}: tensor<7xf32>
// RUN: %tensorc compile %s --entry=second --shape=x:5,64 --stop-after=import | FileCheck %s --check-prefix=ONE
// ONE-NOT: @main
// ONE: func.func @second(%{{.*}}: tensor<5x64xf32>

// RUN: %exits 1 %tensorc compile %s --shape=z:5 --stop-after=import 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: %exits 1 %tensorc compile %s --entry=main --shape=y:5 --stop-after=import 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %exits 1 %tensorc compile %s --entry=bogus --stop-after=import 2>&1 | FileCheck %s --check-prefix=ENTRY
// NOBODY: tensorc: error: --shape: no function has an argument 'z'
// OTHER: has no argument y for --shape
// ENTRY: tensorc: error: {{.*}}shape-entries.mlir: has no function 'bogus'; there are: main, second

// A dimension is a size or a name, nothing else.
// RUN: %exits 2 %tensorc compile %s --shape='x:a b,64' --stop-after=import 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: %exits 2 %tensorc compile %s --shape='x:n*2,64' --stop-after=import 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: %exits 2 %tensorc compile %s --shape='x:n,' --stop-after=import 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: %exits 2 %tensorc compile %s --shape='x:-1,64' --stop-after=import 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: %exits 2 %tensorc compile %s --shape='x:99999999999999999999,64' --stop-after=import 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: %exits 2 %tensorc compile %s --shape=':5,64' --stop-after=import 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: is not of the form --shape=x:1,3,n,n
// RUN: %tensorc compile %s --entry=main --shape='x:_a.b$0,064' --stop-after=import -o %t.again.mlir
// RUN: %tensorc compile %t.again.mlir --stop-after=import | FileCheck %s --check-prefix=WORD
// WORD: #tx.dims<[_a.b$0, 64]>

// RUN: %tensorc compile --help | FileCheck %s --check-prefix=HELP
// HELP: --entry=NAME{{ .*}}default: all of them

func.func @main(%x: tensor<?x64xf32, #tx.dims<[n, 64]>> {tx.name = "x"})
    -> tensor<?x64xf32, #tx.dims<[n, 64]>> {
  return %x : tensor<?x64xf32, #tx.dims<[n, 64]>>
}
func.func @second(%x: tensor<?x64xf32, #tx.dims<[k, 64]>> {tx.name = "x"},
                  %y: tensor<?xf32, #tx.dims<[m]>> {tx.name = "y"})
    -> tensor<?x64xf32, #tx.dims<[k, 64]>> {
  return %x : tensor<?x64xf32, #tx.dims<[k, 64]>>
}
