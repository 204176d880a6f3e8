//===- Magnitudes.h - Whether products of bf16 can be subnormal -*- C++ -*-===//
//
// The instructions that multiply bf16 take subnormal numbers for zeros. Where
// every operand and every sum is zero or normal, that changes nothing. This is
// known from the smallest magnitudes of both operands: a product, and with it
// each nonzero sum, is a multiple of the product of the operands' lowest bits.
//
// A magnitude is the bits without the sign, minus one: as unsigned integers,
// zeros wrap around to the maximum and do not count as small.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_MAGNITUDES_H
#define TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_MAGNITUDES_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Value.h"

namespace tensorc::codegen::simd {

/// Returns the magnitudes of the bf16 in a vector of 32-bit words, as i16.
mlir::Value magnitudesOf(mlir::ImplicitLocOpBuilder &b, mlir::Value words);
/// Returns the smallest lane of a vector of magnitudes, as i32.
mlir::Value smallestOf(mlir::ImplicitLocOpBuilder &b, mlir::Value magnitudes);
/// Returns an i1 that is true if no operand, product or partial sum can be
/// subnormal, given the smallest magnitudes of the operands.
mlir::Value areNormal(mlir::ImplicitLocOpBuilder &b, mlir::Value smallestOfX,
                      mlir::Value smallestOfY);
/// Returns the bf16 in the lower or higher half of each word, as f32.
mlir::Value halvesOf(mlir::ImplicitLocOpBuilder &b, mlir::Value words,
                     bool higher);

} // namespace tensorc::codegen::simd

#endif // TENSORC_CODEGEN_EMITTERS_SIMD_CONTRACTION_AMX_MAGNITUDES_H
