// Products of bytes on tile registers: a kernel packs x in blocks of 16 rows by 16 words, the next one packs the columns of its work
// items and multiplies four pairs of blocks per step. Sums of i32 wrap, so the bits are those of any other schedule.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules | FileCheck %s --check-prefix=SCHEDULE
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: sed 's/x86-64-amx/x86-64-v4/' %s | %tensorc-opt - --tx-fuse-ops --tx-choose-schedules | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: #tx.schedule<"amx"
// RUN: sed 's/module attributes {/module attributes {txk.bf16_order = "fma", /' %s | %tensorc-opt - --tx-fuse-ops --tx-choose-schedules | FileCheck %s --check-prefix=DEMANDED
// DEMANDED-LABEL: func.func @brains(
// DEMANDED:       order = #tx.order<"fma">, schedule = #tx.schedule<"panel"
//
// On this machine: every bit as the interpreter has it, of special numbers, too.
// RUN: %if x86-64-amx %{ env TENSORC_CPU=x86-64-amx %python %S/../Inputs/interpreted_bits.py %tensorc 3 40 %}
// DEFINE: %{same} = env TENSORC_CPU=x86-64-amx %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-amx %{ %{same} --entry=long -- dot_general:skeleton=groups dot_general:part=29 dot_general:tiles=2,part=7 %}
// RUN: %if x86-64-amx %{ %{same} --entry=brains -- dot_general:skeleton=panel dot_general:part=1 %}

module attributes {tx.target = "cpu:x86-64-amx"} {
// SCHEDULE-LABEL: func.func @odd(
// SCHEDULE:       #tx.schedule<"amx", rows = 32, vectors = 2, tiles = 1, part = 2, lanes = 16>
// Along K, rows of x are copied. Those past the end repeat the last row, and steps past the end are zeros.
// CHECK-LABEL: func.func @dot_general_rows(
// CHECK:       vector.load {{.*}} : memref<?xi8>, vector<64xi8>
// CHECK-NOT:   vector.shuffle
// CHECK:       vector.maskedload {{.*}} : memref<?xi8>, vector<64xi1>, vector<64xi8>
// CHECK:       arith.select {{.*}} : vector<64xi1>, vector<64xi8>
// CHECK-LABEL: func.func @dot_general(
// CHECK:       %[[MEMORY:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xi8>
// CHECK:       txk.amx.configure %[[MEMORY]] : memref<64xi8>
// CHECK:       scf.for
// CHECK:         vector.shuffle
// CHECK:         txk.amx.zero 0
// CHECK-NEXT:    txk.amx.zero 1
// CHECK-NEXT:    txk.amx.zero 2
// CHECK-NEXT:    txk.amx.zero 3
// CHECK:         scf.for
// CHECK:           txk.amx.load 4, {{.*}} stride %c64 : memref<?xi32>
// CHECK:           txk.amx.load 6, {{.*}} stride %c64 once : memref<?xi32>
// CHECK-NEXT:      txk.amx.dot 0, 4, 6 of i8 {y_unsigned}
// CHECK:           txk.amx.load 7, {{.*}} stride %c64 once : memref<?xi32>
// CHECK-NEXT:      txk.amx.dot 1, 4, 7 of i8 {y_unsigned}
// CHECK:           txk.amx.load 5, {{.*}} stride %c64 : memref<?xi32>
// CHECK-NEXT:      txk.amx.dot 2, 5, 6 of i8 {y_unsigned}
// CHECK-NEXT:      txk.amx.dot 3, 5, 7 of i8 {y_unsigned}
// CHECK:         txk.amx.store 0, %{{.*}}[%c0] stride %c128 : memref<1024xi32>
// CHECK-NEXT:    txk.amx.store 1, %{{.*}}[%c16] stride %c128 : memref<1024xi32>
// CHECK-NEXT:    txk.amx.store 2, %{{.*}}[%c512] stride %c128 : memref<1024xi32>
// CHECK-NEXT:    txk.amx.store 3, %{{.*}}[%c528] stride %c128 : memref<1024xi32>
// CHECK:       txk.amx.release
func.func @odd(%x: tensor<45x71xi8>, %y: tensor<71x83xui8>) -> tensor<45x83xi32> {
  %a = tx.convert %x : tensor<45x71xi8> -> tensor<45x71xi32>
  %b = tx.convert %y : tensor<71x83xui8> -> tensor<71x83xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<45x71xi32>, tensor<71x83xi32>) -> tensor<45x83xi32>
  return %0 : tensor<45x83xi32>
}

