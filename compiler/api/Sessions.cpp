//===- Sessions.cpp - Devices, counters, functions: the C interface -------===//

#include "compiler/api/Api.h"

#include "compiler/api/Callable.h"
#include "compiler/graph/DefaultFloat.h"
#include "compiler/graph/LiveHandles.h"
#include "compiler/graph/ops/MatmulPrecision.h"
#include "compiler/log/Progress.h"
#include "compiler/output/pipelines/HostLock.h"
#include "compiler/session/jit/ThreadObjects.h"
#include "compiler/session/jit/stages/Stages.h"
#include "tensorc/compile.h"
#include "tensorc/devices.h"
#include "tensorc/progress.h"
#include "tensorc/tune.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <forward_list>

using namespace tensorc;
using namespace tensorc::api;
using graph::Node;
using graph::Recorder;

tensorc_status *tensorc_set_default_device(const char *name) {
  return jit::Session::get().setDefaultDevice(name ? name : "cpu").release();
}

tensorc_status *tensorc_default_device(char **out) {
  return giveText("default_device", jit::Session::get().defaultDevice(), out);
}

void tensorc_get_compile_stats(tensorc_compile_stats *out) {
  if (!out)
    return;
  jit::CompileStats stats = jit::Session::get().stats();
  auto reason = [&](jit::Reason r) {
    return stats.reasons[static_cast<unsigned>(r)];
  };
  tensorc_compile_stats all = {sizeof all,
                               stats.compilations,
                               stats.hits,
                               stats.seconds,
                               reason(jit::Reason::NewStructure),
                               reason(jit::Reason::SecondSize),
                               reason(jit::Reason::SizesNotExpressible),
                               reason(jit::Reason::SymbolicFailed),
                               stats.diskHits,
                               stats.diskMisses,
                               reason(jit::Reason::FrequentSizes),
                               stats.kernels,
                               stats.codeBytes,
                               stats.processorSeconds};
  fillVersioned(out, all);
}

tensorc_status *
tensorc_set_disk_cache(const tensorc_disk_cache_options *given) {
  cache::DiskCacheOptions options;
  if (given) {
    auto known = readVersioned(given);
    auto text = [](const char *text) { return std::string(text ? text : ""); };
    options.folder = text(known.folder);
    if (options.folder == "auto")
      options.folder = cache::DiskCacheOptions::userFolder();
    options.readOnlyFolder = text(known.read_only_folder);
    if (known.size_limit)
      options.limit = known.size_limit == UINT64_MAX ? 0 : known.size_limit;
  }
  jit::Session::get().setDiskCache(std::move(options));
  return nullptr;
}

tensorc_status *tensorc_disk_cache_folder(char **out) {
  return giveText("disk_cache_folder", jit::Session::get().diskCacheFolder(),
                  out);
}

tensorc_status *tensorc_set_tuning(const char *path) {
  return jit::Session::get().setTuning(std::string(path ? path : "")).release();
}

tensorc_status *tensorc_tune(tensorc_tensor *const *tensors, int32_t count,
                             const tensorc_tune_options *given,
                             tensorc_tuned *out) {
  Recorder r({}, "tune");
  if (!checkList(r, "tensors", count, tensors))
    return refusal(r);
  llvm::SmallVector<Node *, 4> roots;
  for (int32_t i = 0; i < count; ++i) {
    if (!tensors[i])
      return refusal("tune: the tensor is undefined");
    roots.push_back(nodeOf(tensors[i]));
  }
  auto options = given ? readVersioned(given) : tensorc_tune_options{};
  double seconds = options.seconds == 0 ? 60 : options.seconds;
  if (!(seconds > 0))
    return refusal("tune: seconds is not above 0");
  std::vector<tuning::TunedKernel> kernels;
  jit::Status status = jit::Session::get().tune(
      roots, seconds, options.path ? options.path : "", kernels);
  if (out) {
    tensorc_tuned all{sizeof all, 0, 0, 0, 0};
    for (const tuning::TunedKernel &kernel : kernels) {
      all.kernels += kernel.tried > 0;
      all.faster += kernel.isFaster();
      all.usual_seconds += kernel.usualSeconds;
      all.seconds += kernel.seconds;
    }
    fillVersioned(out, all);
  }
  return status.release();
}

