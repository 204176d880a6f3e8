// Every op of a host program runs as C: arithmetic, memory, loops that carry
// buffers, calls, custom calls, reads, and sizes that only the run knows.
//
// RUN: mkdir -p %t
// RUN: %tensorc compile %s --start-from=lower --emit=header -o %t/program-ops.h
// RUN: %tensorc compile %s --start-from=lower --emit=object -o %t/program-ops.o
// RUN: gcc -std=c99 -Wall -Wextra -pedantic -Werror -I%t %S/Inputs/program-ops.c %t/program-ops.o -o %t/program-ops
// RUN: %t/program-ops | FileCheck %s
// RUN: %tensorc compile %s --start-from=lower --emit=shared -O0 -o %t/program-ops.so
// RUN: gcc -std=c99 -I%t %S/Inputs/program-ops.c %t/program-ops.so -Wl,-rpath,%t -o %t/program-ops-shared
// RUN: %t/program-ops-shared | FileCheck %s

// CHECK: loop 7: 107 108 109 110
// CHECK: loop 0: 100 101 102 103
// CHECK: swap 3: 20 10
// CHECK: swap 4: 10 20
// CHECK: branch 1: 5 5 5, branch 0: 1 2 3
// CHECK: called: 3 4 5
// CHECK: custom: 2 4 6, config forward, scalar 9
// CHECK: custom call 'double' failed
// CHECK: custom call 'double' is a null pointer
// CHECK: positive: 3 of 5: 1 3 5
// CHECK: positive needs more bytes than its capacity
// CHECK: arithmetic: ok
// CHECK: division by zero
// CHECK: size arithmetic overflows
// CHECK: a shift by more than 63 bits
// CHECK: constants: 1 2 3, 0
// CHECK: filled: 7 7 7 7 7

module attributes {tx.target = "cpu:x86-64-v2"} {
  module @kernels {
    // args: in, out, scalar. out[i] = in[i] + scalar, i32
    llvm.func @add(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) attributes {txk.kernel} {
      %c1 = llvm.mlir.constant(1 : i64) : i64
      %x = llvm.load %args : !llvm.ptr -> !llvm.ptr
      %py = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %y = llvm.load %py : !llvm.ptr -> !llvm.ptr
      %ps = llvm.getelementptr %args[2] : (!llvm.ptr) -> !llvm.ptr, i64
      %s = llvm.load %ps : !llvm.ptr -> i32
      llvm.br ^head(%begin : i64)
    ^head(%i: i64):
      %more = llvm.icmp "slt" %i, %end : i64
      llvm.cond_br %more, ^body, ^done
    ^body:
      %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %v = llvm.load %p : !llvm.ptr -> i32
      %w = llvm.add %v, %s : i32
      %q = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %w, %q : i32, !llvm.ptr
      %n = llvm.add %i, %c1 : i64
      llvm.br ^head(%n : i64)
    ^done:
      llvm.return
    }
    // args: in, count, out, n. count[0] = elements above 0, which go to out.
    llvm.func @positive(%args: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) attributes {txk.kernel} {
      %c0 = llvm.mlir.constant(0 : i64) : i64
      %c1 = llvm.mlir.constant(1 : i64) : i64
      %z = llvm.mlir.constant(0 : i32) : i32
      %x = llvm.load %args : !llvm.ptr -> !llvm.ptr
      %pc = llvm.getelementptr %args[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %count = llvm.load %pc : !llvm.ptr -> !llvm.ptr
      %py = llvm.getelementptr %args[2] : (!llvm.ptr) -> !llvm.ptr, i64
      %y = llvm.load %py : !llvm.ptr -> !llvm.ptr
      %pn = llvm.getelementptr %args[3] : (!llvm.ptr) -> !llvm.ptr, i64
      %n = llvm.load %pn : !llvm.ptr -> i64
      llvm.br ^head(%c0, %c0 : i64, i64)
    ^head(%i: i64, %k: i64):
      %more = llvm.icmp "slt" %i, %n : i64
      llvm.cond_br %more, ^body, ^done
    ^body:
      %p = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %v = llvm.load %p : !llvm.ptr -> i32
      %next = llvm.add %i, %c1 : i64
      %is = llvm.icmp "sgt" %v, %z : i32
      llvm.cond_br %is, ^keep, ^head(%next, %k : i64, i64)
    ^keep:
      %q = llvm.getelementptr %y[%k] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %v, %q : i32, !llvm.ptr
      %k1 = llvm.add %k, %c1 : i64
      llvm.br ^head(%next, %k1 : i64, i64)
    ^done:
      llvm.store %k, %count : i64, !llvm.ptr
      llvm.return
    }
  }

  // Adds 1 to x, k times: each iteration makes a buffer that the next one reads.
  txp.func @loop(%x: !txp.buffer, %k: i64) -> !txp.buffer
      attributes {inputs = [tensor<?xi32, #tx.dims<[n]>>, index], input_names = ["x", "k"],
                  outputs = [tensor<?xi32, #tx.dims<[n]>>], output_names = ["y"]} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %n = txp.dim %x, 0
    %bytes = arith.muli %n, %c4 : i64
    %i, %y = scf.while (%i = %c0, %b = %x) : (i64, !txp.buffer) -> (i64, !txp.buffer) {
      %go = arith.cmpi slt, %i, %k : i64
      scf.condition(%go) %i, %b : i64, !txp.buffer
    } do {
    ^bb0(%i: i64, %b: !txp.buffer):
      %next = txp.alloc %bytes
      txp.launch @kernels::@add extent(%n) grain(%c1) ins(%b) outs(%next) scalars(%c1 : i64)
      %j = arith.addi %i, %c1 : i64
      scf.yield %j, %next : i64, !txp.buffer
    }
    txp.return %y
  }

  // Two buffers change places k times.
  txp.func @swap(%k: i64) -> (!txp.buffer, !txp.buffer)
      attributes {inputs = [index], input_names = ["k"],
                  outputs = [tensor<i32>, tensor<i32>], output_names = ["a", "b"]} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %a = txp.alloc %c4
    %b = txp.alloc %c4
    %c10 = arith.constant 10 : i64
    %c20 = arith.constant 20 : i64
    txp.fill %a with %c10 width 4
    txp.fill %b with %c20 width 4
    %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%p = %a, %q = %b) -> (!txp.buffer, !txp.buffer) : i64 {
      scf.yield %q, %p : !txp.buffer, !txp.buffer
    }
    txp.return %r#0, %r#1
  }

  txp.func @branch(%x: !txp.buffer, %flag: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<3xi32>, tensor<i1>], input_names = ["x", "flag"],
                  outputs = [tensor<3xi32>], output_names = ["y"]} {
    %c0 = arith.constant 0 : i64
    %c12 = arith.constant 12 : i64
    %c5 = arith.constant 5 : i64
    %f = txp.read_scalar %flag[%c0] : i1
    %go = arith.trunci %f : i64 to i1
    %y = scf.if %go -> !txp.buffer {
      %t = txp.alloc %c12
      txp.fill %t with %c5 width 4
      scf.yield %t : !txp.buffer
    } else {
      scf.yield %x : !txp.buffer
    }
    %e = txp.record
    txp.wait %e
    txp.return %y
  }