// If L1 does not hold the part of x for all of K, sums are kept in scratch memory between parts of K: of 15 and 14 blocks.
// SCHEDULE-LABEL: func.func @long(
// SCHEDULE:       #tx.schedule<"amx", rows = 32, vectors = 2, tiles = 1, part = 15, lanes = 16>
// CHECK-LABEL: func.func @dot_general_1(
// CHECK:       txk.amx.zero 3
// CHECK:       txk.amx.store 3, %[[SUMS:[a-z_0-9]+]][{{.*}}] stride %c128 : memref<?xi32>
// CHECK:       txk.amx.load 0, %[[SUMS]][{{.*}}] stride %c128 :
// CHECK:       txk.amx.dot 3, 5, 7 of i8{{$}}
// CHECK:       txk.amx.store 3, %{{.*}}[%c528] stride %c128 : memref<1024xi32>
func.func @long(%x: tensor<64x1856xi8>, %y: tensor<96x1856xi8>) -> tensor<64x96xi32> {
  %a = tx.convert %x : tensor<64x1856xi8> -> tensor<64x1856xi32>
  %b = tx.convert %y : tensor<96x1856xi8> -> tensor<96x1856xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [1] : (tensor<64x1856xi32>, tensor<96x1856xi32>) -> tensor<64x96xi32>
  return %0 : tensor<64x96xi32>
}

// Products of bf16 have the order of the instruction. Packing finds the smallest magnitudes, and a tile in which numbers may be
// subnormal is computed with FMAs, in two chains for each block.
// SCHEDULE-LABEL: func.func @brains(
// SCHEDULE:       order = #tx.order<"chains", lanes = [2], chunk = 32>, schedule = #tx.schedule<"amx", rows = 32, vectors = 2, tiles = 1, part = 3, lanes = 16>
// CHECK-LABEL: func.func @dot_general_rows_1(
// CHECK:       arith.minui {{.*}} : vector<32xi16>
// CHECK:       vector.reduction <minui>, {{.*}} : vector<32xi16> into i16
// CHECK-LABEL: func.func @dot_general_2(
// CHECK:       %[[NORMAL:.*]] = arith.andi {{.*}} : i1
// CHECK:       scf.if %[[NORMAL]] {
// CHECK:         txk.amx.dot 3, 5, 7 of bf16
// CHECK:         txk.amx.store 3, %{{.*}}[%c528] stride %c128 : memref<1024xf32>
// CHECK:       } else {
// CHECK:         scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>)
// CHECK:           scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4:     vector.fma
// CHECK:           arith.addf
// CHECK:           arith.addf
func.func @brains(%x: tensor<40x90xbf16>, %y: tensor<90x50xbf16>) -> tensor<40x50xf32> {
  %0 = tx.dot_general %x, %y batch = [] x [] contracting = [1] x [0] : (tensor<40x90xbf16>, tensor<90x50xbf16>) -> tensor<40x50xf32>
  return %0 : tensor<40x50xf32>
}

// Few rows and few steps of bytes are left to vectors: their sums are exact in any order.
// SCHEDULE-LABEL: func.func @few_rows(
// SCHEDULE-NOT:   "amx"
// SCHEDULE-LABEL: func.func @few_steps(
// SCHEDULE-NOT:   "amx"
func.func @few_rows(%x: tensor<8x512xi8>, %y: tensor<512x512xi8>) -> tensor<8x512xi32> {
  %a = tx.convert %x : tensor<8x512xi8> -> tensor<8x512xi32>
  %b = tx.convert %y : tensor<512x512xi8> -> tensor<512x512xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<8x512xi32>, tensor<512x512xi32>) -> tensor<8x512xi32>
  return %0 : tensor<8x512xi32>
}
func.func @few_steps(%x: tensor<512x32xi8>, %y: tensor<32x512xi8>) -> tensor<512x512xi32> {
  %a = tx.convert %x : tensor<512x32xi8> -> tensor<512x32xi32>
  %b = tx.convert %y : tensor<32x512xi8> -> tensor<32x512xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1] x [0] : (tensor<512x32xi32>, tensor<32x512xi32>) -> tensor<512x512xi32>
  return %0 : tensor<512x512xi32>
}
}
