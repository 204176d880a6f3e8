//===- Examples.h - Programs for several devices ----------------*- C++ -*-===//
//
// Each program returns a line about its results. Those with a communicator run
// on all ranks.
//
//===----------------------------------------------------------------------===//
#ifndef TENSORC_EXAMPLES_DISTRIBUTED_EXAMPLES_H
#define TENSORC_EXAMPLES_DISTRIBUTED_EXAMPLES_H

#include "tensorc/collectives.hpp"

std::string tensorParallel(const tensorc::Communicator &rank);
std::string ringAttention(const tensorc::Communicator &rank);
std::string heat(const tensorc::Communicator &rank);
std::string pipeline(const std::vector<tensorc::Device> &devices);

#endif // TENSORC_EXAMPLES_DISTRIBUTED_EXAMPLES_H
