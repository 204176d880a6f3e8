// The precompiled header of tests of the C++ interface.
#include "cmake/pch_gtest.h"

#include "tensorc/tensorc.hpp"
