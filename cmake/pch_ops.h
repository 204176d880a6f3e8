// The precompiled header of rooms whose sources know ops of tx.
#include "cmake/pch_dialects.h"

#include "ir/tx/Tx.h"
