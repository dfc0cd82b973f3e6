// LLVM's OpenMP runtime passes the memory of tasks on from thread to thread by means of its own.
// What order is made by OpenMP itself, its tool says by annotations (docs/run.md).
#include "runtime/intercept/range.h"
#include "runtime/intercept/real.h"

using namespace steward::rt;

REAL(void**, __kmpc_omp_task_alloc, void*, int, int, std::size_t, std::size_t, void*)

// The task, which begins with a pointer to what its code shares, is written by the program next.
STEWARD_HOOK void** __kmpc_omp_task_alloc(void* where, int thread, int flags, std::size_t size,
                                          std::size_t shared_size, void* entry) {
  void** const task = real___kmpc_omp_task_alloc()(where, thread, flags, size, shared_size, entry);
  if (ThreadState* t = interceptor_thread()) {
    without_past(*t, address(task), size);
    if (shared_size != 0) without_past(*t, address(*task), shared_size);
  }
  return task;
}
