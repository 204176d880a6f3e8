//===- Tune.cpp - Tunes kernels and installs the measured schedules -------===//

#include "compiler/frontends/files/OutputFile.h"
#include "compiler/log/Progress.h"
#include "compiler/session/jit/Messages.h"
#include "compiler/session/jit/Session.h"
#include "compiler/session/jit/ThreadObjects.h"
#include "compiler/session/report/TriedSchedules.h"
#include "compiler/session/tuning/Tuner.h"

#include "codegen/kernel/CpuModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace tensorc::jit {

static Status refuse(llvm::Error error) {
  return makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                    "tune: " + llvm::toString(std::move(error)));
}

/// Reads the tuning named by TENSORC_TUNING; empty if it cannot be used.
tuning::Tuning Session::tuningOfEnvironment() {
  const char *path = secure_getenv("TENSORC_TUNING");
  if (!path || !*path)
    return {};
  llvm::Expected<tuning::Tuning> tuning = tuning::Tuning::read(path);
  if (!tuning) {
    llvm::errs() << "tensorc: TENSORC_TUNING is ignored: "
                 << llvm::toString(tuning.takeError()) << "\n";
    return {};
  }
  if (std::string why = tuning->whyNone(); !why.empty())
    llvm::errs() << "tensorc: TENSORC_TUNING: " << path << " " << why << "\n";
  return std::move(*tuning);
}

void Session::setTuning(tuning::Tuning tuning) {
  auto next =
      std::make_shared<const std::vector<std::string>>(tuning.schedules());
  {
    std::scoped_lock lock(diskMutex);
    tuned = std::move(next);
    tuningInUse = std::move(tuning);
  }
  std::scoped_lock lock(deviceMutex);
  for (auto &device : devices)
    device->cache.clear();
}

Status Session::setTuning(const std::string &path) {
  if (path.empty()) {
    setTuning(tuning::Tuning());
    return nullptr;
  }
  llvm::Expected<tuning::Tuning> tuning = tuning::Tuning::read(path);
  if (!tuning)
    return makeStatus(TENSORC_RT_INVALID_ARGUMENT,
                      "set_tuning: " + llvm::toString(tuning.takeError()));
  setTuning(std::move(*tuning));
  return nullptr;
}

std::shared_ptr<const std::vector<std::string>> Session::tunedSchedules() {
  std::scoped_lock lock(diskMutex);
  return tuned;
}

Status Session::searchSchedules(llvm::ArrayRef<graph::Node *> roots,
                                tuning::TunerOptions &options,
                                std::vector<tuning::TunedKernel> &kernels) {
  std::scoped_lock compileLock(compileMutex);
  std::unique_lock graphLock(graph::graphMutex());
  graph::Trace trace;
  trace.record(roots, graph::Stored::Held);
  for (graph::Node *node : trace.arguments)
    if (!node->isEvaluated())
      return makeStatus(TENSORC_RT_FAILED_PRECONDITION,
                        "tune: a function is being traced");
  if (trace.outputs.empty())
    return nullptr;
  Status status;
  onLiveThread([&] {
    std::shared_ptr<mlir::MLIRContext> context = takeContext();
    graph::Program program = graph::toModule(*context, trace, false);
    graphLock.unlock();
    Messages messages(context.get());
    auto refused = [&](const std::string &why) {
      status = makeStatus(TENSORC_RT_UNSUPPORTED, "tune: " + why);
    };
    if (!program.module ||
        mlir::failed(compiler::runStages(*program.module, options.compile,
                                         std::nullopt, compiler::Stage::Fuse)))
      return refused(messages.text());
    auto found = tuning::tune(
        program.module->lookupSymbol<mlir::func::FuncOp>("main"), options);
    if (!found)
      return refused(llvm::toString(found.takeError()));
    kernels = std::move(*found);
  });
  return status;
}

Status Session::tune(llvm::ArrayRef<graph::Node *> roots, double seconds,
                     const std::string &path,
                     std::vector<tuning::TunedKernel> &kernels) {
  llvm::Expected<tuning::Tuning> file = tuning::Tuning();
  if (!path.empty() && llvm::sys::fs::exists(path))
    file = tuning::Tuning::read(path);
  if (!file)
    return refuse(file.takeError());
  Status status;
  tuning::TunerOptions options;
  options.device = bufferDevice(status);
  if (!options.device)
    return status;
  options.compile.target = targetOf(options.device);
  options.compile.verify = verifiesPasses;
  options.seconds = seconds;
  if (!llvm::is_contained(codegen::getCpuNames(), options.compile.target))
    return makeStatus(TENSORC_RT_UNSUPPORTED,
                      "tune: kernels are measured on the cpu, not for " +
                          options.compile.target);
  Interrupted interrupted;
  options.isStopped = [&] { return interrupted(); };
  Progress progress("tune", "measuring", "kernels");
  options.onKernel = [&](llvm::StringRef, unsigned number, unsigned count) {
    progress.begin(count, seconds);
    progress.advanceTo(number - 1);
  };
  if ((status = searchSchedules(roots, options, kernels)))
    return status;
  for (const tuning::TunedKernel &kernel : kernels)
    report::TriedSchedules::get().replace(kernel.key, kernel.trials);
  auto machine = tuning::Machine::here(options.compile.target);
  tuning::Tuning next;
  {
    std::scoped_lock lock(diskMutex);
    next = tuningInUse;
  }
  tuning::keep(next, kernels, machine);
  setTuning(std::move(next));
  tuning::keep(*file, kernels, machine);
  if (!path.empty())
    if (llvm::Error error = files::writeFile(path, file->text()))
      return refuse(std::move(error));
  return interrupted() ? interrupted.orElse(TENSORC_RT_CANCELLED, "") : nullptr;
}

} // namespace tensorc::jit
