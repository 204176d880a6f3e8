//===- Figures.h - Figures of devices as text -----------------------------===//
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

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace tensorc::placement {

llvm::json::Object toJson(const Figures &figures);
/// Figures of devices by name; an error says what is wrong with which.
llvm::Expected<llvm::StringMap<Figures>> parseFigures(llvm::StringRef text);

/// What was measured before, in a folder that is written to and one that is
/// only read; either may be empty.
struct FiguresFolders {
  std::string writable, readOnly;
};
/// Everything that a measurement depends on: device, target, driver, threads,
/// the compiler.
std::string figuresKey(const tensorc_rt_device *device,
                       llvm::StringRef compiler);
/// None if there is no file for the key, or if it is not sound.
std::optional<Figures> loadFigures(const FiguresFolders &folders,
                                   llvm::StringRef key);
/// Whatever goes wrong, the next process measures again.
void storeFigures(const FiguresFolders &folders, llvm::StringRef key,
                  const Figures &figures);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_FIGURES_H
