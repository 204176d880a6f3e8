// Products of bf16 in interleaved chains, the order of an instruction on tiles: the sum of even steps and that of odd
// steps of 32, each from 0, and then the chunks in order.
//
// RUN: %tensorc compile %s --target=cpu:x86-64-v3 --stop-after=fuse | FileCheck %s --check-prefix=ORDER
// RUN: %tensorc compile %s --target=cpu:x86-64-v4 --stop-after=fuse | FileCheck %s --check-prefix=ORDER
// RUN: %tensorc compile %s --target=cpu:aarch64 --stop-after=fuse | FileCheck %s --check-prefix=ORDER
// RUN: %tensorc run %s --entry=sums | FileCheck %s --check-prefix=SUMS
// RUN: sed 's/"chains"/"fma"/' %s | %tensorc run - --entry=sums | FileCheck %s --check-prefix=FMA
// RUN: %tensorc compile %s --entry=sums --stop-after=fuse -o %t.mlir
// RUN: %tensorc run %t.mlir --entry=sums --device=reference | FileCheck %s --check-prefix=SUMS
// RUN: %tensorc compile %s --entry=sums --target=cpu:x86-64-v4 --stop-after=emit | FileCheck %s --check-prefix=LOOPS
// RUN: %tensorc explain %s --entry=sums | FileCheck %s --check-prefix=WHY
// RUN: %tensorc explain %s --entry=small --target=cpu:x86-64-v4 | FileCheck %s --check-prefix=WHY-SMALL

// Other values on two levels of vectors, and with each tile.
// RUN: %python %S/../Inputs/interpreted_bits.py %tensorc 1 24
// RUN: env TENSORC_CPU=x86-64-v3 %python %S/../Inputs/interpreted_bits.py %tensorc 2 24
// RUN: %python %S/../Inputs/same_bits.py %tensorc %s --entry=tiles --device=cpu -- dot_general:rows=1 dot_general:vectors=1 dot_general:vectors=4

// The environment replaces the choice of the target, but not that of the program.
// RUN: sed 's/module attributes.*/module {/' %s > %t.free.mlir
// RUN: %tensorc compile %t.free.mlir --target=cpu:x86-64-v4 --stop-after=fuse | FileCheck %s --check-prefix=USUAL
// RUN: env TENSORC_BF16_ORDER=chains %tensorc compile %t.free.mlir --target=cpu:x86-64-v4 --stop-after=fuse | FileCheck %s --check-prefix=ORDER
// RUN: env TENSORC_BF16_ORDER=chains %tensorc compile %t.free.mlir --target=cuda:sm_80 --stop-after=fuse | FileCheck %s --check-prefix=GPU-ORDER
// RUN: %tensorc explain %t.free.mlir --entry=tiles --target=cpu:x86-64-amx | FileCheck %s --check-prefix=TILES
// RUN: env TENSORC_BF16_ORDER=fma %tensorc explain %t.free.mlir --entry=tiles --target=cpu:x86-64-amx | FileCheck %s --check-prefix=NO-TILES
// RUN: not env TENSORC_BF16_ORDER=pairs %tensorc compile %t.free.mlir --stop-after=fuse 2>&1 | FileCheck %s --check-prefix=VARIABLE
// RUN: sed 's/"chains"/"pairs"/' %s | not %tensorc compile - --stop-after=fuse 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %tensorc compile %s --target=cuda:sm_80 --stop-after=fuse 2>&1 | FileCheck %s --check-prefix=GPU

// WHY: order    chains lanes=2 chunk=32 (demanded)
// WHY-SMALL-COUNT-2: order    fma{{$}}
// WHY-SMALL-COUNT-2: order    fma (no tiles)
// VARIABLE: TENSORC_BF16_ORDER=pairs: products of bf16 have the order fma or chains
// UNKNOWN: <stdin>:[[#]]:[[#]]: error: 'tx.fusion' op products of bf16 have the order "fma" or "chains", not "pairs"
// TILES: order    chains lanes=2 chunk=32 (tiles of bf16)
// TILES: schedule amx
// NO-TILES: order    fma (demanded)
// NO-TILES-NOT: schedule amx
// GPU-ORDER: order = #tx.order<"matrix">
// GPU: contraction-chains.mlir:[[#]]:[[#]]: error: 'tx.fusion' op the order "chains" of bf16 products is computed by CPUs, not by cuda:sm_80

