//===- FittedPrograms.h - Programs for calls that lack memory -------------===//
#ifndef TENSORC_COMPILER_SESSION_JIT_MEMORY_FITTEDPROGRAMS_H
#define TENSORC_COMPILER_SESSION_JIT_MEMORY_FITTEDPROGRAMS_H

#include "compiler/session/jit/KernelCache.h"

#include <atomic>

namespace tensorc::jit {

/// Programs of one function that need less memory than the function's own
/// program. Thread-safe.
template <typename Program> class FittedPrograms {
public:
  /// Returns the program with which a call fits into what is left of the
  /// device's memory. Returns null if the function's own program fits, or if
  /// there is none.
  const Program *find(KernelCache::BytesLeft bytesLeft) const {
    if (isEmpty.load(std::memory_order_acquire))
      return nullptr;
    uint64_t left = bytesLeft();
    std::scoped_lock lock(mutex);
    const Program *best = nullptr;
    uint64_t needed = 0;
    for (const auto &[program, fit] : programs) {
      if (fit.natural <= left)
        return nullptr;
      if (servesLimit(fit, left) && (!best || needed < fit.needed)) {
        best = program.get();
        needed = fit.needed;
      }
    }
    return best;
  }
  void add(std::unique_ptr<const Program> program, const MemoryFit &fit) {
    std::scoped_lock lock(mutex);
    for (auto &[known, knownFit] : programs)
      if (known->executable == program->executable) {
        knownFit = fit;
        return;
      }
    programs.push_back({std::move(program), fit});
    isEmpty.store(false, std::memory_order_release);
  }

private:
  std::atomic<bool> isEmpty{true};
  mutable std::mutex mutex; // guards what follows
  std::vector<std::pair<std::unique_ptr<const Program>, MemoryFit>> programs;
};

/// Returns the bytes of the device that a run needs, with inputs. If a size is
/// known only during a run, returns more than `failed`, with which a run failed.
inline uint64_t bytesNeeded(const Executable &executable,
                            llvm::ArrayRef<tensorc_rt_arg> arguments,
                            uint64_t failed) {
  tensorc_rt_memory_plan plan;
  bool isKnown = !executable.measure(arguments, plan);
  return isKnown ? plan.inputs + plan.peak : failed + 1;
}

/// Appends the number of Session::executableFor to an error, if it is not 0.
inline Status withBytesMissing(Status failure, uint64_t bytes) {
  if (!bytes)
    return failure;
  return makeStatus(TENSORC_RT_OUT_OF_MEMORY,
                    std::string(tensorc_rt_status_message(failure.get())) +
                        "; no memory plan fits, the best one needs " +
                        std::to_string(bytes) + " bytes more");
}

} // namespace tensorc::jit

#endif // TENSORC_COMPILER_SESSION_JIT_MEMORY_FITTEDPROGRAMS_H
