//===- Header.h - the C header of an object ---------------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_OUTPUT_OBJECT_HEADER_H
#define TENSORC_COMPILER_OUTPUT_OBJECT_HEADER_H

#include "compiler/output/object/Signature.h"

namespace tensorc::compiler {

/// True if PREFIX_output_shape_Y exists: some dim of the result is symbolic and
/// all are determined by the caller's dims.
bool hasShapeFunction(const ObjectSignature &signature, unsigned result);

/// Returns the dtype and the shape of a value: "f32[n, 64]".
std::string shapeText(const ObjectSignature &signature, mlir::Type type,
                      const ObjectDims &dims);

/// Returns a self-contained header for C99 and C++.
std::string writeHeader(llvm::ArrayRef<ObjectSignature> signatures,
                        llvm::StringRef stem);

} // namespace tensorc::compiler

#endif
