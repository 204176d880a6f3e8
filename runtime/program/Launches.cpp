//===- Launches.cpp - launches of a program's kernels ---------------------===//
//
// Arguments are compared with the kernels' declarations, so that an invalid
// program cannot make a kernel access memory outside of its buffers.
//
//===----------------------------------------------------------------------===//
#include "runtime/program/Interpreter.h"

#include <algorithm>

using namespace tensorc::rt;

/// Maximum extent: far above any real launch, and so small that sums of extents
/// do not overflow.
static constexpr int64_t maxExtent = int64_t(1) << 48;

Status Interpreter::launch(Frame &frame, const uint32_t *o) {
  const Kernel &kernel = module.program.kernels[o[0]];
  int64_t extent = frame.words[o[1]], grain = frame.words[o[2]];
  int64_t scratch = frame.words[o[3]];
  uint32_t block = o[4];
  if (extent < 0 || extent > maxExtent || grain < 1 || scratch < 0)
    return fail(TENSORC_RT_INVALID_PACKAGE,
                "launches %s with extent %lld, grain %lld, scratch %lld",
                kernel.name, (long long)extent, (long long)grain,
                (long long)scratch);
  Launch launch = {.kernel = module.kernels[o[0]],
                   .name = kernel.name,
                   .args = nullptr,
                   .arity = kernel.arity,
                   .extent = extent,
                   .grain = grain,
                   .scratch = scratch,
                   .block = block};
  tensorc_rt_line line =
      module.lineOf(o[headOperands(o[-1]) - 1], memory.lines);
  launch.file = line.file;
  launch.line = line.line;
  const uint32_t *more = o + 8 + o[5] + o[6] + o[7];
  bool isEmpty = false;
  if (*more++) {
    TENSORC_RT_TRY(readGrid(frame, more, launch, isEmpty));
    more += 5;
  }
  return isEmpty ? Status() : submit(frame, launch, o[0], o + 5, more);
}

/// Maximum grid dims, and maximum bytes of shared memory of a block, over all
/// GPUs.
static constexpr int64_t maxGridX = INT32_MAX, maxGridYZ = UINT16_MAX;
static constexpr int64_t maxSharedBytes = 1 << 20;

Status Interpreter::readGrid(Frame &frame, const uint32_t *o, Launch &launch,
                             bool &isEmpty) const {
  int64_t x = launch.extent, y = frame.words[o[0]], z = frame.words[o[1]];
  int64_t shared = frame.words[o[2]];
  if (std::min({x, y, z, shared}) < 0 || x > maxGridX || y > maxGridYZ ||
      z > maxGridYZ || shared > maxSharedBytes)
    return fail(TENSORC_RT_INVALID_ARGUMENT,
                "%s: a grid of [%lld, %lld, %lld] with %lld bytes of shared "
                "memory is more than GPUs have",
                launch.name, (long long)x, (long long)y, (long long)z,
                (long long)shared);
  isEmpty = y == 0 || z == 0;
  launch.shape = {static_cast<uint32_t>(y), static_cast<uint32_t>(z), o[3],
                  o[4], static_cast<uint32_t>(shared)};
  return Status();
}

/// Maximum size of a dim of a tensor map's window.
static constexpr int64_t maxMapSize = int64_t(1) << 32;

/// Reads tensor maps. `o` begins with their number.
Status Interpreter::readMaps(Frame &frame, const uint32_t *o, TensorMap *maps,
                             uint32_t &count) {
  count = *o++;
  for (uint32_t i = 0; i < count; ++i) {
    TensorMap &map = maps[i] = {};
    map.buffer = *o++;
    map.elementBytes = *o++;
    map.swizzle = *o++;
    map.rank = *o++;
    for (uint32_t d = 0; d < map.rank; ++d)
      map.box[d] = *o++;
    for (uint32_t d = 0; d < map.rank; ++d) {
      map.sizes[d] = frame.words[*o++];
      if (map.sizes[d] < 0 || map.sizes[d] > maxMapSize)
        return fail(TENSORC_RT_INVALID_ARGUMENT,
                    "a tensor map has %lld elements along a dim",
                    (long long)map.sizes[d]);
    }
    for (uint32_t d = 0; d + 1 < map.rank; ++d)
      map.strides[d] = frame.words[*o++];
  }
  return Status();
}

