//===- ProfileHook.cpp - the hook that receives profiles ------------------===//
#include "runtime/drivers/sim/profile/Profile.h"

#include "runtime/core/Callback.h"
#include "runtime/core/threads/Fork.h"

using namespace tensorc::rt;
using namespace tensorc::rt::sim;

static constinit ProfileHook
    currentProfileHook; // guarded by the process lock for the hook

ProfileHook tensorc::rt::sim::profileHook() {
  ProcessLockGuard lock(ProcessLock::Hook);
  return currentProfileHook;
}

Status tensorc::rt::sim::callProfileHook(const ProfileHook &hook,
                                         const char *kernel,
                                         const std::string &json) {
  return callEmbedder("the profile hook", [&] {
    hook.fn(hook.user, kernel, json.c_str());
    return Status();
  });
}

void tensorc_rt_set_profile_hook(tensorc_rt_profile_hook fn, void *user) {
  ProcessLockGuard lock(ProcessLock::Hook);
  currentProfileHook = {fn, user};
}