  txp.func @twice(%x: !txp.buffer, %bytes: i64) -> (!txp.buffer, i64) {
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %n = arith.divsi %bytes, %c4 : i64
    %t = txp.alloc %bytes
    txp.launch @kernels::@add extent(%n) grain(%c1) ins(%x) outs(%t) scalars(%c1 : i64)
    txp.return %t, %n : !txp.buffer, i64
  }
  txp.func @called(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<3xi32>], input_names = ["x"],
                  outputs = [tensor<3xi32>], output_names = ["y"]} {
    %c12 = arith.constant 12 : i64
    %a, %n = txp.call @twice(%x, %c12) : (!txp.buffer, i64) -> (!txp.buffer, i64)
    %c4 = arith.constant 4 : i64
    %bytes = arith.muli %n, %c4 : i64
    %b, %m = txp.call @twice(%a, %bytes) : (!txp.buffer, i64) -> (!txp.buffer, i64)
    %y = txp.alloc %c12
    txp.copy %b to %y
    txp.return %y
  }

  txp.func @custom(%x: !txp.buffer, %s: i64) -> !txp.buffer
      attributes {inputs = [tensor<3xi32>, tensor<i16>], input_names = ["x", "s"],
                  outputs = [tensor<3xi32>], output_names = ["y"]} {
    %c12 = arith.constant 12 : i64
    %y = txp.alloc %c12
    txp.custom_call "double" ins(%x) outs(%y) scalars(%s : i64) config "forward"
    txp.return %y
  }

  txp.func @positive(%x: !txp.buffer) -> !txp.buffer
      attributes {inputs = [tensor<?xi32, #tx.dims<[n]>>], input_names = ["x"],
                  outputs = [tensor<?xi32>], output_names = ["positive"]} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c4 = arith.constant 4 : i64
    %c8 = arith.constant 8 : i64
    %n = txp.dim %x, 0
    %most = arith.muli %n, %c4 : i64
    %t = txp.alloc %most
    %count = txp.alloc %c8
    txp.launch @kernels::@positive extent(%c1) grain(%c1) ins(%x) outs(%count, %t) scalars(%n : i64)
    %k = txp.read_scalar %count[%c0] : i64
    %bytes = arith.muli %k, %c4 : i64
    %v = txp.view %t[%c0] bytes(%bytes)
    %y = txp.alloc %bytes
    txp.copy %v to %y
    txp.return %y dims(%k)
  }

  // Each result is 1 where an operation on a and b gives what C gives.
  txp.func @arithmetic(%a: i64, %b: i64, %flags: !txp.buffer) -> !txp.buffer
      attributes {inputs = [index, index, tensor<14xi64>], input_names = ["a", "b", "expected"],
                  outputs = [tensor<i64>], output_names = ["wrong"]} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %c3 = arith.constant 3 : i64
    %c8 = arith.constant 8 : i64
    %c16 = arith.constant 16 : i64
    %c24 = arith.constant 24 : i64
    %c32 = arith.constant 32 : i64
    %c40 = arith.constant 40 : i64
    %c48 = arith.constant 48 : i64
    %c56 = arith.constant 56 : i64
    %c64 = arith.constant 64 : i64
    %c72 = arith.constant 72 : i64
    %x = arith.subi %c0, %a : i64
    %r0 = arith.divsi %x, %b : i64
    %e0 = txp.read_scalar %flags[%c0] : i64
    %w0 = arith.cmpi ne, %r0, %e0 : i64
    %r1 = arith.floordivsi %x, %b : i64
    %e1 = txp.read_scalar %flags[%c8] : i64
    %w1 = arith.cmpi ne, %r1, %e1 : i64
    %r2 = arith.ceildivsi %a, %b : i64
    %e2 = txp.read_scalar %flags[%c16] : i64
    %w2 = arith.cmpi ne, %r2, %e2 : i64
    %r3 = arith.remsi %x, %b : i64
    %e3 = txp.read_scalar %flags[%c24] : i64
    %w3 = arith.cmpi ne, %r3, %e3 : i64
    %r4 = arith.shrui %x, %b : i64
    %e4 = txp.read_scalar %flags[%c32] : i64
    %w4 = arith.cmpi ne, %r4, %e4 : i64
    %r5 = arith.shrsi %x, %b : i64
    %e5 = txp.read_scalar %flags[%c40] : i64
    %w5 = arith.cmpi ne, %r5, %e5 : i64
    %r6 = arith.minui %x, %b : i64
    %e6 = txp.read_scalar %flags[%c48] : i64
    %w6 = arith.cmpi ne, %r6, %e6 : i64
    %r7 = arith.shli %x, %b : i64
    %e7 = txp.read_scalar %flags[%c56] : i64
    %w7 = arith.cmpi ne, %r7, %e7 : i64
    %t0 = arith.cmpi ult, %x, %b : i64
    %r8 = arith.extsi %t0 : i1 to i64
    %e8 = txp.read_scalar %flags[%c64] : i64
    %w8 = arith.cmpi ne, %r8, %e8 : i64
    %r9 = arith.divui %x, %b : i64
    %e9 = txp.read_scalar %flags[%c72] : i64
    %w9 = arith.cmpi ne, %r9, %e9 : i64
    %o1 = arith.ori %w0, %w1 : i1
    %o2 = arith.ori %w2, %w3 : i1
    %o3 = arith.ori %w4, %w5 : i1
    %o4 = arith.ori %w6, %w7 : i1
    %o5 = arith.ori %w8, %w9 : i1
    %o6 = arith.ori %o1, %o2 : i1
    %o7 = arith.ori %o3, %o4 : i1
    %o8 = arith.ori %o6, %o7 : i1
    %o9 = arith.ori %o8, %o5 : i1
    %wrong = arith.extui %o9 : i1 to i64
    %square = arith.muli %a, %a : i64
    %y = txp.alloc %c8
    txp.fill %y with %wrong width 8
    txp.return %y
  }

  txp.func @constants() -> (!txp.buffer, !txp.buffer, !txp.buffer)
      attributes {inputs = [], outputs = [tensor<3xi32>, tensor<0xf32>, tensor<5xi8>],
                  output_names = ["c", "none", "filled"]} {
    %c = txp.constant_buffer dense<[1, 2, 3]> : tensor<3xi32>
    %none = txp.constant_buffer dense<> : tensor<0xf32>
    %c5 = arith.constant 5 : i64
    %c7 = arith.constant 7 : i64
    %f = txp.alloc %c5
    txp.fill %f with %c7 width 1
    txp.return %c, %none, %f
  }
}