Status Interpreter::checkSizes(Frame &frame, const Launch &launch,
                               const Kernel &kernel,
                               const uint32_t *dims) const {
  Registers<int64_t, 8> given(kernel.sizes.dimCount());
  for (uint32_t i = 0; i < kernel.sizes.dimCount(); ++i)
    given[i] = frame.words[dims[i]];
  int64_t values[2 + maxKernelArity];
  if (const char *wrong = kernel.sizes.evaluate(given.data(), values))
    return fail(TENSORC_RT_FAILED_PRECONDITION, "%s: %s", kernel.name, wrong);
  if (launch.extent != values[0] || launch.scratch < values[1])
    return fail(TENSORC_RT_INVALID_PACKAGE,
                "launches %s with extent %lld and %lld bytes of scratch, it "
                "declares %lld and %lld",
                kernel.name, (long long)launch.extent,
                (long long)launch.scratch, (long long)values[0],
                (long long)values[1]);
  for (uint32_t i = 0; i < kernel.buffers; ++i)
    if (static_cast<int64_t>(launch.sizes[i]) < values[2 + i])
      return fail(TENSORC_RT_INVALID_PACKAGE,
                  "launches %s with %llu bytes as argument %u, it declares "
                  "%lld",
                  kernel.name, (unsigned long long)launch.sizes[i], i,
                  (long long)values[2 + i]);
  const int64_t *size = values + 2 + kernel.buffers;
  for (uint32_t i : kernel.sizeScalars)
    if (static_cast<int64_t>(launch.args[i]) != *size++)
      return fail(TENSORC_RT_INVALID_PACKAGE,
                  "launches %s with %lld as argument %u, it declares %lld",
                  kernel.name, (long long)launch.args[i], i,
                  (long long)size[-1]);
  return Status();
}

/// Checks one argument of a launch: whether it may be written, and its dtype.
Status Interpreter::checkArgument(BufferRef &ref, const Kernel &kernel,
                                  uint32_t i) const {
  ArgRole role = kernel.roles[i];
  tensorc_rt_dtype dtype = kernel.dtypes[i];
  bool isRead = role == ArgRole::Input || role == ArgRole::InOut;
  if (isRead && dtype && ref.dtype && dtype != ref.dtype)
    return fail(TENSORC_RT_INVALID_PACKAGE,
                "launches %s with %s as argument %u, it declares %s",
                kernel.name, tensorc_rt_dtype_name(ref.dtype), i,
                tensorc_rt_dtype_name(dtype));
  if (role == ArgRole::Input)
    return Status();
  if (ref.readOnly)
    TENSORC_RT_TRY(mayWrite(ref, kernel.name));
  ref.dtype = dtype;
  return Status();
}

/// Submits a launch. `o` begins with the numbers of buffers, scalars and
/// declared sizes; `maps` begins with the number of tensor maps.
Status Interpreter::submit(Frame &frame, Launch &launch, uint32_t index,
                           const uint32_t *o, const uint32_t *maps) {
  const Kernel &kernel = module.program.kernels[index];
  uint32_t buffers = o[0], scalars = o[1];
  launch.buffers = buffers;
  o += 3;
  Word arguments[maxKernelArity];
  uint64_t sizes[maxKernelArity];
  for (uint32_t i = 0; i < buffers; ++i) {
    const BufferRef &ref = frame.buffers[o[i]];
    if (!ref.owner)
      return unset();
    arguments[i] = reinterpret_cast<Word>(ref.data);
    sizes[i] = static_cast<uint64_t>(ref.size);
    if (!kernel.roles.empty())
      TENSORC_RT_TRY(checkArgument(frame.buffers[o[i]], kernel, i));
  }
  for (uint32_t i = 0; i < scalars; ++i) {
    arguments[buffers + i] = static_cast<Word>(frame.words[o[buffers + i]]);
    sizes[buffers + i] = 0;
  }
  launch.args = arguments;
  launch.sizes = sizes;
  if (kernel.sizes.isDeclared())
    TENSORC_RT_TRY(checkSizes(frame, launch, kernel, o + buffers + scalars));
  if (launch.extent == 0)
    return Status();
  TENSORC_RT_TRY(mayWork());
  TensorMap described[maxTensorMaps];
  if (*maps) {
    uint32_t count = 0;
    TENSORC_RT_TRY(readMaps(frame, maps, described, count));
    launch.maps = {described, count};
  }
  ++done.launches;
  if (!batching)
    return stream.launch(launch);
  queues.batch.launch(launch);
  return Status();
}
