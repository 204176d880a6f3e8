//===- Placer.h - The candidate devices for "auto" ------------------------===//
#ifndef TENSORC_COMPILER_SESSION_PLACEMENT_PLACER_H
#define TENSORC_COMPILER_SESSION_PLACEMENT_PLACER_H

#include "compiler/session/placement/Figures.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace tensorc::placement {

/// The device name that lets the cost model choose a device for each
/// expression.
constexpr llvm::StringLiteral autoName = "auto";

/// Finds the candidates and their figures on first use: from the file that
/// TENSORC_FIGURES names, from an earlier measurement, or by measuring.
class Placer {
public:
  using Candidates = std::vector<Candidate>;

  /// Returns the candidates, the first of which is the host; null before the
  /// first call of `candidates`.
  const Candidates *known() const {
    return found.load(std::memory_order_acquire);
  }
  /// Returns the candidates, which live as long as the placer. Only one thread
  /// may call it at a time, because it may compile. Errors concern the user's
  /// file and are reported at every call.
  llvm::Expected<const Candidates *> candidates(const FactFolders &folders,
                                                llvm::StringRef compiler);
  /// Returns the figures of any device, measured if necessary.
  llvm::Expected<Figures> figuresOf(tensorc_rt_device *device,
                                    const FactFolders &folders,
                                    llvm::StringRef compiler);

private:
  llvm::Error readFile();

  bool isRead = false;
  llvm::StringMap<Figures> given;
  std::unique_ptr<Candidates> owned;
  std::atomic<const Candidates *> found{nullptr};
};

/// Prints the costs of the candidates. The device with the least cost comes
/// first.
void printSums(llvm::raw_ostream &os, llvm::ArrayRef<Candidate> candidates,
               llvm::ArrayRef<Sum> sums);
llvm::json::Value sumsToJson(llvm::ArrayRef<Candidate> candidates,
                             llvm::ArrayRef<Sum> sums);

} // namespace tensorc::placement

#endif // TENSORC_COMPILER_SESSION_PLACEMENT_PLACER_H
