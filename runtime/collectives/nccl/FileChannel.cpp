//===- FileChannel.cpp - ranks that share a folder ------------------------===//
#include "runtime/collectives/nccl/FileChannel.h"

#include "runtime/core/OutOfMemory.h"
#include "runtime/core/streams/Event.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace tensorc::rt;
using namespace tensorc::rt::nccl;

/// Time between two looks at a file of another rank.
static constexpr std::chrono::milliseconds pollPause{5};

/// Creates a file that does not exist, and writes the text to it.
static bool createFile(const std::string &name, std::string_view text) {
  int file = open(name.c_str(),
                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    return false;
  ssize_t written = write(file, text.data(), text.size());
  int failure = errno;
  close(file);
  if (written == static_cast<ssize_t>(text.size()))
    return true;
  unlink(name.c_str());
  errno = written < 0 ? failure : ENOSPC;
  return false;
}

/// Reads a file of this user that no other user may write. Returns false if
/// there is none.
static bool readFile(const std::string &name, std::string &out) {
  int file = open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0)
    return false;
  struct stat facts = {};
  char bytes[4096];
  ssize_t size = -1;
  if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
      facts.st_uid == geteuid() && (facts.st_mode & 077) == 0)
    size = read(file, bytes, sizeof bytes);
  close(file);
  if (size >= 0)
    out.assign(bytes, static_cast<size_t>(size));
  return size >= 0;
}

bool FileChannel::isLate(int64_t start) const {
  return now() - start > timeout * 1000000;
}

Status FileChannel::share(UniqueId &id) {
  TENSORC_RT_TRY(exchangeId(id));
  char text[24];
  std::snprintf(text, sizeof text, ".%016" PRIx64 ".",
                hashText({id.bytes, sizeof id.bytes}));
  prefix = path + text;
  return Status();
}

Status FileChannel::exchangeId(UniqueId &id) {
  if (rank == 0) {
    if (!createFile(path, {id.bytes, sizeof id.bytes}))
      return error(TENSORC_RT_FAILED_PRECONDITION,
                   "NCCL: the file %s cannot be created: %s", path.c_str(),
                   std::strerror(errno));
    ownsId = true;
    return Status();
  }
  std::string text;
  for (int64_t start = now(); text.size() != sizeof id.bytes;) {
    if (isLate(start))
      return error(TENSORC_RT_DEADLINE_EXCEEDED,
                   "NCCL: rank 0 did not create the file %s, readable by this "
                   "user alone, within %lld ms",
                   path.c_str(), static_cast<long long>(timeout));
    if (!readFile(path, text))
      text.clear();
    if (text.size() != sizeof id.bytes)
      std::this_thread::sleep_for(pollPause);
  }
  std::memcpy(id.bytes, text.data(), sizeof id.bytes);
  return Status();
}

void FileChannel::removeId() {
  if (ownsId)
    unlink(path.c_str());
  ownsId = false;
}

/// After an error, notes that the rank has ended. The last rank finds all notes,
/// and removes the files.
void FileChannel::removeFiles() {
  struct stat facts = {};
  if (prefix.empty() || stat(errorName().c_str(), &facts) != 0)
    return;
  (void)createFile(endName(rank), "ended");
  for (int32_t of = 0; of < size; ++of)
    if (stat(endName(of).c_str(), &facts) != 0)
      return;
  for (int32_t of = 0; of < size; ++of) {
    unlink(nameOf(of).c_str());
    unlink(endName(of).c_str());
  }
  unlink(errorName().c_str());
}

FileChannel::~FileChannel() {
  removeId();
  (void)catchBadAlloc([&] {
    removeFiles();
    return Status();
  });
}

/// Each rank creates a file with its text, and waits for those of the others. A
/// file that is still empty is being written.
Status FileChannel::perform(uint64_t, const Collective &barrier, bool &) {
  (void)createFile(nameOf(rank), barrier.call());
  std::vector<std::string> texts(static_cast<size_t>(size));
  for (int64_t start = now();;) {
    std::string missing;
    for (int32_t of = 0; of < size; ++of) {
      if (texts[of].empty())
        (void)readFile(nameOf(of), texts[of]);
      if (texts[of].empty())
        missing += (missing.empty() ? "" : ", ") + std::to_string(of);
    }
    if (missing.empty())
      break;
    if (isLate(start))
      return lateRanks(barrier, missing, timeout, rank);
    std::this_thread::sleep_for(pollPause);
  }
  for (int32_t of = 1; of < size; ++of)
    if (!isSameCall(texts[of], texts[0]))
      return differentCalls(of, texts[of], 0, texts[0]);
  return Status();
}

/// The first error is kept.
void FileChannel::abort(Status why) {
  if (!hasFailed.exchange(true))
    (void)createFile(errorName(), "rank " + std::to_string(rank) + ": " +
                                      why.get()->message);
}

Status FileChannel::checkAborted() {
  std::string text;
  if (hasFailed || !readFile(errorName(), text) || text.empty())
    return Status();
  hasFailed = true;
  return error(TENSORC_RT_CANCELLED, "%s", text.c_str());
}
