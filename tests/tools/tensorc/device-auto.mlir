// --device=auto: the device with the smallest sum, from figures in a file.
//
// RUN: env TENSORC_FIGURES=%S/Inputs/figures.json %tensorc explain %s --device=auto --shape=x:64,64 | FileCheck %s --check-prefix=LARGE
// RUN: env TENSORC_FIGURES=%S/Inputs/figures.json %tensorc explain %s --device=auto --shape=x:16,16 | FileCheck %s --check-prefix=SMALL
// RUN: env TENSORC_FIGURES=%S/Inputs/figures.json %tensorc explain %s --device=auto --shape=x:16,16 --json > %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %python -c "import json, sys; json.load(open(sys.argv[1]))" %t.json

// LARGE:      sim:0: chosen
// LARGE-NEXT:   operands          11.64 us  16384 bytes in 1 copies
// LARGE-NEXT:   launches           5.00 us  1 x 5.00 us
// LARGE-NEXT:   kernels            0.05 us  memory 0.03 us: 32768 bytes; arithmetic 0.05 us: 524288 operations
// LARGE-NEXT:   results           11.64 us  16384 bytes in 1 copies
// LARGE-NEXT:   sum               28.33 us
// LARGE-NEXT: cpu:0
// LARGE-NEXT:   operands           0.00 us  0 bytes in 0 copies
// LARGE-NEXT:   launches           1.00 us  1 x 1.00 us
// LARGE-NEXT:   kernels           52.43 us  memory 3.28 us: 32768 bytes; arithmetic 52.43 us: 524288 operations
// LARGE-NEXT:   results            0.00 us  0 bytes in 0 copies
// LARGE-NEXT:   sum               53.43 us
// LARGE:      1 kernel
// LARGE:        schedule fma rows=64 columns=64

// SMALL:      cpu:0: chosen
// SMALL:        sum                1.82 us
// SMALL:      sim:0
// SMALL:        schedule panel

// JSON: "placement": {
// JSON:   "candidates": [
// JSON:     "device": "cpu:0",
// JSON:   "device": "cpu:0"

// run and bench go there; TENSORC_DEVICE says the same.
// RUN: env TENSORC_FIGURES=%S/Inputs/figures.json %tensorc run %s --device=auto --random-inputs --shape=x:64,64 --compare=reference --verbose 2>&1 | FileCheck %s --check-prefix=THERE
// RUN: env TENSORC_FIGURES=%S/Inputs/figures.json TENSORC_DEVICE=auto %tensorc run %s --random-inputs --shape=x:16,16 --compare=reference --verbose 2>&1 | FileCheck %s --check-prefix=HERE
// RUN: env TENSORC_FIGURES=%S/Inputs/figures.json %tensorc bench %s --device=auto --shape=x:64,64 --iterations=1 | FileCheck %s --check-prefix=BENCH
// THERE: device sim:0
// THERE: compare out0:
// HERE:  device cpu:0
// BENCH: device     sim:0

// A package does not say what it costs: the first device that it has code for.
// RUN: %tensorc compile %s --target=sim:sm_90a -o %t.tcpkg
// RUN: env TENSORC_FIGURES=%S/Inputs/figures.json %tensorc run %t.tcpkg --device=auto --random-inputs --shape=x:16,16 --verbose 2>&1 | FileCheck %s --check-prefix=THERE-TOO
// THERE-TOO: device sim:0
// RUN: %tensorc compile %s --target=rocm:gfx942 -o %t.none.tcpkg
// RUN: %exits 1 env TENSORC_FIGURES=%S/Inputs/figures.json %tensorc run %t.none.tcpkg --device=auto --random-inputs --shape=x:16,16 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo nothing > %t.damaged.tcpkg
// RUN: %exits 1 env TENSORC_FIGURES=%S/Inputs/figures.json %tensorc run %t.damaged.tcpkg --device=auto --random-inputs 2>&1 | FileCheck %s --check-prefix=DAMAGED
// NONE: error: {{.*}}auto: no device of this machine runs it (cpu:0, sim:0): package: it holds code for rocm:gfx942, none of which this device runs
// DAMAGED: error: {{.*}}package: {{(not a tensorc package|truncated)}}

// Without a GPU there is nothing to weigh, and nothing is measured.
// RUN: env CUDA_VISIBLE_DEVICES= HIP_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES= %tensorc explain %s --device=auto --shape=x:64,64 | FileCheck %s --check-prefix=ALONE
// ALONE:      cpu:0: chosen, as there is no other device
// ALONE:      1 kernel

// RUN: %exits 1 %tensorc explain %s --device=auto 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: auto needs the sizes n: give them with --shape
// RUN: echo '{"cpu": {"launch_us": "soon"}}' > %t.figures
// RUN: %exits 1 env TENSORC_FIGURES=%t.figures %tensorc run %s --device=auto --random-inputs 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: auto: TENSORC_FIGURES={{.*}}.figures: device 'cpu': 'launch_us' is not a number
// RUN: %exits 2 %tensorc explain %s --device=auto --target=cpu 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: --device says the target already
// RUN: %tensorc explain %s --device=sim:gfx942 --shape=x:64,64 | FileCheck %s --check-prefix=ONE
// ONE:       1 kernel
// ONE:         schedule fma rows=64

func.func @main(%x: tensor<?x?xf32, #tx.dims<[n, n]>> {tx.name = "x"}) -> tensor<?x?xf32, #tx.dims<[n, n]>> {
  %0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [0]
       : (tensor<?x?xf32, #tx.dims<[n, n]>>, tensor<?x?xf32, #tx.dims<[n, n]>>) -> tensor<?x?xf32, #tx.dims<[n, n]>>
  return %0 : tensor<?x?xf32, #tx.dims<[n, n]>>
}
