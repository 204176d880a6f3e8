//===- FakeTransforms.cpp - cuFFT and hipFFT ------------------------------===//
//
// Rows of pairs in a fake GPU's memory, transformed in stream order: by the
// definition for each prime factor of the length. What callers must not forget
// is refused: memory to work in, a stream, a direction. It is there only if the
// environment asks, as programs are compiled in another way with it.
//
//===----------------------------------------------------------------------===//
#include "EntryPoints.h"

#include "runtime/drivers/gpu/math/TransformApi.h"

#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <vector>

using namespace tensorc::fakes;
using namespace tensorc::rt::gpu;

namespace {

// The functions' types are those by which they are called, which the sanitizer
// compares. What is read and written of a plan is what the library has there.
#ifdef FAKE_CUDA
using Plan_t = int;
#define FFT(name) cufft##name
#else
using Plan_t = struct PlanObject *;
#define FFT(name) hipfft##name
#endif

constexpr int invalidPlan = 1, refused = 4; // CUFFT_INVALID_VALUE

struct Plan {
  bool ownsWork = true, isMade = false;
  int64_t length = 0, rows = 0;
  int type = 0;
  size_t workSize = 0;
  void *work = nullptr;
  FakeStream *stream = nullptr;
};

std::mutex plansMutex;
std::map<intptr_t, Plan> &plans() {
  static auto *list = new std::map<intptr_t, Plan>;
  return *list;
}
Plan *at(TransformHandle handle) {
  auto found = plans().find((intptr_t)(Plan_t)handle);
  return found == plans().end() ? nullptr : &found->second;
}

using Row = std::vector<std::complex<double>>;

/// Of elements `step` apart, by the smallest factor of their number.
Row transformed(const Row &x, size_t first, size_t step, size_t count,
                double sign) {
  if (count == 1)
    return {x[first]};
  size_t radix = 2;
  while (count % radix != 0)
    ++radix;
  size_t part = count / radix;
  std::vector<Row> parts;
  for (size_t r = 0; r < radix; ++r)
    parts.push_back(transformed(x, first + r * step, step * radix, part, sign));
  Row roots(count), y(count);
  for (size_t k = 0; k < count; ++k)
    roots[k] =
        std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(k) /
                            static_cast<double>(count));
  for (size_t k = 0; k < count; ++k)
    for (size_t r = 0; r < radix; ++r)
      y[k] += parts[r][k % part] * roots[r * k % count];
  return y;
}

template <typename T>
int transform(TransformHandle handle, const void *in, void *out,
              int direction) {
  std::lock_guard lock(plansMutex);
  Plan *plan = at(handle);
  if (!plan || !plan->isMade)
    return invalidPlan;
  if (plan->type != (sizeof(T) == 4 ? pairsOfFloat : pairsOfDouble) ||
      (direction != toFrequencies && direction != fromFrequencies) ||
      !plan->stream || plan->ownsWork || !plan->work)
    return refused;
  count(Count::Transforms);
  plan->stream->enqueue([plan = *plan, in, out, direction] {
    FakeDevice &device = plan.stream->device;
    auto length = static_cast<size_t>(plan.length);
    size_t bytes =
        static_cast<size_t>(plan.rows) * length * sizeof(std::complex<T>);
    using Pairs = std::complex<T> *;
    auto from = reinterpret_cast<Pairs>(device.memory.host(in, bytes));
    auto to = reinterpret_cast<Pairs>(device.memory.host(out, bytes));
    char *work = device.memory.host(plan.work, plan.workSize);
    if (!from || !to || !work)
      return device.fail(illegalAddress);
    std::fill_n(work, plan.workSize, '\xff'); // It is overwritten.
    for (int64_t r = 0; r < plan.rows; ++r, from += length, to += length) {
      Row y = transformed(Row(from, from + length), 0, 1, length, direction);
      for (size_t k = 0; k < length; ++k)
        to[k] = std::complex<T>(y[k]);
    }
  });
  return success;
}

} // namespace

extern "C" {

FAKE_EXPORT int FFT(GetVersion)(int *version) {
  const char *isOn = std::getenv("TENSORC_FAKE_TRANSFORMS");
  if (!isOn || std::strcmp(isOn, "1") != 0)
    return invalidPlan;
  *version = 11000;
  return success;
}
FAKE_EXPORT int FFT(Create)(TransformHandle *out) {
  std::lock_guard lock(plansMutex);
  static intptr_t last = 0;
  plans()[++last];
  auto plan = (Plan_t)last;
  std::memcpy(out, &plan, sizeof(plan));
  return success;
}
FAKE_EXPORT int FFT(Destroy)(TransformHandle handle) {
  std::lock_guard lock(plansMutex);
  return plans().erase((intptr_t)(Plan_t)handle) ? success : invalidPlan;
}
FAKE_EXPORT int FFT(SetAutoAllocation)(TransformHandle handle, int isOn) {
  std::lock_guard lock(plansMutex);
  Plan *plan = at(handle);
  if (!plan || plan->isMade)
    return invalidPlan;
  plan->ownsWork = isOn != 0;
  return success;
}
FAKE_EXPORT int FFT(MakePlanMany64)(TransformHandle handle, int rank,
                                    long long *n, long long *inEmbed, long long,
                                    long long, long long *outEmbed, long long,
                                    long long, int type, long long batch,
                                    size_t *workSize) {
  std::lock_guard lock(plansMutex);
  Plan *plan = at(handle);
  if (!plan || plan->isMade || !currentDevice())
    return invalidPlan;
  if (rank != 1 || *n < 1 || batch < 1 || inEmbed || outEmbed ||
      (type != pairsOfFloat && type != pairsOfDouble))
    return refused;
  plan->isMade = true;
  plan->length = *n;
  plan->rows = batch;
  plan->type = type;
  plan->workSize = *workSize = static_cast<size_t>(*n) * 8 + 24;
  return success;
}
FAKE_EXPORT int FFT(SetWorkArea)(TransformHandle handle, void *work) {
  std::lock_guard lock(plansMutex);
  Plan *plan = at(handle);
  if (!plan)
    return invalidPlan;
  plan->work = work;
  return success;
}
FAKE_EXPORT int FFT(SetStream)(TransformHandle handle, Stream_t stream) {
  std::lock_guard lock(plansMutex);
  Plan *plan = at(handle);
  if (!plan)
    return invalidPlan;
  plan->stream = reinterpret_cast<FakeStream *>(stream);
  return success;
}
FAKE_EXPORT int FFT(ExecC2C)(TransformHandle handle, void *in, void *out,
                             int direction) {
  return transform<float>(handle, in, out, direction);
}
FAKE_EXPORT int FFT(ExecZ2Z)(TransformHandle handle, void *in, void *out,
                             int direction) {
  return transform<double>(handle, in, out, direction);
}
}
