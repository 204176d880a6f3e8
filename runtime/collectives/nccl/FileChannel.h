//===- FileChannel.h - ranks that share a folder ----------------*- C++ -*-===//
//
// Ranks without MPI exchange the id of their NCCL communicator by a file, and
// errors by files whose names begin with its name and contain a hash of the id.
// So no two communicators have the same files, and files of others are left
// alone. The files are created exclusively, and only their owner may read them.
// The last rank to end removes them. They stay if a rank was killed, or ended
// before the error.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_NCCL_FILECHANNEL_H
#define TENSORC_RUNTIME_COLLECTIVES_NCCL_FILECHANNEL_H

#include "runtime/collectives/Communicator.h"
#include "runtime/collectives/nccl/Library.h"

namespace tensorc::rt::nccl {

/// Performs only barriers, and passes on errors. Both are rare: they happen
/// when a collective has failed.
class FileChannel final : public Channel {
public:
  FileChannel(std::string path, int32_t rank, int32_t size)
      : path(std::move(path)), rank(rank), size(size) {}
  ~FileChannel() override;
  /// Gives the id of rank 0 to all ranks. Rank 0 refuses a file that exists.
  /// Must be called before the functions of a channel.
  Status share(UniqueId &id);
  /// Removes the file of the id, once all ranks have read it.
  void removeId();

  Status perform(uint64_t number, const Collective &barrier,
                 bool &isFirstOnly) override;
  void abort(Status why) override;
  Status checkAborted() override;
  const char *backend() const override { return "file"; }

private:
  Status exchangeId(UniqueId &id);
  void removeFiles();
  std::string nameOf(int32_t of) const { return prefix + std::to_string(of); }
  std::string endName(int32_t of) const { return nameOf(of) + ".end"; }
  std::string errorName() const { return prefix + "error"; }
  bool isLate(int64_t start) const;

  const std::string path;
  std::string prefix; // of the names of the files for errors
  const int32_t rank, size;
  bool ownsId = false;
  std::atomic<bool> hasFailed{false};
};

} // namespace tensorc::rt::nccl

#endif
