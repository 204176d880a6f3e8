//===- Transforms.cpp - Fourier transforms by a vendor's library ----------===//
//
// A plan has tables but no workspace; each call uses workspace of its stream.
// So several streams may execute a plan concurrently, but only one thread at a
// time may submit it.
//
//===----------------------------------------------------------------------===//
#include "runtime/drivers/gpu/math/Transforms.h"

#include "runtime/core/Buffer.h"
#include "runtime/drivers/gpu/math/Run.h"

using namespace tensorc::rt;
using namespace tensorc::rt::gpu;

/// True if input and output are rows of complex pairs in f32 or f64, of equal
/// size.
static bool isTransform(const tensorc_rt_op_call &call) {
  if (call.input_count != 1 || call.output_count != 1)
    return false;
  const tensorc_rt_array &x = call.inputs[0], &y = call.outputs[0];
  return (x.dtype == TENSORC_RT_F32 || x.dtype == TENSORC_RT_F64) &&
         x.dtype == y.dtype && x.rank >= 2 && x.rank == y.rank &&
         x.dims[x.rank - 1] == 2 && std::equal(x.dims, x.dims + x.rank, y.dims);
}

static Status queue(GpuStream &stream, GpuDevice &device,
                    const TransformEntryPoints &lib, const TransformPlan &plan,
                    const tensorc_rt_op_call &call, void *work) {
  auto checked = [&](int result, const char *function) {
    return result == success
               ? Status()
               : error(TENSORC_RT_DEVICE_ERROR,
                       "%s: the library for Fourier transforms gives %d for %s",
                       device.name(), result, function);
  };
  TENSORC_RT_TRY(
      checked(lib.setStream(plan.handle, stream.handle()), "SetStream"));
  if (work)
    TENSORC_RT_TRY(checked(lib.setWorkArea(plan.handle, work), "SetWorkArea"));
  auto *transform = plan.isDouble ? lib.transformDouble : lib.transform;
  return checked(
      transform(plan.handle, call.inputs[0].data, call.outputs[0].data,
                has(call.config, "inverse") ? fromFrequencies : toFrequencies),
      plan.isDouble ? "ExecZ2Z" : "ExecC2C");
}

Status gpu::callTransformLibrary(GpuStream &stream,
                                 const tensorc_rt_op_call &call, bool &taken) {
  auto &device = static_cast<GpuDevice &>(stream.device);
  TransformLibrary &transforms = device.math.transforms;
  const TransformEntryPoints *lib = device.openTransforms();
  taken = lib && isTransform(call);
  if (!taken)
    return Status();
  const tensorc_rt_array &x = call.inputs[0];
  int64_t length = x.dims[x.rank - 2], rows = 1;
  for (int32_t d = 0; d < x.rank - 2; ++d)
    rows *= x.dims[d];
  if (rows == 0 || length == 0)
    return Status();
  TENSORC_GPU_SCOPE(device);
  std::lock_guard lock(transforms.mutex);
  int failed = success;
  const char *function = "";
  const TransformPlan *plan = transforms.find(
      length, rows, x.dtype == TENSORC_RT_F64, failed, function);
  if (!plan)
    return error(TENSORC_RT_DEVICE_ERROR,
                 "%s: the library for Fourier transforms gives %d for %s of "
                 "%lld rows of %lld elements",
                 device.name(), failed, function, (long long)rows,
                 (long long)length);
  Buffer *work = nullptr;
  if (plan->workSize)
    TENSORC_RT_TRY(device.allocator.allocate(plan->workSize, work, stream.id));
  Status status =
      queue(stream, device, *lib, *plan, call, work ? work->data : nullptr);
  if (work)
    stream.retire({work}, nullptr);
  return status;
}
