// Orders and schedules: printed as they are read, and refused where they say nothing.
//
// RUN: split-file --leading-lines %s %t
// RUN: %tensorc-opt %t/good.mlir | %tensorc-opt | FileCheck %s
// RUN: %tensorc-opt %t/bad.mlir --split-input-file --verify-diagnostics

//--- good.mlir
// CHECK: #tx.order<"matrix", chunk = 512>
// CHECK: #tx.order<"slots", lanes = [?, 4], chunk = 16384>
// CHECK: #tx.order<"fma", lanes = [8], keys = 32>
// CHECK: #tx.order<"fma">
// CHECK: #tx.order<"chains", lanes = [2], chunk = 32>
// CHECK: #tx.schedule<"mma", rows = 128, columns = 64>
// CHECK: #tx.schedule<"merge">
func.func private @good() attributes {
  a = #tx.order<"matrix", chunk = 512>,
  b = #tx.order<"slots", lanes = [?, 4], chunk = 16384>,
  c = #tx.order<"fma", keys = 32, lanes = [8]>,
  d = #tx.order<"fma">,
  d2 = #tx.order<"chains", chunk = 32, lanes = [2]>,
  e = #tx.schedule<"mma", rows = 128, columns = 64>,
  f = #tx.schedule<"merge">}

//--- bad.mlir
// expected-error@+1 {{an order names its class of instructions}}
func.func private @f() attributes {a = #tx.order<"">}
// -----
// expected-error@+1 {{an order has 0 lanes: it needs one at least}}
func.func private @f() attributes {a = #tx.order<"slots", lanes = [4, 0]>}
// -----
// expected-error@+1 {{an order's chunk is -1: it cannot be negative}}
func.func private @f() attributes {a = #tx.order<"matrix", chunk = -1>}
// -----
// expected-error@+1 {{an order has lanes, chunk and keys, and no rows}}
func.func private @f() attributes {a = #tx.order<"matrix", rows = 1>}
// -----
// expected-error@+1 {{chunk is given twice}}
func.func private @f() attributes {a = #tx.order<"matrix", chunk = 1, chunk = 1>}
// -----
// expected-error@+1 {{an order of chains has one number of lanes, which is a power of two}}
func.func private @f() attributes {a = #tx.order<"chains", chunk = 32>}
// -----
// expected-error@+1 {{an order of chains has one number of lanes, which is a power of two}}
func.func private @f() attributes {a = #tx.order<"chains", lanes = [?], chunk = 32>}
// -----
// expected-error@+1 {{an order of chains has one number of lanes, which is a power of two}}
func.func private @f() attributes {a = #tx.order<"chains", lanes = [3], chunk = 33>}
// -----
// expected-error@+1 {{an order of chains has one number of lanes, which is a power of two}}
func.func private @f() attributes {a = #tx.order<"chains", lanes = [2, 2], chunk = 32>}
// -----
// expected-error@+1 {{an order of chains has chunks of 0 steps: it needs a multiple of its 2 lanes}}
func.func private @f() attributes {a = #tx.order<"chains", lanes = [2]>}
// -----
// expected-error@+1 {{an order of chains has chunks of 33 steps: it needs a multiple of its 2 lanes}}
func.func private @f() attributes {a = #tx.order<"chains", lanes = [2], chunk = 33>}
// -----
// expected-error@+1 {{an order of chains has no blocks of keys}}
func.func private @f() attributes {a = #tx.order<"chains", lanes = [2], chunk = 32, keys = 4>}
// -----
// expected-error@+1 {{a schedule names its skeleton}}
func.func private @f() attributes {a = #tx.schedule<"", rows = 1>}
// -----
// expected-error@+1 {{a schedule gives "rows" twice}}
func.func private @f() attributes {a = #tx.schedule<"mma", rows = 1, rows = 2>}
// -----
// expected-error@+1 {{a schedule's rows is 0: it is at least 1}}
func.func private @f() attributes {a = #tx.schedule<"mma", rows = 0>}
