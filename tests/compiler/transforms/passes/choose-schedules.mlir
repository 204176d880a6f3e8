// Each fusion gets what fixes its bits and how its target computes it.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse | FileCheck %s --check-prefix=CPU
// RUN: %tensorc compile %s --target=cuda:sm_80 --stop-after=fuse | FileCheck %s --check-prefixes=GRID,AMPERE
// RUN: %tensorc compile %s --target=cuda:sm_90a --stop-after=fuse | FileCheck %s --check-prefixes=GRID,HOPPER
// RUN: %tensorc compile %s --target=sim:sm_90a --stop-after=fuse | FileCheck %s --check-prefixes=GRID,HOPPER
// RUN: %tensorc compile %s --target=cuda:sm_75 --stop-after=fuse | FileCheck %s --check-prefixes=TURING
// RUN: %tensorc compile %s --target=rocm:gfx942 --stop-after=fuse | FileCheck %s --check-prefixes=GRID,CDNA
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse > %t.mlir
// RUN: %tensorc compile %t.mlir --start-from=fuse --stop-after=emit | FileCheck %s --check-prefix=LAUNCH
// RUN: sed 's/lanes = 32>/lanes = 3>/' %t.mlir > %t.odd.mlir
// RUN: %exits 1 %tensorc compile %t.odd.mlir --start-from=fuse --stop-after=emit 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: sed 's/order = #tx.order<"fma">/order = #tx.order<"matrix">/' %t.mlir > %t.order.mlir
// RUN: %exits 1 %tensorc compile %t.order.mlir --start-from=fuse --stop-after=emit 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: sed 's/{schedule = [^}]*}//' %t.mlir > %t.none.mlir
// RUN: %exits 1 %tensorc compile %t.none.mlir --start-from=fuse --stop-after=emit 2>&1 | FileCheck %s --check-prefix=NONE

// A kernel keeps them.
// LAUNCH: txp.launch {{.*}}txp.order = #tx.order<"fma">{{.*}}txp.schedule = #tx.schedule<"panel", outer = 1, rows = 11, vectors = 1, lanes = 16>
// ODD:   has the schedule "elements lanes=3", which this target does not offer, but for example "elements lanes=32"
// ORDER: has another order than this target computes it in: run tx-choose-schedules
// NONE:  has no schedule: run tx-choose-schedules

// CPU:  "sort"{{.*}}{schedule = #tx.schedule<"sort", network_from = 32, partition_from = 1025, digits_from = 2147483648>}
// CPU:  "scan"{{.*}}{order = #tx.order<"chunks", lanes = [16], chunk = 4096>, schedule = #tx.schedule<"scan", kernels = 1>}
// CPU:  "column"{{.*}}{order = #tx.order<"chunks", lanes = [1], chunk = 256>, schedule = #tx.schedule<"columns", kernels = 1, lanes = 64>}
// CPU:  "row"{{.*}}{order = #tx.order<"chunks", lanes = [32], chunk = 8192>, schedule = #tx.schedule<"rows", kernels = 1>}
// CPU:  "loop" "transpose"{{.*}}{schedule = #tx.schedule<"squares", squares = 1, vectors = 1>}
// CPU:  "loop" "exp"{{.*}}{schedule = #tx.schedule<"elements", lanes = 32>}
// 33 rows are three tiles of 11, 48 columns three vectors.
// CPU:  "contraction"{{.*}}{order = #tx.order<"fma">, schedule = #tx.schedule<"panel", outer = 1, rows = 11, vectors = 1, lanes = 16>}
// CPU:  "contraction"{{.*}}{order = #tx.order<"fma">, schedule = #tx.schedule<"packed", outer = 1, rows = 14, vectors = 2, lanes = 16>}

// GRID: "sort"{{.*}}{schedule = #tx.schedule<"merge">}
// GRID: "scan"{{.*}}{order = #tx.order<"slots", lanes = [256]>, schedule = #tx.schedule<"scan">}
// GRID: "column"{{.*}}{order = #tx.order<"slots", lanes = [8], chunk = 256>, schedule = #tx.schedule<"columns", columns = 32, lanes = 1, kernels = 1>}
// GRID: "row"{{.*}}{order = #tx.order<"slots", lanes = [{{32|64}}, 4], chunk = 16384>, schedule = #tx.schedule<"rows", threads = 256, kernels = 1>}
// GRID: "loop" "transpose"{{.*}}{schedule = #tx.schedule<"squares", side = 32>}
// GRID: "loop" "exp"{{.*}}{schedule = #tx.schedule<"elements", lanes = 4, threads = 256>}

// A long k by few tiles: chunks of it are summed on their own, in any schedule.
// GRID:   "contraction"{{.*}}{order = #tx.order<"matrix", chunk = 512>, schedule = #tx.schedule<"mma", rows = 64, columns = 64, threads = 128, stages = {{[23]}}>}
// TURING: "contraction"{{.*}}{order = #tx.order<"fma">, schedule = #tx.schedule<"fma", rows = 64, columns = 64>}

// The same order on two chips, of which one has another skeleton for it, too.
// AMPERE: "contraction"{{.*}}{order = #tx.order<"matrix">, schedule = #tx.schedule<"mma", rows = 64, columns = 64, threads = 128, stages = 3>}
// HOPPER: "contraction"{{.*}}{order = #tx.order<"matrix">, schedule = #tx.schedule<"wgmma", rows = 128, columns = 128, stages = 4>}
// CDNA:   "contraction"{{.*}}{order = #tx.order<"matrix">, schedule = #tx.schedule<"mma", rows = 64, columns = 64, threads = 128, stages = 2>}
// TURING: "contraction"{{.*}}{order = #tx.order<"fma">, schedule = #tx.schedule<"fma", rows = 64, columns = 64>}
func.func @main(%x: tensor<1024x512xf16>, %y: tensor<512x1024xf16>, %u: tensor<33x2048xf16>, %v: tensor<2048x48xf16>,
                %a: tensor<300x1000xf32>)
    -> (tensor<1024x1024xf16>, tensor<33x48xf16>, tensor<300x1000xf32>, tensor<1000x300xf32>, tensor<300xf32>,
        tensor<1000xf32>, tensor<300x1000xf32>, tensor<300x1000xf32>) {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<1024x512xf16>, tensor<512x1024xf16>) -> tensor<1024x1024xf16>
  %1 = tx.dot_general %u, %v batch = [] x [] contracting = [1] x [0]
      : (tensor<33x2048xf16>, tensor<2048x48xf16>) -> tensor<33x48xf16>
  %2 = tx.exp %a : tensor<300x1000xf32>
  %3 = tx.transpose %a permutation = [1, 0] : tensor<300x1000xf32> -> tensor<1000x300xf32>
  %4 = tx.sum %a dims = [1] : tensor<300x1000xf32> -> tensor<300xf32>
  %5 = tx.sum %a dims = [0] : tensor<300x1000xf32> -> tensor<1000xf32>
  %6 = tx.cumsum %a dim = 1 : tensor<300x1000xf32>
  %7 = tx.sort %a dim = 1 : tensor<300x1000xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<1024x1024xf16>, tensor<33x48xf16>, tensor<300x1000xf32>, tensor<1000x300xf32>, tensor<300xf32>, tensor<1000xf32>, tensor<300x1000xf32>, tensor<300x1000xf32>
}
