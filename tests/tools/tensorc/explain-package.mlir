// What a package holds: entries, constants, and each section's kernels and memory.
//
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 -o %t.dir/y.tcpkg
// RUN: %tensorc explain %t.dir/y.tcpkg | FileCheck %s
// RUN: %tensorc explain %t.dir/y.tcpkg --json | FileCheck %s --check-prefix=JSON
// RUN: %tensorc bench %t.dir/y.tcpkg --device=null --shape=x:8,16 --iterations=2 | FileCheck %s --check-prefix=BENCH

// CHECK:      package      {{[0-9]+}} bytes
// CHECK-NEXT: compiler     tensorc {{[0-9.]+}}
// CHECK-NEXT: ir hash      {{[0-9a-f]+$}}
// CHECK-NEXT: entry        main(x: f32[n, 16]) -> (y: f32[n, 8])
// CHECK-NEXT: constants    1, 512 bytes, as they were written
// CHECK:      section      cpu:x86-64-v3
// CHECK-NEXT:   image      {{[0-9]+}} bytes
// CHECK-NEXT:   kernel     {{.*}}dot_general{{.*}} arguments, {{[1-9][0-9]+}} bytes of code
// CHECK:        program    main: {{[0-9]+}} instructions, {{[1-9]}} launches
// CHECK:          allocates  n * 32 bytes
// JSON:       "constant_bytes": 512
// JSON:       "code_bytes": {{[1-9]}}
// BENCH:      iterations 2

// A constant that was altered is found, a file that is cut is refused.
// RUN: %python -c "import sys; b = bytearray(open(sys.argv[1], 'rb').read()); i = b.rfind(b'\x00\x00\x80\x3f' * 2 + b'\x00\x00\x00\x40'); b[i] ^= 1; open(sys.argv[2], 'wb').write(b)" %t.dir/y.tcpkg %t.dir/altered.tcpkg
// RUN: %exits 1 %tensorc explain %t.dir/altered.tcpkg 2>&1 | FileCheck %s --check-prefix=ALTERED
// ALTERED: constant 0 does not have its hash
// RUN: head -c 5000 %t.dir/y.tcpkg > %t.dir/cut.tcpkg
// RUN: %exits 1 %tensorc run %t.dir/cut.tcpkg 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: package: truncated or altered: it has 5000 bytes

func.func @main(%x: tensor<?x16xf32, #tx.dims<[n, 16]>> {tx.name = "x"})
    -> (tensor<?x8xf32, #tx.dims<[n, 8]>> {tx.name = "y"}) {
  %w = tx.constant dense<"0x000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F0000803F000000400000803F"> : tensor<16x8xf32>
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1] x [0]
       : (tensor<?x16xf32, #tx.dims<[n, 16]>>, tensor<16x8xf32>) -> tensor<?x8xf32, #tx.dims<[n, 8]>>
  return %0 : tensor<?x8xf32, #tx.dims<[n, 8]>>
}