module attributes {txk.bf16_order = "chains"} {

// One product is 2^24, 63 are 1. FMAs add each 1 to 2^24 and lose it. Of chains, the odd steps of the first chunk add 16
// and the second chunk adds 32.
// ORDER-LABEL: @sums
// ORDER: order = #tx.order<"chains", lanes = [2], chunk = 32>, schedule = #tx.schedule<"panel"
// USUAL-LABEL: @sums
// USUAL: order = #tx.order<"fma">
// SUMS: {{\[\[}}16777264,
// FMA: {{\[\[}}16777216,
// LOOPS-LABEL: func.func @eq_select_dot_general
// LOOPS: scf.for %[[CHUNK:.*]] = %c0 to %c64 step %c32
// LOOPS: scf.for %{{.*}} = %[[CHUNK]] to %{{.*}} step %c2
// LOOPS: vector.fma
// LOOPS: %[[ODD:.*]] = arith.addi %[[CHUNK]], %c1 : index
// LOOPS: scf.for %{{.*}} = %[[ODD]] to %{{.*}} step %c2
// LOOPS: vector.fma
func.func @sums() -> tensor<16x16xf32> {
  %i = tx.iota dim = 1 : tensor<16x64xi32>
  %zero = tx.constant dense<0> : tensor<16x64xi32>
  %first = tx.eq %i, %zero : tensor<16x64xi32>
  %large = tx.constant dense<4096.0> : tensor<16x64xbf16>
  %one = tx.constant dense<1.0> : tensor<16x64xbf16>
  %x = tx.select %first, %large, %one : tensor<16x64xi1>, tensor<16x64xbf16>
  %0 = tx.dot_general %x, %x batch = [] x [] contracting = [1] x [1]
      : (tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// A single row or column, and other dtypes, keep the order of FMAs.
// ORDER-LABEL: @small
// ORDER-NOT: "chains"
func.func @small(%a: tensor<1x64xbf16>, %b: tensor<64x64xbf16>, %c: tensor<64x1xbf16>, %e: tensor<64x64xf16>,
                 %f: tensor<64x64xf32>) -> (tensor<1x64xbf16>, tensor<64x1xbf16>, tensor<64x64xf16>, tensor<64x64xf32>) {
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0]
      : (tensor<1x64xbf16>, tensor<64x64xbf16>) -> tensor<1x64xbf16>
  %1 = tx.dot_general %b, %c batch = [] x [] contracting = [1] x [0]
      : (tensor<64x64xbf16>, tensor<64x1xbf16>) -> tensor<64x1xbf16>
  %3 = tx.dot_general %e, %e batch = [] x [] contracting = [1] x [1]
      : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %4 = tx.dot_general %f, %f batch = [] x [] contracting = [1] x [1]
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1, %3, %4 : tensor<1x64xbf16>, tensor<64x1xbf16>, tensor<64x64xf16>, tensor<64x64xf32>
}

// Few rows, columns and steps have the bits of a kernel for all sizes.
// RUN: rm -rf %t.few && mkdir %t.few
// RUN: %tensorc run %s --entry=named --shape=x:7,21 --shape=y:21,3 --random-inputs --input-dir=%t.few/in --output-dir=%t.few/one
// RUN: %tensorc run %s --entry=named --input=x=%t.few/in/x.npy --input=y=%t.few/in/y.npy --output-dir=%t.few/all
// RUN: cmp %t.few/one/out0.npy %t.few/all/out0.npy
// ORDER-LABEL: @named
// ORDER: order = #tx.order<"chains", lanes = [2], chunk = 32>
func.func @named(%x: tensor<?x?xbf16, #tx.dims<[m, k]>> {tx.name = "x"}, %y: tensor<?x?xbf16, #tx.dims<[k, n]>> {tx.name = "y"})
    -> tensor<?x?xbf16, #tx.dims<[m, n]>> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0]
      : (tensor<?x?xbf16, #tx.dims<[m, k]>>, tensor<?x?xbf16, #tx.dims<[k, n]>>) -> tensor<?x?xbf16, #tx.dims<[m, n]>>
  return %0 : tensor<?x?xbf16, #tx.dims<[m, n]>>
}

// ORDER-LABEL: @tiles
func.func @tiles(%x: tensor<2x37x97xbf16>, %y: tensor<2x97x83xbf16>) -> tensor<2x37x83xf32> {
  %0 = tx.dot_general %x, %y batch = [0] x [0] contracting = [2] x [1]
      : (tensor<2x37x97xbf16>, tensor<2x97x83xbf16>) -> tensor<2x37x83xf32>
  return %0 : tensor<2x37x83xf32>
}

}
