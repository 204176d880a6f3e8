// A weight that was packed in words is read in place from tile registers: no kernel packs it again.
//
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules | FileCheck %s --check-prefix=SCHEDULE
// RUN: %tensorc-opt %s --tx-fuse-ops --tx-choose-schedules --tx-emit-program --canonicalize --cse | FileCheck %s
// RUN: sed 's/x86-64-amx/x86-64-v4/' %s | %tensorc-opt - --tx-fuse-ops --tx-choose-schedules | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: #tx.schedule<"amx"
//
// The bits are those of every other kernel.
// DEFINE: %{same} = env TENSORC_CPU=x86-64-amx %python %S/../Inputs/same_bits.py %tensorc %s --device=cpu
// RUN: %if x86-64-amx %{ %{same} --entry=bytes -- dot_general:skeleton=panel dot_general:part=1 dot_general:tiles=2 %}
// RUN: %if x86-64-amx %{ %{same} --entry=brains -- dot_general:skeleton=panel dot_general:part=1 dot_general:part=6 %}
// RUN: %if x86-64-amx %{ %{same} --entry=any_rows -- dot_general:skeleton=panel %}

module attributes {tx.target = "cpu:x86-64-amx"} {
// Few rows use tiles as well, because only x is packed.
// SCHEDULE-LABEL: func.func @bytes(
// SCHEDULE:       #tx.schedule<"amx", rows = 16, vectors = 2,
// CHECK-LABEL: func.func @dot_general(
// CHECK-NOT:   vector.shuffle
// CHECK:       txk.amx.load 6, %[[W:[a-z_0-9]+]][{{.*}}] stride %c64 once : memref<?xi8>
// CHECK:       txk.amx.load 7, %[[W]][{{.*}}] stride %c64 once : memref<?xi8>
// CHECK:       txk.amx.dot 1, 4, 7 of i8{{$}}
func.func @bytes(%x: tensor<5x32x4xi8>, %w: tensor<6x32x16x4xi8>) -> tensor<5x6x16xi32> {
  %a = tx.convert %x : tensor<5x32x4xi8> -> tensor<5x32x4xi32>
  %b = tx.convert %w : tensor<6x32x16x4xi8> -> tensor<6x32x16x4xi32>
  %0 = tx.dot_general %a, %b batch = [] x [] contracting = [1, 2] x [1, 3]
      : (tensor<5x32x4xi32>, tensor<6x32x16x4xi32>) -> tensor<5x6x16xi32>
  return %0 : tensor<5x6x16xi32>
}

// The smallest magnitudes of a weight of bf16 are found in place.
// SCHEDULE-LABEL: func.func @brains(
// SCHEDULE:       order = #tx.order<"chains", lanes = [2], chunk = 32>, schedule = #tx.schedule<"amx", rows = 32, vectors = 2,
// CHECK-LABEL: func.func @dot_general_1(
// CHECK:       vector.load %[[W:[a-z_0-9]+]][{{.*}}] : memref<?xbf16>, vector<32xbf16>
// CHECK:       arith.minui {{.*}} : vector<32xi16>
// CHECK-NOT:   vector.shuffle
// CHECK:       scf.if
// CHECK:         txk.amx.load 7, %[[W]][{{.*}}] stride %c64 once : memref<?xbf16>
// CHECK:       } else {
// CHECK-COUNT-4: vector.fma
func.func @brains(%x: tensor<45x48x2xbf16>, %w: tensor<6x48x16x2xbf16>) -> tensor<45x6x16xbf16> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1, 2] x [1, 3]
      : (tensor<45x48x2xbf16>, tensor<6x48x16x2xbf16>) -> tensor<45x6x16xbf16>
  return %0 : tensor<45x6x16xbf16>
}

// The number of rows may be known only at run time.
// SCHEDULE-LABEL: func.func @any_rows(
// SCHEDULE:       #tx.schedule<"amx", rows = 32, vectors = 2,
func.func @any_rows(%x: tensor<?x48x2xbf16, #tx.dims<[m, 48, 2]>>, %w: tensor<6x48x16x2xbf16>)
    -> tensor<?x6x16xf32, #tx.dims<[m, 6, 16]>> {
  %0 = tx.dot_general %x, %w batch = [] x [] contracting = [1, 2] x [1, 3]
      : (tensor<?x48x2xbf16, #tx.dims<[m, 48, 2]>>, tensor<6x48x16x2xbf16>) -> tensor<?x6x16xf32, #tx.dims<[m, 6, 16]>>
  return %0 : tensor<?x6x16xf32, #tx.dims<[m, 6, 16]>>
}
}
