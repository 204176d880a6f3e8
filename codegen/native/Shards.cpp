//===- Shards.cpp - Compiles kernels in parallel --------------------------===//

#include "codegen/native/Shards.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <time.h>

using namespace llvm;

namespace tensorc::codegen {

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// Minimum number of ops per part. They take about 20 ms to compile, whereas a
/// thread and another module cost about 1 ms.
static constexpr size_t kOpsPerPart = 2000;
static constexpr size_t kMaxParts = 16;

static bool hasBody(mlir::Operation &op) {
  auto function = dyn_cast<mlir::LLVM::LLVMFuncOp>(op);
  return !function || !function.isExternal();
}

namespace {
struct Kernel {
  mlir::Operation *op;
  size_t size = 0;
  bool isLastRun = true;
};
} // namespace

/// Returns the module's symbols with bodies. Each has its number of ops, and is
/// isolated if it refers to no other symbol with a body and no such symbol
/// refers to it.
static SmallVector<Kernel> listKernels(mlir::ModuleOp module) {
  SmallVector<Kernel> kernels;
  DenseSet<StringRef> bodies, used;
  for (mlir::Operation &op : *module.getBody())
    if (hasBody(op))
      if (auto symbol = dyn_cast<mlir::SymbolOpInterface>(op))
        bodies.insert(symbol.getName());
  for (mlir::Operation &op : *module.getBody()) {
    if (!hasBody(op))
      continue;
    Kernel kernel{&op};
    kernel.isLastRun = isa<mlir::LLVM::LLVMFuncOp>(op);
    op.walk([&](mlir::Operation *each) {
      ++kernel.size;
      StringRef other;
      if (auto address = dyn_cast<mlir::LLVM::AddressOfOp>(each))
        other = address.getGlobalName();
      else if (auto call = dyn_cast<mlir::LLVM::CallOp>(each))
        other = call.getCallee().value_or("");
      if (!bodies.contains(other))
        return;
      used.insert(other);
      kernel.isLastRun = false;
    });
    kernels.push_back(kernel);
  }
  for (Kernel &kernel : kernels)
    if (auto symbol = dyn_cast<mlir::SymbolOpInterface>(kernel.op);
        !symbol || used.contains(symbol.getName()))
      kernel.isLastRun = false;
  return kernels;
}

SmallVector<mlir::OwningOpRef<mlir::ModuleOp>>
splitKernels(mlir::ModuleOp kernels) {
  SmallVector<Kernel> list = listKernels(kernels);
  size_t total = 0;
  for (const Kernel &kernel : list)
    total += kernel.isLastRun ? kernel.size : 0;
  size_t count = std::min(total / kOpsPerPart, kMaxParts);
  SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> parts;
  if (count < 2)
    return parts;
  auto add = [&](mlir::Operation &op) {
    mlir::OpBuilder::atBlockEnd(parts.back()->getBody()).clone(op);
  };
  auto open = [&] {
    parts.push_back(mlir::ModuleOp::create(kernels.getLoc()));
    (*parts.back())->setAttrs(kernels->getAttrDictionary());
    for (mlir::Operation &op : *kernels.getBody())
      if (!hasBody(op))
        add(op);
  };
  open();
  for (const Kernel &kernel : list)
    if (!kernel.isLastRun)
      add(*kernel.op);
  size_t done = 0;
  for (const Kernel &kernel : list) {
    if (!kernel.isLastRun)
      continue;
    if (done * count >= parts.size() * total)
      open();
    add(*kernel.op);
    done += kernel.size;
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

namespace {
class Emission {
public:
  Emission(std::vector<std::unique_ptr<LLVMCompilation>> given,
           const NativeOptions &options)
      : options(options), parts(std::move(given)), objects(parts.size()),
        errors(parts.size()) {}

  Expected<SmallVector<ImageBytes>> run();

private:
  void work(bool isCaller);
  std::string emit(size_t i, bool isCaller);
  void report();

  const NativeOptions &options;
  std::vector<std::unique_ptr<LLVMCompilation>> parts;
  SmallVector<ImageBytes> objects;
  std::vector<std::string> errors;
  std::atomic<size_t> next{0};
  std::atomic<bool> isCancelled{false};
  std::mutex mutex; // guards the members below
  std::condition_variable changed;
  size_t written = 0; // kernels not reported to onKernel yet
  size_t working = 0; // running threads, without the caller's
  int64_t lent = 0;   // CPU time of these threads
};
} // namespace

static int64_t threadNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * int64_t(1'000'000'000) + time.tv_nsec;
}

/// CPU time of finished threads that worked for this thread.
static thread_local int64_t lentNanoseconds = 0;

int64_t processorNanoseconds() { return threadNanoseconds() + lentNanoseconds; }

/// Calls onKernel for finished kernels. Must be called on the caller's thread.
void Emission::report() {
  std::unique_lock lock(mutex);
  size_t count = std::exchange(written, 0);
  lock.unlock();
  for (; options.onKernel && count; --count)
    if (!isCancelled && !options.onKernel())
      isCancelled = true;
}

/// Compiles part i to an object. Returns an error message, or an empty string.
std::string Emission::emit(size_t i, bool isCaller) {
  if (isCancelled)
    return "cancelled";
  Error error = parts[i]->optimize();
  if (!error)
    error = parts[i]->emit(CodeGenFileType::ObjectFile, objects[i], [&] {
      {
        std::lock_guard lock(mutex);
        ++written;
      }
      changed.notify_one();
      if (isCaller)
        report();
      return !isCancelled;
    });
  parts[i].reset();
  return error ? toString(std::move(error)) : "";
}

void Emission::work(bool isCaller) {
  for (size_t i; (i = next++) < parts.size();)
    errors[i] = emit(i, isCaller);
}

Expected<SmallVector<ImageBytes>> Emission::run() {
  std::vector<std::thread> threads;
  // If a thread cannot be created, the remaining threads and the caller compile
  // its parts.
  while (threads.size() + 1 < std::min<size_t>(options.threads, parts.size())) {
    {
      std::lock_guard lock(mutex);
      ++working;
    }
    try {
      threads.emplace_back([this] {
        work(/*isCaller=*/false);
        std::lock_guard lock(mutex);
        --working;
        lent += threadNanoseconds();
        changed.notify_one();
      });
    } catch (const std::system_error &) {
      std::lock_guard lock(mutex);
      --working;
      break;
    }
  }
  work(/*isCaller=*/true);
  for (bool isDone = false; !isDone;) {
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return written || !working; });
      isDone = !working;
    }
    report();
  }
  for (std::thread &thread : threads)
    thread.join();
  lentNanoseconds += lent;
  for (const std::string &error : errors)
    if (!error.empty())
      return createStringError(error);
  return std::move(objects);
}

Expected<SmallVector<ImageBytes>>
emitObjects(std::vector<std::unique_ptr<LLVMCompilation>> parts,
            const NativeOptions &options) {
  return Emission(std::move(parts), options).run();
}

} // namespace tensorc::codegen
