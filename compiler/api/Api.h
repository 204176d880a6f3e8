//===- Api.h - Conversions between the C interface and the graph ----------===//
#ifndef TENSORC_COMPILER_API_API_H
#define TENSORC_COMPILER_API_API_H

#include "compiler/api/Deferred.h"
#include "compiler/graph/Placement.h"
#include "compiler/graph/Tapes.h"
#include "compiler/include/tensorc/tensorc.h"
#include "compiler/session/jit/Session.h"

#include <cstdlib>
#include <cstring>

namespace tensorc::api {

/// Returns the node of a handle. If the handle is a Deferred (Deferred.h),
/// makes its node first.
inline graph::Node *nodeOf(const tensorc_tensor *tensor) {
  if (Deferred *deferred = Deferred::from(tensor))
    return deferred->node();
  return reinterpret_cast<graph::Node *>(const_cast<tensorc_tensor *>(tensor));
}
inline tensorc_tensor *handleOf(graph::Node *node) {
  return reinterpret_cast<tensorc_tensor *>(node);
}
inline graph::NodeRef refOf(const tensorc_tensor *tensor) {
  return graph::NodeRef(nodeOf(tensor));
}

/// Computes a tensor and returns a node whose buffer has the whole value. A
/// value that is split over ranks is gathered.
tensorc_status *computeWhole(tensorc_tensor *tensor, graph::NodeRef &out);

inline graph::SourceLocation locationOf(tensorc_location at) {
  return {at.file, at.line};
}

inline graph::DType dtypeOf(tensorc_dtype dtype) {
  return dtype >= TENSORC_I1 && dtype <= TENSORC_C128
             ? static_cast<graph::DType>(dtype)
             : graph::DType::None;
}

inline graph::DType dtypeOf(graph::Recorder &r, tensorc_dtype dtype) {
  graph::DType result = dtypeOf(dtype);
  if (result == graph::DType::None)
    r.fail("dtype", "unknown dtype " + llvm::Twine(static_cast<int>(dtype)));
  return result;
}

inline graph::Scalar scalarOf(const tensorc_arg &arg) {
  if (arg.kind == TENSORC_ARG_FLOAT)
    return graph::Scalar::of(arg.real);
  if (arg.kind == TENSORC_ARG_COMPLEX)
    return graph::Scalar::of(arg.real, arg.imaginary);
  if (arg.kind == TENSORC_ARG_UINT)
    return graph::Scalar::of(static_cast<uint64_t>(arg.integer));
  if (arg.kind == TENSORC_ARG_BOOL)
    return graph::Scalar::of(arg.integer != 0);
  return graph::Scalar::of(arg.integer);
}

/// Refuses NULL and unknown kinds; C callers may pass any number.
inline bool checkArg(graph::Recorder &r, const tensorc_arg *arg) {
  if (!arg) {
    r.fail("arg", "an argument is NULL");
    return false;
  }
  int kind;
  static_assert(sizeof kind == sizeof arg->kind);
  std::memcpy(&kind, &arg->kind, sizeof kind);
  if (kind < TENSORC_ARG_TENSOR || kind > TENSORC_ARG_COMPLEX)
    r.fail("arg", "an argument has the unknown kind " + llvm::Twine(kind));
  return r.error.empty();
}

/// True if a tape of this thread has recorded the value. Only recorded
/// operations may then read it.
inline bool isRecorded(const graph::Node *node) {
  const graph::Tapes *tapes = graph::Tapes::current();
  return tapes && tapes->find(node) != graph::Tapes::constant;
}
inline constexpr const char *recordedMessage =
    " is recorded by a tape, which cannot see into what is compiled; call the "
    "function itself, or release() the tape before";

/// Returns the operand, or a null node if it is refused.
inline graph::Operand operandOf(graph::Recorder &r, const tensorc_arg *arg) {
  if (!checkArg(r, arg))
    return static_cast<graph::Node *>(nullptr);
  if (arg->kind == TENSORC_ARG_TENSOR)
    return nodeOf(arg->tensor);
  return scalarOf(*arg);
}

/// Returns the scalar; refuses tensors.
inline graph::Scalar boundOf(graph::Recorder &r, const char *what,
                             const tensorc_arg *arg) {
  if (!checkArg(r, arg))
    return graph::Scalar::of(int64_t{0});
  if (arg->kind == TENSORC_ARG_TENSOR)
    r.fail("arg", llvm::Twine(what) + " must be a number");
  return scalarOf(*arg);
}

/// Refuses values outside of `first` to `last`; C callers may pass any number.
template <typename Enum>
Enum choiceOf(graph::Recorder &r, const char *what, const Enum &value,
              Enum first, Enum last) {
  int number;
  static_assert(sizeof number == sizeof value);
  std::memcpy(&number, &value, sizeof number);
  if (number >= first && number <= last)
    return value;
  r.fail(what, llvm::Twine("unknown ") + what + " " + llvm::Twine(number));
  return first;
}

inline const char *textOf(graph::Recorder &r, const char *what,
                          const char *text) {
  if (!text)
    r.fail("text", llvm::Twine(what) + ": NULL instead of a text");
  return text;
}

inline std::optional<int64_t> axisOrNone(int64_t axis) {
  return axis == TENSORC_NONE ? std::nullopt : std::optional(axis);
}
inline std::optional<double> optionalOf(const double *value) {
  return value ? std::optional(*value) : std::nullopt;
}

/// Refuses an invalid list of `count` elements.
inline bool checkList(graph::Recorder &r, const char *what, int32_t count,
                      const void *elements) {
  if (count < 0)
    r.fail("list",
           llvm::Twine("the number of ") + what + " is " + llvm::Twine(count));
  else if (count > 0 && !elements)
    r.fail("list",
           llvm::Twine(what) + ": NULL instead of " + llvm::Twine(count));
  return r.error.empty();
}

/// Returns the list; empty if it is refused.
inline graph::Ints intsOf(graph::Recorder &r, const char *what, int32_t count,
                          const int64_t *values) {
  bool valid = checkList(r, what, count, values);
  return graph::Ints(values, valid ? count : 0);
}

/// Returns one number for each of x's axes; empty for NULL, which builders
/// refuse.
inline graph::Ints perAxisOf(graph::Recorder &r, const char *what,
                             const tensorc_tensor *x, const int64_t *values,
                             bool isOptional) {
  if (!x || (isOptional && !values))
    return {};
  return intsOf(r, what, nodeOf(x)->rank(), values);
}

inline llvm::SmallVector<graph::Operand> operandsOf(graph::Recorder &r,
                                                    const char *what,
                                                    int32_t count,
                                                    const tensorc_arg *args) {
  llvm::SmallVector<graph::Operand> result;
  if (checkList(r, what, count, args))
    for (const tensorc_arg &arg : llvm::ArrayRef(args, count))
      result.push_back(operandOf(r, &arg));
  return result;
}

inline llvm::SmallVector<graph::NodeRef>
refsOf(graph::Recorder &r, int32_t count,
       const tensorc_tensor *const *tensors) {
  llvm::SmallVector<graph::NodeRef> nodes;
  if (checkList(r, "tensors", count, tensors))
    for (int32_t i = 0; i < count; ++i)
      nodes.push_back(refOf(tensors[i]));
  return nodes;
}

inline tensorc_status *refusal(const llvm::Twine &message) {
  return tensorc_rt_status_create(TENSORC_RT_INVALID_ARGUMENT,
                                  message.str().c_str());
}
inline tensorc_status *refusal(const graph::Recorder &r) {
  return refusal(r.error);
}
/// Checks the out parameter of functions that record nothing.
inline tensorc_status *checkOut(const char *called, const void *out) {
  return out ? nullptr
             : refusal(llvm::Twine(called) + ": the out parameter is NULL");
}

/// Returns a handle for a new node, which is bound to a device if it has none.
/// Returns null, with an error in the recorder, if the node's operands are on
/// different devices.
inline tensorc_tensor *giveHandle(graph::Recorder &r, graph::NodeRef node) {
  if (!graph::checkPlacement(r, *node.get()))
    return nullptr;
  if (!node->device() && !node->isAuto())
    jit::Session::get().bindCurrent(*node.get());
  if (jit::Status status = jit::Session::get().limitPending(*node.get())) {
    r.error = tensorc_rt_status_message(status.get());
    return nullptr;
  }
  node->becomeHandle();
  return handleOf(node.leak());
}

/// Returns a builder's result as a handle, or its error as a status.
inline tensorc_status *finish(graph::Recorder &r, graph::NodeRef node,
                              tensorc_tensor **out) {
  *out = nullptr;
  // Builders call other builders. For a null operand they return a null node
  // without an error, because the failed builder has already reported one.
  if (!node)
    r.fail("", "the operand is an undefined tensor");
  // A builder may have recorded a node although a list argument was refused.
  if (!r.error.empty())
    return refusal(r);
  *out = giveHandle(r, std::move(node));
  return *out ? nullptr : refusal(r);
}

/// Reports the error of one of several results, and releases the others.
inline tensorc_status *refuseAll(const graph::Recorder &r,
                                 tensorc_tensor **results, int32_t count) {
  for (int32_t i = 0; i < count; ++i)
    tensorc_tensor_release(std::exchange(results[i], nullptr));
  return refusal(r);
}

/// Records by `fn(Recorder &)`; errors name `called`.
template <typename Fn>
tensorc_status *record(tensorc_location at, tensorc_tensor **out, Fn fn,
                       const char *called) {
  graph::Recorder r(locationOf(at), called);
  if (!out) {
    r.fail(called, "the out parameter is NULL");
    return refusal(r);
  }
  graph::NodeRef node = fn(r);
  return finish(r, std::move(node), out);
}

/// Fills the fields of `all` that the caller's version has. Public structs
/// begin with their size and only grow. The caller's struct_size is kept.
template <typename T> void fillVersioned(T *out, const T &all) {
  size_t size = out->struct_size;
  if (size > sizeof(T))
    size = sizeof(T);
  if (size > sizeof(size_t))
    std::memcpy(reinterpret_cast<char *>(out) + sizeof(size_t),
                reinterpret_cast<const char *>(&all) + sizeof(size_t),
                size - sizeof(size_t));
}
/// Reads a struct of any version. Fields that an older caller lacks are 0. All
/// fields are 0 if the pointer is NULL.
template <typename T> T readVersioned(const T *in) {
  T result{};
  if (in)
    std::memcpy(&result, in, std::min(in->struct_size, sizeof(T)));
  return result;
}

/// Returns text that tensorc_string_free frees; errors name `called`.
tensorc_status *giveText(const char *called, const std::string &text,
                         char **out);

} // namespace tensorc::api

#endif // TENSORC_COMPILER_API_API_H
