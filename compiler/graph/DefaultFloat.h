//===- DefaultFloat.h - The dtype of floats without one ---------*- C++ -*-===//
#ifndef TENSORC_COMPILER_GRAPH_DEFAULTFLOAT_H
#define TENSORC_COMPILER_GRAPH_DEFAULTFLOAT_H

#include "compiler/graph/DType.h"

namespace tensorc::graph {

/// The dtype of a float that has none, f32 or f64: the calling thread's choice,
/// or else the process's, which is f32 at first.
DType defaultFloat();
/// For all threads that have made no choice.
void setDefaultFloat(DType dtype);
/// The calling thread's choice; nullopt if it has made none.
std::optional<DType> threadFloat();
void setThreadFloat(std::optional<DType> dtype);

} // namespace tensorc::graph

#endif // TENSORC_COMPILER_GRAPH_DEFAULTFLOAT_H
