//===- CustomCalls.cpp - functions that the embedder registers ------------===//
#include "runtime/program/calls/CustomCalls.h"

#include "runtime/core/Callback.h"
#include "runtime/core/HostMemory.h"
#include "runtime/core/check/Checks.h"
#include "runtime/core/check/GuardedMemory.h"
#include "runtime/core/threads/Fork.h"

#include "tensorc/communicator.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <map>
#include <memory>

using namespace tensorc::rt;

using Registry = std::map<std::string, CustomCall>; // nodes never move

/// Placeholder for functions that only a vendor's library implements. Reports
/// an error on other devices.
static tensorc_rt_status *needsLibrary(const tensorc_rt_op_call *) {
  return error(
             TENSORC_RT_UNSUPPORTED,
             "the device has no library for Fourier transforms of such values")
      .release();
}

static Registry *makeRegistry() {
  static const auto *builtin = new std::array<OpFunction, 5>{
      {{"collective", tensorc_rt_collective_op, nullptr},
       {"check_numerics", tensorc_rt_check_numerics, nullptr},
       {"fourier.fft", needsLibrary, nullptr},
       {"debug_print", tensorc_rt_debug_print, nullptr},
       {"x[mask] = values", tensorc_rt_check_mask, nullptr}}};
  auto made = std::make_unique<Registry>();
  for (const OpFunction &op : *builtin)
    made->emplace(op.name, callOf(op));
  return made.release();
}

/// Returns the registry. Requires the process lock for custom calls. Never
/// destroyed.
static Registry &registry() {
  static constinit Registry *registry = nullptr;
  if (!registry)
    registry = makeRegistry();
  return *registry;
}

static const CustomCall *findRegistered(const std::string &name) {
  ProcessLockGuard lock(ProcessLock::CustomCalls);
  auto found = registry().find(name);
  return found == registry().end() ? nullptr : &found->second;
}

/// Returns the function from libtensorc_linalg.so, or null. The library is in
/// the folder of this library; it is loaded once and never unloaded. If it is
/// missing, each call looks for it again.
static tensorc_rt_op_fn linearAlgebraFunction(const char *name) {
  Dl_info self = {};
  std::string path = "libtensorc_linalg.so";
  if (dladdr(reinterpret_cast<void *>(&linearAlgebraFunction), &self) &&
      self.dli_fname) {
    std::string own = self.dli_fname;
    size_t slash = own.rfind('/');
    if (slash != std::string::npos)
      path = own.substr(0, slash + 1) + path;
  }
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return nullptr;
  auto find = reinterpret_cast<tensorc_rt_op_fn (*)(const char *)>(
      dlsym(library, "tensorc_linalg_function"));
  return find ? find(name) : nullptr;
}

const CustomCall *tensorc::rt::findCustomCall(const std::string &name) {
  const CustomCall *found = findRegistered(name);
  constexpr const char *prefix = "linalg.";
  constexpr size_t length = std::char_traits<char>::length(prefix);
  if (found || name.compare(0, length, prefix) != 0)
    return found;
  tensorc_rt_op_fn function = linearAlgebraFunction(name.c_str() + length);
  if (!function)
    return nullptr;
  // Fails if another thread has already registered the function, which is
  // harmless.
  tensorc_rt_status_free(
      tensorc_rt_register_op(name.c_str(), function, nullptr));
  return findRegistered(name);
}

tensorc_rt_status *tensorc_rt_register_custom_call(const char *name,
                                                   tensorc_rt_custom_call_fn fn,
                                                   void *user) try {
  if (!name || !*name || !fn)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "a custom call needs a name and a function")
        .release();
  ProcessLockGuard lock(ProcessLock::CustomCalls);
  if (!registry().emplace(name, CustomCall{fn, user}).second)
    return error(TENSORC_RT_INVALID_ARGUMENT,
                 "a custom call '%s' is already registered", name)
        .release();
  return nullptr;
} catch (const std::bad_alloc &) {
  return outOfMemory().release();
}

