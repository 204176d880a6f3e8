//===- DefaultFloat.h - The dtype of floats without one ---------*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_DEFAULTFLOAT_H
#define TENSORC_COMPILER_GRAPH_DEFAULTFLOAT_H

#include "ir/tx/DType.h"

#include <optional>

namespace tensorc::graph {

/// The dtype of a float that has none, f32 or f64: the calling thread's choice,
/// or else the process's, which is f32 at first.
tx::DType defaultFloat();
/// For all threads that have made no choice.
void setDefaultFloat(tx::DType dtype);
/// The calling thread's choice; nullopt if it has made none.
std::optional<tx::DType> threadFloat();
void setThreadFloat(std::optional<tx::DType> dtype);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_DEFAULTFLOAT_H
