/* Indices that are tensors, from C99; part of c_api_test. */
#include "tests/compiler/api/c_checks.h"

#include "tensorc/indexing.h"

#include <stdio.h>
#include <string.h>

/* The text of a tensor that was just made; releases it. */
static void expect_text(tensorc_status *status, tensorc_tensor *x,
                        const char *expected, int line) {
  char *text = NULL;
  if (!status)
    status = tensorc_to_string(x, &text);
  if (status || !strstr(text, expected)) {
    printf("line %d: %s, not %s: %s\n", line, text ? text : "", expected,
           tensorc_status_message(status));
    ++failures;
  }
  tensorc_status_free(status);
  tensorc_string_free(text);
  tensorc_tensor_release(x);
}
#define EXPECT_TEXT(call, text) expect_text(call, y, text, __LINE__)

void test_indexing(void) {
  const int64_t two[1] = {2}, zero[1] = {0}, one[1] = {1}, sizes[2] = {1, 3},
                dims[2] = {2, 3}, indices[2] = {-1, 0};
  tensorc_tensor *flat = NULL, *x = NULL, *i = NULL, *y = NULL;
  tensorc_index_item items[3] = {{TENSORC_INDEX_TENSOR, 0, 0, 1, NULL},
                                 {TENSORC_INDEX_NEW_AXIS, 0, 0, 1, NULL},
                                 {TENSORC_INDEX_INTEGER, 1, 0, 1, NULL}};
  tensorc_gather_numbers rows = {1, one, 1, zero, 1, zero, 1};
  tensorc_status *status = tensorc_arange(TENSORC_I32, 0, 6, 1, HERE, &flat);
  if (!status)
    status = tensorc_reshape(flat, 2, dims, HERE, &x);
  if (!status)
    status = tensorc_from_data(TENSORC_I64, 1, two, indices, NULL, HERE, &i);
  if (status) {
    printf("%s\n", tensorc_status_message(status));
    tensorc_status_free(status);
    ++failures;
    return;
  }
  items[0].tensor = i;
  EXPECT_TEXT(tensorc_index(x, 1, items, HERE, &y), "[[3, 4, 5], [0, 1, 2]]");
  EXPECT_TEXT(tensorc_index(x, 3, items, HERE, &y), "[[4], [1]]");
  EXPECT_TEXT(tensorc_index_update(x, 1, items, TENSORC_UPDATE_ADD,
                                   TENSORC_ARG(10), HERE, &y),
              "[[10, 11, 12], [13, 14, 15]]");
  {
    tensorc_tensor *mask = NULL, *places[2] = {NULL, NULL};
    status = tensorc_gt(TENSORC_ARG(x), TENSORC_ARG(3), HERE, &mask);
    if (!status)
      status = tensorc_nonzero(mask, 3, 7, HERE, places);
    items[0].tensor = mask;
    expect_text(status, places[0], "[1, 1, 7]", __LINE__);
    expect_text(NULL, places[1], "[1, 2, 7]", __LINE__);
    EXPECT_TEXT(tensorc_index_update(x, 1, items, TENSORC_UPDATE_SET,
                                     TENSORC_ARG(0), HERE, &y),
                "[[0, 1, 2], [3, 0, 0]]");
    /* As many as there are. */
    expect_text(tensorc_nonzero(mask, TENSORC_NONE, 0, HERE, places), places[0],
                "[1, 1]", __LINE__);
    expect_text(tensorc_tensor_settle(places[1]), places[1], "[1, 2]",
                __LINE__);
    EXPECT_TEXT(tensorc_index(x, 1, items, HERE, &y),
                "tensor([4, 5], dtype=i32)");
    status = tensorc_index(x, 1, items, HERE, &y);
    if (status || tensorc_tensor_rank(y) != 1 ||
        tensorc_tensor_dtype(y) != TENSORC_I32 ||
        tensorc_tensor_is_evaluated(y) || tensorc_tensor_dims(y)[0] != 2) {
      printf("line %d: %s\n", __LINE__, tensorc_status_message(status));
      ++failures;
    }
    tensorc_status_free(status);
    tensorc_tensor_retain(y);
    tensorc_tensor_release(y);
    tensorc_tensor_release(y);
    tensorc_tensor_release(mask);
    items[0].tensor = i;
  }
  /* Not counted from the end: clamped, or dropped. */
  EXPECT_TEXT(tensorc_gather(x, i, &rows, sizes, HERE, &y),
              "[[0, 1, 2], [0, 1, 2]]");
  EXPECT_TEXT(tensorc_scatter(x, i, x, TENSORC_UPDATE_SET, &rows, HERE, &y),
              "[[3, 4, 5], [3, 4, 5]]");
  tensorc_tensor_release(i);
  tensorc_tensor_release(x);
  tensorc_tensor_release(flat);
}
