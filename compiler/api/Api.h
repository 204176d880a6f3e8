//===- Api.h - Between the C interface and the graph ----------------------===//
#ifndef TENSORC_COMPILER_API_API_H
#define TENSORC_COMPILER_API_API_H

#include "compiler/graph/Builders.h"
#include "compiler/include/tensorc/tensorc.h"
#include "compiler/jit/Session.h"

#include <cstdlib>
#include <cstring>

namespace tensorc::api {

/// A handle is the node itself.
inline graph::Node *nodeOf(const tensorc_tensor *tensor) {
  return reinterpret_cast<graph::Node *>(const_cast<tensorc_tensor *>(tensor));
}
inline tensorc_tensor *handleOf(graph::Node *node) {
  return reinterpret_cast<tensorc_tensor *>(node);
}
inline graph::NodeRef refOf(const tensorc_tensor *tensor) {
  return graph::NodeRef(nodeOf(tensor));
}

inline graph::SourceLocation locationOf(tensorc_location at) {
  return {at.file, at.line};
}

inline graph::DType dtypeOf(tensorc_dtype dtype) {
  return dtype >= TENSORC_I1 && dtype <= TENSORC_F64
             ? static_cast<graph::DType>(dtype)
             : graph::DType::None;
}

inline graph::Scalar scalarOf(const tensorc_arg &arg) {
  if (arg.kind == TENSORC_ARG_FLOAT)
    return graph::Scalar::of(arg.value.f);
  if (arg.kind == TENSORC_ARG_UINT)
    return graph::Scalar::of(arg.value.u);
  if (arg.kind == TENSORC_ARG_BOOL)
    return graph::Scalar::of(arg.value.i != 0);
  return graph::Scalar::of(arg.value.i);
}

inline graph::Operand operandOf(const tensorc_arg &arg) {
  if (arg.kind == TENSORC_ARG_TENSOR)
    return nodeOf(arg.value.tensor);
  return scalarOf(arg);
}

/// The result of a builder as a handle, or its error as a status.
inline tensorc_status *finish(graph::Recorder &r, graph::NodeRef node,
                              tensorc_tensor **out) {
  if (!node) {
    *out = nullptr;
    return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                    r.error.c_str());
  }
  node->becomeHandle();
  *out = handleOf(node.leak());
  return nullptr;
}

/// Records by `fn(Recorder &)`; errors name `called` if it is given.
template <typename Fn>
tensorc_status *record(tensorc_location at, tensorc_tensor **out, Fn fn,
                       const char *called = nullptr) {
  graph::Recorder r(locationOf(at), called);
  graph::NodeRef node = fn(r);
  return finish(r, std::move(node), out);
}

/// Public structs begin with their size and only grow: what the caller's
/// version has of `all`, whose struct_size stays the caller's.
template <typename T> void fillVersioned(T *out, const T &all) {
  size_t size = out->struct_size;
  if (size > sizeof(T))
    size = sizeof(T);
  if (size > sizeof(size_t))
    std::memcpy(reinterpret_cast<char *>(out) + sizeof(size_t),
                reinterpret_cast<const char *>(&all) + sizeof(size_t),
                size - sizeof(size_t));
}
/// What an older caller leaves out is 0.
template <typename T> T readVersioned(const T &in) {
  T result{};
  std::memcpy(&result, &in, std::min(in.struct_size, sizeof(T)));
  return result;
}

/// Text that tensorc_string_free frees.
tensorc_status *giveText(const std::string &text, char **out);

} // namespace tensorc::api

#endif // TENSORC_COMPILER_API_API_H
