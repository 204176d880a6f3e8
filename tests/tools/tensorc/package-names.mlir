// A package can hold any names. What prints them shows them, what would take them for an
// output's or an argument's refuses them.
//
// RUN: %tensorc compile %s -o %t.tcpkg
// RUN: %python %S/Inputs/rename_in_package.py %t.tcpkg %t.same.tcpkg name_of_y name_of_y && cmp %t.tcpkg %t.same.tcpkg
// RUN: %python %S/Inputs/rename_in_package.py %t.tcpkg %t.out.tcpkg name_of_y '\xff\x1b[31m\n_y'
// RUN: %tensorc explain %t.out.tcpkg --memory | FileCheck %s
// RUN: %tensorc explain %t.out.tcpkg --json | %python -c "import json, sys; print(json.load(sys.stdin)['entries'])" | FileCheck %s --check-prefix=JSON
// RUN: %exits 1 %tensorc run %t.out.tcpkg --random-inputs --output-dir=%t.dir 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: %exits 1 %tensorc bench %t.out.tcpkg 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: not ls %t.dir
// CHECK: entry        main(name_of_x: f32[n]) -> (\ff\1b[31m\0a_y: f32[n])
// JSON: (\\ff\\1b[31m\\0a_y: f32[n])
// TAKEN: error: {{.*}}.out.tcpkg: an output's name '\ff\1b[31m\0a_y': the byte 0xff is not UTF-8

// A kernel's.
// RUN: %python %S/Inputs/rename_in_package.py %t.tcpkg %t.kernel.tcpkg exp '\xffx\x1b'
// RUN: %tensorc explain %t.kernel.tcpkg | FileCheck %s --check-prefix=KERNEL
// KERNEL: \ffx\1b

// A name that would end the text which stands for the signature.
// RUN: %python %S/Inputs/rename_in_package.py %t.tcpkg %t.in.tcpkg name_of_x 'x"}) { re'
// RUN: %tensorc run %t.in.tcpkg --random-inputs | FileCheck %s --check-prefix=IN
// RUN: %exits 1 %tensorc run %t.in.tcpkg 2>&1 | FileCheck %s --check-prefix=MISSING
// IN: name_of_y: f32[5]
// MISSING: no input for argument x"}) { re
// RUN: %python %S/Inputs/rename_in_package.py %t.tcpkg %t.in.tcpkg name_of_x '\x1b[31m_in_'
// RUN: %exits 1 %tensorc run %t.in.tcpkg --random-inputs 2>&1 | FileCheck %s --check-prefix=ESC
// ESC: in.tcpkg:{{.*}} error: an argument's name '\1b[31m_in_': the control character 0x1b

func.func @main(%x: tensor<?xf32, #tx.dims<[n]>> {tx.name = "name_of_x"}) -> (tensor<?xf32, #tx.dims<[n]>> {tx.name = "name_of_y"}) {
  %0 = tx.exp %x : tensor<?xf32, #tx.dims<[n]>>
  return %0 : tensor<?xf32, #tx.dims<[n]>>
}
