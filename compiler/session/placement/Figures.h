//===- Figures.h - Performance figures of devices as text -----------------===//
//
//   {"cpu:0": {"launch_us": 1.5, "memory_gb_s": 40,
//              "gop_s": {"f64": 50, "f32": 100, "f16": 20, "integer": 30}},
//    "cuda:0": {"launch_us": 4, "copy_us": 10, "to_device_gb_s": 25,
//               "from_device_gb_s": 22, "memory_gb_s": 3000, "gop_s": {...}}}
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_FIGURES_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_FIGURES_H

#include "compiler/session/placement/CostModel.h"
#include "compiler/session/placement/KeyedFile.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace tensorc::placement {

llvm::json::Object toJson(const Figures &figures);
/// Parses the cost model's parameters of devices, keyed by device name. Errors
/// name the device and the problem.
llvm::Expected<llvm::StringMap<Figures>> parseFigures(llvm::StringRef text);

/// Returns a key of everything a measurement depends on: device, target,
/// driver, threads, and the compiler.
std::string figuresKey(const tensorc_rt_device *device,
                       llvm::StringRef compiler);
/// Returns the stored figures; nullopt if there is no valid file for the key.
std::optional<Figures> loadFigures(const FactFolders &folders,
                                   llvm::StringRef key);
/// Stores figures. Errors are ignored; the next process then measures again.
void storeFigures(const FactFolders &folders, llvm::StringRef key,
                  const Figures &figures);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_FIGURES_H
