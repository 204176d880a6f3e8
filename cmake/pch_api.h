// The precompiled header of what calls the C++ interface: examples, and the C++
// of the guides.
#include "cmake/pch_std.h"

#include "tensorc/tensorc.hpp"
