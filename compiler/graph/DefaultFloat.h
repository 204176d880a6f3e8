//===- DefaultFloat.h - The default dtype of floats -------------*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_DEFAULTFLOAT_H
#define TENSORC_COMPILER_GRAPH_DEFAULTFLOAT_H

#include "ir/tx/DType.h"

#include <optional>

namespace tensorc::graph {

/// Returns the dtype, f32 or f64, of floats that are made without a dtype: the
/// calling thread's setting if there is one, else the process's setting, which
/// is initially f32.
tx::DType defaultFloat();
/// Sets the process's default, which applies to all threads without a setting
/// of their own.
void setDefaultFloat(tx::DType dtype);
/// Returns the calling thread's setting, or nullopt if it has none.
std::optional<tx::DType> threadFloat();
void setThreadFloat(std::optional<tx::DType> dtype);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_DEFAULTFLOAT_H