/// Checks for stray writes of the function around its arguments.
static Status verifyMemory(const std::string &name,
                           const CustomCallArgs &args) {
  auto verify = [&](const char *kind, const auto &list,
                    const std::vector<size_t> &sizes) -> Status {
    for (size_t i = 0; i < list.size(); ++i) {
      StrayWrite stray;
      if (sizes[i] && findStrayWrite(list[i], stray))
        return error(TENSORC_RT_DEVICE_ERROR,
                     "custom call '%s' wrote %u bytes outside its buffers, the "
                     "first at byte %lld of %s %zu, which has %zu "
                     "(TENSORC_CHECK=memory)",
                     name.c_str(), stray.count, (long long)stray.offset, kind,
                     i, sizes[i]);
    }
    return Status();
  };
  TENSORC_RT_TRY(verify("output", args.outputs, args.outputSizes));
  return verify("input", args.inputs, args.inputSizes);
}

static Status callFunction(const CustomCall &target, Device &device,
                           const std::string &name, const std::string &config,
                           const CustomCallArgs &args) {
  tensorc_rt_custom_call call = {target.user,
                                 &device,
                                 static_cast<int32_t>(args.inputs.size()),
                                 static_cast<int32_t>(args.outputs.size()),
                                 static_cast<int32_t>(args.scalars.size()),
                                 args.inputs.data(),
                                 args.inputSizes.data(),
                                 args.outputs.data(),
                                 args.outputSizes.data(),
                                 args.scalars.data(),
                                 config.c_str()};
  TENSORC_RT_TRY(callEmbedder("custom call ", name.c_str(),
                              [&] { return Status(target.fn(&call)); }));
  return checks().memory ? verifyMemory(name, args) : Status();
}

namespace {
struct HostBlocks {
  ~HostBlocks() {
    for (auto [data, size] : list)
      freeHostMemory(data, size);
  }
  std::vector<std::pair<void *, size_t>> list;
};

/// Host memory that lives until the stream has finished all work that was
/// queued before this object is destroyed.
class Staging {
public:
  explicit Staging(Stream &stream) : stream(stream) {}
  Staging(const Staging &) = delete;
  ~Staging() { stream.retire({}, std::move(blocks)); }

  Status allocate(size_t size, void *&data) {
    blocks->list.reserve(blocks->list.size() + 1);
    data = allocateHostMemory(std::max<size_t>(size, 1));
    if (!data)
      return outOfMemory();
    blocks->list.emplace_back(data, std::max<size_t>(size, 1));
    return Status();
  }

private:
  Stream &stream;
  std::shared_ptr<HostBlocks> blocks = std::make_shared<HostBlocks>();
};
} // namespace

/// Queues a call with host memory instead of device memory, and with copies
/// from and to the device.
static Status queueWithCopies(Stream &stream, const CustomCall &target,
                              const std::string &name,
                              const std::string &config, CustomCallArgs args,
                              const tensorc_rt_line &line) {
  Staging staging(stream);
  for (size_t i = 0; i < args.inputs.size(); ++i) {
    void *data = nullptr;
    TENSORC_RT_TRY(staging.allocate(args.inputSizes[i], data));
    TENSORC_RT_TRY(stream.copy(data, args.inputs[i], args.inputSizes[i],
                               CopyKind::DeviceToHost));
    args.inputs[i] = data;
  }
  std::vector<void *> results = args.outputs;
  for (size_t i = 0; i < results.size(); ++i)
    TENSORC_RT_TRY(staging.allocate(args.outputSizes[i], args.outputs[i]));
  TENSORC_RT_TRY(stream.call([&target, &device = stream.device, &name, &config,
                              args, line]() -> Status {
    Status status = callFunction(target, device, name, config, args);
    if (status.ok() || !line.file)
      return status;
    return error(status.get()->code, "%s (%s:%u)",
                 status.get()->message.c_str(), line.file, line.line);
  }));
  for (size_t i = 0; i < results.size(); ++i)
    TENSORC_RT_TRY(stream.copy(results[i], args.outputs[i], args.outputSizes[i],
                               CopyKind::HostToDevice));
  return Status();
}

Status tensorc::rt::queueCustomCall(Stream &stream, const CustomCall &target,
                                    const std::string &name,
                                    const std::string &config,
                                    CustomCallArgs args,
                                    const tensorc_rt_line &line) {
  bool taken = false;
  TENSORC_RT_TRY(queueLibraryCall(stream, name, config, args, taken));
  if (taken)
    return Status();
  if (!stream.device.hostVisible())
    return queueWithCopies(stream, target, name, config, std::move(args), line);
  return stream.call([&target, &device = stream.device, &name, &config,
                      args = std::move(args)] {
    return callFunction(target, device, name, config, args);
  });
}