void tensorc_reset_compile_stats(int32_t forget_kernels) {
  jit::Session::get().reset(forget_kernels);
}

void tensorc_set_progress(int32_t on) { Progress::enable(on); }

void tensorc_set_progress_file(int32_t descriptor) {
  Progress::setFile(descriptor);
}

void tensorc_set_store_intermediates(int32_t on) {
  graph::setStoreIntermediates(on);
}

void tensorc_set_op_by_op(int32_t on) { jit::Session::get().setOpByOp(on); }

tensorc_status *tensorc_set_host_lock(tensorc_leave_fn leave,
                                      tensorc_enter_fn enter) {
  if (!leave != !enter)
    return refusal("set_host_lock: one of the two functions is NULL");
  if (!leave) {
    compiler::HostLock::set(nullptr);
    return nullptr;
  }
  // The previous functions are never freed, because other threads may be
  // between the calls of the two.
  static std::mutex mutex;
  static auto &all = *new std::forward_list<compiler::HostLock::Calls>;
  std::scoped_lock lock(mutex);
  all.push_front({leave, enter});
  compiler::HostLock::set(&all.front());
  return nullptr;
}

tensorc_status *tensorc_set_matmul_precision(const char *name) {
  auto precision = graph::matmulPrecisionFrom(name ? name : "highest");
  if (!precision)
    return refusal(llvm::Twine("set_matmul_precision: \"") + name +
                   "\" is not \"highest\", \"tf32\" or \"bf16\"");
  graph::setMatmulPrecision(*precision);
  return nullptr;
}

const char *tensorc_matmul_precision(void) {
  return graph::nameOf(graph::matmulPrecision());
}

namespace {
/// True if floats without a dtype can have this dtype.
bool isDefault(tensorc_dtype dtype) {
  return dtype == TENSORC_F32 || dtype == TENSORC_F64;
}
tensorc_status *refuseDefault(const char *function, tensorc_dtype dtype) {
  return refusal(llvm::Twine(function) +
                 ": the default dtype is f32 or f64, not " +
                 tensorc_dtype_name(dtype));
}
} // namespace

tensorc_status *tensorc_set_default_dtype(tensorc_dtype dtype) {
  if (!isDefault(dtype))
    return refuseDefault("set_default_dtype", dtype);
  graph::setDefaultFloat(static_cast<graph::DType>(dtype));
  return nullptr;
}

tensorc_status *tensorc_set_thread_dtype(tensorc_dtype dtype) {
  if (!dtype)
    graph::setThreadFloat(std::nullopt);
  else if (!isDefault(dtype))
    return refuseDefault("set_thread_dtype", dtype);
  else
    graph::setThreadFloat(static_cast<graph::DType>(dtype));
  return nullptr;
}

tensorc_dtype tensorc_default_dtype(void) {
  return static_cast<tensorc_dtype>(graph::defaultFloat());
}

tensorc_dtype tensorc_thread_dtype(void) {
  auto dtype = graph::threadFloat();
  return dtype ? static_cast<tensorc_dtype>(*dtype) : tensorc_dtype{};
}

