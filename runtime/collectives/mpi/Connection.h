//===- Connection.h - the processes of one communicator ---------*- C++ -*-===//
//
// MPI_Finalize waits for all processes, and for good if one of them hangs. So a
// rank that was reported as missing has to be heard of before this process ends.
// Otherwise this process ends all of them by MPI_Abort. Without such a report,
// MPI_Finalize is called as usual, and has no time limit.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_RUNTIME_COLLECTIVES_MPI_CONNECTION_H
#define TENSORC_RUNTIME_COLLECTIVES_MPI_CONNECTION_H

#include "runtime/collectives/mpi/Library.h"

#include <atomic>
#include <memory>
#include <vector>

namespace tensorc::rt::mpi {

/// Maximum number of bytes of the text of a collective or an error.
inline constexpr size_t textBytes = 256;

/// A message about the sender itself, which belongs to no collective.
struct Note {
  enum Kind : int32_t {
    Ended,    // The sender calls no more collectives.
    Failed,   // The sender has failed with the error in `text`.
    Received, // The sender has received the error of another rank.
  };
  // The sender's communicator. MPI may give a later one the same messages.
  uint64_t communicator = 0;
  int64_t calls = 0; // number of collectives that the sender has called
  Kind kind = Ended;
  char text[textBytes] = "";
};

/// A copy of MPI's communicator of all processes.
class Connection {
public:
  /// Connects all processes, which do this in the same order.
  static Status create(std::shared_ptr<Connection> &out);

  /// Sends the last note to all other ranks, which may never receive it. Later
  /// ones are not sent: a rank that waits in MPI_Finalize receives no messages,
  /// and with many of them on their way, the sender's MPI_Finalize would hang.
  void send(Note::Kind kind, const char *text = "");
  /// Receives a note of another rank. `peer` becomes that rank, or -1.
  Status receive(Note &note, int &peer);
  /// Notes that ranks did not call a collective within the time limit.
  void miss(std::vector<int> ranks, int64_t timeoutMilliseconds);
  /// Frees the copy. No message may be in flight.
  void close();

  const Library &library;
  const uint64_t comm;
  std::atomic<int64_t> calls{0};

private:
  Connection(const Library &library, uint64_t comm, uint64_t serial)
      : library(library), comm(comm), serial(serial) {}
  Status hear();
  static int endProcess();

  const uint64_t serial; // number of this communicator
  std::atomic<bool> hasSentNote{false};
  std::vector<int> missing; // ranks that have not been heard of since
  int64_t deadline = 0;     // time by which they should be
};

} // namespace tensorc::rt::mpi

#endif
