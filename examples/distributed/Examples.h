//===- Examples.h - Programs for several devices ----------------*- C++ -*-===//
//
// Each program runs on all ranks and returns a line about its results.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_EXAMPLES_DISTRIBUTED_EXAMPLES_H
#define TENSORC_EXAMPLES_DISTRIBUTED_EXAMPLES_H

#include "tensorc/collectives.hpp"

std::string tensorParallel(const tensorc::Communicator &rank);
std::string ringAttention(const tensorc::Communicator &rank);
std::string heat(const tensorc::Communicator &rank);

#endif // TENSORC_EXAMPLES_DISTRIBUTED_EXAMPLES_H
