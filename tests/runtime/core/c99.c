/* The header is C99 and the library links from C. */
#include "tensorc/runtime.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  tensorc_rt_device *device = NULL;
  tensorc_rt_status *status = tensorc_rt_device_find("cpu", &device);
  if (status)
    fprintf(stderr, "%s\n", tensorc_rt_status_message(status));
  tensorc_rt_status_free(status);
  /* TENSORC_NUM_THREADS caps the threads, unless it is not a number. */
  const char *text = getenv("TENSORC_NUM_THREADS");
  int count = text ? atoi(text) : 0;
  if (count > 0 && tensorc_rt_num_threads() != count)
    return 2;
  if (tensorc_rt_num_threads() < 1)
    return 3;
  return device ? 0 : 1;
}
