/* The header is C99 and the library links from C. */
#include "tensorc/runtime.h"

#include <stdio.h>

int main(void) {
  tensorc_rt_device *device = NULL;
  tensorc_rt_status *status = tensorc_rt_device_find("cpu", &device);
  if (status)
    fprintf(stderr, "%s\n", tensorc_rt_status_message(status));
  tensorc_rt_status_free(status);
  return device ? 0 : 1;
}
