// RUN: %tensorc-opt %s --txk-expand-math | FileCheck %s
// RUN: %tensorc-opt %s --txk-expand-math | FileCheck %s --check-prefix=NONE

// RUN: %tensorc-opt %s --txk-expand-math=scalef | FileCheck %s --check-prefix=SCALEF

// No function of the math library is left.
// NONE-NOT: math.{{exp|log|tanh|erf|pow|rsqrt|sin|cos|tan}}

// n = round(x / ln 2) stands in the low bits of a float, from where it is
// shifted into the exponent.
// CHECK-LABEL: func @exp
// CHECK: %[[BOUNDED:.*]] = arith.select
// CHECK: %[[SHIFTED:.*]] = math.fma %[[BOUNDED]], {{.*}} fastmath<contract> : vector<16xf32>
// CHECK: %[[N:.*]] = arith.subf %[[SHIFTED]]
// CHECK-COUNT-8: math.fma
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SHIFTED]] : vector<16xf32> to vector<16xi32>
// CHECK: arith.shli %[[BITS]]
// CHECK-NOT: math.
// CHECK: return

// AVX-512 multiplies by 2^n in one instruction: neither bits nor selects remain.
// SCALEF-LABEL: func @exp
// SCALEF: %[[N:.*]] = arith.subf
// SCALEF: %[[Y:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%[[P:.*]], %[[N]], %[[P]], {{.*}}) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
// SCALEF-NOT: arith
// SCALEF: return %[[Y]]
func.func @exp(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// powf of f32 goes through f64.
// CHECK-LABEL: func @pow
// CHECK: arith.extf %{{.*}} : f32 to f64
// CHECK: arith.truncf %{{.*}} : f64 to f32
func.func @pow(%x: f32, %y: f32) -> f32 {
  %0 = math.powf %x, %y : f32
  return %0 : f32
}

// Large arguments take a branch.
// CHECK-LABEL: func @sin
// CHECK: vector.reduction <or>
// CHECK: scf.if
// CHECK: scf.for
func.func @sin(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.sin %x : vector<8xf64>
  return %0 : vector<8xf64>
}

// f32 is reduced in f32, and in f64 for large arguments only.
// CHECK-LABEL: func @sin_single
// CHECK-NOT: f64
// CHECK: %[[R:.*]] = math.fma
// CHECK-NOT: f64
// CHECK: scf.if
// CHECK: arith.extf {{.*}} : vector<16xf32> to vector<16xf64>
// CHECK: } else {
// CHECK-NOT: f64
// CHECK: return
func.func @sin_single(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.sin %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: func @fmod
// CHECK: scf.while
func.func @fmod(%x: f32, %y: f32) -> f32 {
  %0 = arith.remf %x, %y : f32
  return %0 : f32
}

func.func @others(%x: vector<8xf32>, %d: f64) -> (vector<8xf32>, f64) {
  %0 = math.log %x : vector<8xf32>
  %1 = math.log2 %0 : vector<8xf32>
  %2 = math.log10 %1 : vector<8xf32>
  %3 = math.log1p %2 : vector<8xf32>
  %4 = math.exp2 %3 : vector<8xf32>
  %5 = math.expm1 %4 : vector<8xf32>
  %6 = math.tanh %5 : vector<8xf32>
  %7 = math.erf %6 : vector<8xf32>
  %8 = math.rsqrt %7 : vector<8xf32>
  %9 = math.cos %8 : vector<8xf32>
  %10 = math.erf %d : f64
  %11 = math.tan %10 : f64
  return %9, %11 : vector<8xf32>, f64
}

// What targets have as instructions stays.
// CHECK-LABEL: func @kept
// CHECK-NEXT: math.sqrt
// CHECK-NEXT: math.floor
// CHECK-NEXT: math.fma
func.func @kept(%x: f32) -> f32 {
  %0 = math.sqrt %x : f32
  %1 = math.floor %0 : f32
  %2 = math.fma %1, %x, %x : f32
  return %2 : f32
}

// Two registers take two instructions; a scalar, and lanes that fill no register, take none.
// SCALEF-LABEL: func @exp_of_two
// SCALEF-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.512"
// SCALEF-NOT: llvm.call_intrinsic
// SCALEF: return
func.func @exp_of_two(%x: vector<16xf64>, %y: f32, %z: vector<6xf32>) -> (vector<16xf64>, f32, vector<6xf32>) {
  %0 = math.exp %x : vector<16xf64>
  %1 = math.exp %y : f32
  %2 = math.exp %z : vector<6xf32>
  return %0, %1, %2 : vector<16xf64>, f32, vector<6xf32>
}

// SCALEF-LABEL: func @exp2
// SCALEF: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.256"
// SCALEF-NOT: arith
// SCALEF: return
func.func @exp2(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.exp2 %x : vector<8xf32>
  return %0 : vector<8xf32>
}
