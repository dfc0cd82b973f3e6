#include "workloads.h"

namespace managed {

std::span<const Workload> workloads() {
  static const Workload kAll[] = {
      {"bank", false, "transfers between accounts, each under a lock; a receipt for each", bank},
      {"bank_racy", true, "... and a total that is kept outside all locks", bank_racy},
      {"queue", false, "producers hand nodes to consumers through a locked list", queue},
      {"queue_racy", true, "... and look at its length without the lock", queue_racy},
      {"trees", false, "every thread builds and drops trees of its own", trees},
      {"rows", false, "threads fill rows of a matrix; their parent adds them up", rows},
      {"sessions", false, "a table that all can reach, of objects that one thread uses", sessions},
      {"cache_racy", true, "a locked table whose entries count hits outside the lock", cache_racy},
      {"counter_racy", true, "one old object that all threads increment", counter_racy},
  };
  return kAll;
}

}  // namespace managed
