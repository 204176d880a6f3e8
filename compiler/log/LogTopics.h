//===- LogTopics.h - The topics of TENSORC_LOG ------------------*- C++ -*-===//
//
// TENSORC_LOG is a list of topics, separated by commas; 1 and all mean every
// topic. Messages go to stderr, one line each.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_COMPILER_LOG_LOGTOPICS_H
#define TENSORC_COMPILER_LOG_LOGTOPICS_H

namespace tensorc {

enum class LogTopic {
  Compile,   // each compilation, with its reason and its time
  Cache,     // the reason why the disk cache is not used, once per process
  Placement, // devices that `auto` does not use, and why
  Devices,   // drivers and devices that the runtime does not use, and why
};

/// Returns true if TENSORC_LOG contains the topic. Thread-safe. The variable is
/// read once; unknown words in it are then reported on stderr.
bool isLogged(LogTopic topic);

} // namespace tensorc

#endif // TENSORC_COMPILER_LOG_LOGTOPICS_H