tensorc_status *tensorc_last_kernels(char **out) {
  return giveText("last_kernels",
                  llvm::join(jit::Session::get().lastKernels(), "\n"), out);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {
/// The nodes of a list of handles. Usually all handles are nodes, and the list
/// is used as it is.
class Nodes {
public:
  Nodes(tensorc_tensor *const *tensors, int32_t count)
      : list(reinterpret_cast<Node *const *>(tensors),
             static_cast<size_t>(count)) {
    llvm::ArrayRef handles(tensors, list.size());
    if (llvm::none_of(handles, Deferred::from))
      return;
    for (tensorc_tensor *handle : handles)
      made.push_back(nodeOf(handle));
    list = made;
  }
  Nodes(const Nodes &) = delete;
  operator llvm::ArrayRef<Node *>() const { return list; }
  auto begin() const { return list.begin(); }
  auto end() const { return list.end(); }

private:
  llvm::ArrayRef<Node *> list;
  llvm::SmallVector<Node *, 0> made;
};
} // namespace

const char *tensorc_set_tracer(const char *name) {
  return std::exchange(jit::tracer, name ? name : "jit");
}

const char *tensorc_tracer(void) { return jit::tracer; }

tensorc_status *tensorc_trace_argument(tensorc_dtype dtype, int32_t rank,
                                       const int64_t *dims, tensorc_location at,
                                       tensorc_tensor **out) {
  return record(
      at, out,
      [&](Recorder &r) -> graph::NodeRef {
        graph::Ints shape = intsOf(r, "dims", rank, dims);
        if (dtypeOf(dtype) == graph::DType::None)
          return r.fail("jit", "unknown dtype");
        if (!graph::checkShape(r, "jit", dtypeOf(dtype), shape))
          return {};
        return graph::placeholder(r, dtypeOf(dtype), shape);
      },
      "jit");
}

tensorc_status *tensorc_function_create(tensorc_tensor *const *arguments,
                                        int32_t argument_count,
                                        tensorc_tensor *const *results,
                                        int32_t result_count,
                                        tensorc_function **out) {
  if (auto *status = checkOut("jit", out))
    return status;
  *out = nullptr;
  Recorder r({}, "jit");
  if (!checkList(r, "arguments", argument_count, arguments) ||
      !checkList(r, "results", result_count, results))
    return refusal(r);
  Nodes given(arguments, argument_count), made(results, result_count);
  if (llvm::is_contained(given, nullptr))
    return refusal("jit: an argument is an undefined tensor");
  if (llvm::is_contained(made, nullptr))
    return refusal("jit: a result is an undefined tensor");
  jit::Status status;
  auto function = jit::compileFunction(given, made, status);
  if (!status)
    *out = new tensorc_function{std::move(function)};
  return status.release();
}

void tensorc_function_release(tensorc_function *function) { delete function; }

int32_t tensorc_function_accepts(const tensorc_function *function,
                                 tensorc_tensor *const *arguments,
                                 int32_t count) {
  if (!function || count < 0 || (count > 0 && !arguments))
    return 0;
  return (*function)->accepts(Nodes(arguments, count));
}

int32_t tensorc_function_argument_count(const tensorc_function *function) {
  return function ? (*function)->numArguments() : 0;
}

int32_t tensorc_function_result_count(const tensorc_function *function) {
  return function ? (*function)->numResults() : 0;
}

static tensorc_status *callFunction(const tensorc_function *function,
                                    tensorc_tensor *const *arguments,
                                    const jit::RunMemory &memory,
                                    tensorc_tensor **results) {
  int32_t count = (*function)->numArguments();
  if (count > 0 && !arguments)
    return refusal("jit: the arguments are NULL");
  Nodes nodes(arguments, count);
  if (!(*function)->accepts(nodes))
    return refusal("jit: " + (*function)->refusalOf(nodes));
  if (graph::Tapes::current())
    for (auto [i, argument] : llvm::enumerate(nodes))
      if (isRecorded(argument))
        return refusal("jit: argument " + llvm::Twine(i) + recordedMessage);
  return (*function)
      ->call(nodes, memory, reinterpret_cast<Node **>(results))
      .release();
}

tensorc_status *tensorc_function_call(const tensorc_function *function,
                                      tensorc_tensor *const *arguments,
                                      tensorc_tensor **results) {
  if (!function)
    return refusal("jit: the function is NULL");
  if ((*function)->numResults() > 0 && !results)
    return refusal("jit: the results are NULL");
  return callFunction(function, arguments, {}, results);
}

tensorc_status *tensorc_function_call_into(const tensorc_function *function,
                                           tensorc_tensor *const *arguments,
                                           const tensorc_call_options *options,
                                           tensorc_tensor **results) {
  if (!function)
    return refusal("jit: the function is NULL");
  jit::RunMemory memory;
  if (options) {
    auto known = readVersioned(options);
    if (known.donated)
      memory.donated = {known.donated, (*function)->numArguments()};
    if (known.outputs)
      memory.outputs = {const_cast<tensorc_rt_buffer **>(known.outputs),
                        (*function)->numResults()};
  }
  if (!results && memory.outputs.empty() && (*function)->numResults() > 0)
    return refusal("jit: the results are NULL, and there are no buffers");
  // An argument must not be donated twice, because the caller can give up only
  // one reference.
  for (size_t i = 0; arguments && i < memory.donated.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (memory.donated[i] && memory.donated[j] &&
          arguments[i] == arguments[j])
        return refusal("jit: argument " + llvm::Twine(i) +
                       " is given up as argument " + llvm::Twine(j) +
                       " already");
  tensorc_status *status = callFunction(function, arguments, memory, results);
  for (size_t i = 0; arguments && i < memory.donated.size(); ++i)
    if (memory.donated[i])
      tensorc_tensor_release(arguments[i]);
  return status;
}

static tensorc_status *typeOf(const tensorc_function *function, bool isResult,
                              int32_t index, tensorc_type *out) {
  if (auto *refused = checkOut("jit", out))
    return refused;
  *out = {};
  if (!function)
    return refusal("jit: the function is NULL");
  size_t count =
      isResult ? (*function)->numResults() : (*function)->numArguments();
  if (index < 0 || static_cast<size_t>(index) >= count)
    return refusal(llvm::Twine("jit: the function has no ") +
                   (isResult ? "result " : "argument ") + llvm::Twine(index));
  jit::Function::ValueType type = isResult ? (*function)->resultType(index)
                                           : (*function)->argumentType(index);
  out->dtype = static_cast<tensorc_dtype>(type.dtype);
  out->rank = static_cast<int32_t>(type.shape.size());
  llvm::copy(type.shape, out->dims);
  return nullptr;
}

tensorc_status *tensorc_function_argument(const tensorc_function *function,
                                          int32_t index, tensorc_type *out) {
  return typeOf(function, /*isResult=*/false, index, out);
}

tensorc_status *tensorc_function_result(const tensorc_function *function,
                                        int32_t index, tensorc_type *out) {
  return typeOf(function, /*isResult=*/true, index, out);
}

tensorc_status *tensorc_function_rebind(tensorc_function *function,
                                        int32_t capture,
                                        tensorc_tensor *value) {
  if (!function)
    return refusal("rebind: the function is NULL");
  if (!value)
    return refusal("rebind: the tensor is undefined");
  return (*function)->rebind(capture, nodeOf(value)).release();
}

int32_t tensorc_function_captures(const tensorc_function *function,
                                  tensorc_capture *out, int32_t capacity) {
  if (!function)
    return 0;
  llvm::ArrayRef<jit::Function::Capture> all = (*function)->captures();
  for (int32_t i = 0; out && i < capacity && i < int32_t(all.size()); ++i) {
    const jit::Function::Capture &from = all[i];
    Node *node = from.tensor.get();
    auto dtype = node ? node->dtype() : from.dtype;
    double number = 0;
    int64_t integer;
    uint64_t bits = from.bits;
    tensorc_rt_array scalar = {&bits, static_cast<tensorc_rt_dtype>(dtype), 0,
                               nullptr};
    if (!node)
      tensorc_rt_status_free(
          tensorc_rt_array_element(&scalar, 0, &number, &integer));
    out[i] = {node ? handleOf(node) : nullptr,
              static_cast<tensorc_dtype>(dtype),
              number,
              {from.location.file, from.location.line}};
  }
  return static_cast<int32_t>(all.size());
}

tensorc_status *tensorc_function_memory(const tensorc_function *function,
                                        uint64_t *out) {
  if (auto *refused = checkOut("jit", out))
    return refused;
  *out = 0;
  if (!function)
    return refusal("jit: the function is NULL");
  tensorc_rt_memory_plan plan;
  jit::Status status = (*function)->measure(plan);
  if (!status)
    *out = plan.peak;
  return status.release();
}
