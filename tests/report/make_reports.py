#!/usr/bin/env python3
"""Reports as 'steward run --json' writes them, of runs that never were.

    make_reports.py FOLDER --runs N --races R [--per-run K] [--rate r] [--shift LINES] [--verdicts]
                    [--seed S] [--source]

There are R races; each run sees K of them. Race i happens in functions of its own, on a variable
of its own. --shift moves every function down by that many lines: a rebuild after an edit. With
--source each frame's file is a real one, written into FOLDER/src. From one seed the same bytes.
"""
import argparse
import json
import os
import random


def frame(function, file, line, start, column=3, module="/opt/app/bin/app", pc=0x55550000):
    return {"function": function, "file": file, "line": line, "column": column, "start_line": start,
            "module": module, "offset": hex(pc & 0xffffff), "pc": hex(pc + line), "inlined": False}


SOURCE = """// Module {m} of a program that never was.
#include <mutex>

struct Table{m} {{
  std::mutex mutex;
  long hits = 0;  // guarded by mutex, they say
  const char* owner = "nobody";
}};

{padding}static void store_{m}(Table{m}& table, int by) {{
  table.hits += by;
  table.owner = "a string with \\"quotes\\" & <angles>";
}}

static long load_{m}(const Table{m}& table) {{
  return table.hits;
}}

void worker_{m}(Table{m}& table) {{
  for (int i = 0; i < 1000; ++i) {{
    const std::lock_guard<std::mutex> lock(table.mutex);
    store_{m}(table, i);
  }}
}}

void reader_{m}(Table{m}& table) {{
  while (load_{m}(table) < 100) {{
  }}
}}

int main() {{
}}
"""


def line_of(text, needle):
    return text[:text.index(needle)].count("\n") + 1


def race(i, a, rng, pid, src):
    m = i % 40  # files
    path = os.path.join(src, f"module_{m}.cpp")
    text = SOURCE.format(m=m, padding="// moved\n" * a.shift)
    at = lambda needle: line_of(text, needle)
    start_store, start_load = at("static void store_"), at("static long load_")
    start_worker, start_reader = at("void worker_"), at("void reader_")
    base = rng.randrange(1 << 36) << 4
    kinds = [("write", "read"), ("write", "write"), ("read", "write"), ("write", "atomic read")]
    kind = kinds[i % len(kinds)]
    # races of one module differ by who calls: task_N is this race's own
    def stack(top, start, line, caller, caller_start, caller_line):
        return [frame(f"{top}_{m}(Table{m}{' const' if top == 'load' else ''}&)", path, line, start,
                      pc=base & 0xffffffff),
                frame(f"{caller}_{m}(Table{m}&)", path, caller_line, caller_start),
                frame(f"task_{i}()", path, at("int main"), at("int main"))]
    write = stack("store", start_store, at("table.hits += by"), "worker", start_worker,
                  at("    store_"))
    read = stack("load", start_load, at("return table.hits"), "reader", start_reader,
                 at("while (load_"))
    later_locked = i % 3 != 0
    accesses = [
        {"kind": kind[0], "size": 8, "address": hex(base), "thread": 2,
         "locks": [7] if later_locked else [], "stack_lost": False, "stack": write},
        {"kind": kind[1], "size": 8, "address": hex(base), "thread": 1, "locks": [],
         "stack_lost": False, "stack": read}]
    if rng.random() < 0.5:
        accesses.reverse()
    memories = [
        {"kind": "global", "begin": hex(base), "size": 8, "symbol": f"table_{i}",
         "module": "/opt/app/bin/app", "file": path, "line": at("long hits")},
        {"kind": "heap", "begin": hex(base - 16), "size": 64, "thread": 0,
         "stack": [frame("make_tables()", path, at("int main"), at("int main"))]},
        {"kind": "stack", "thread": 0}]
    out = {"fingerprint": "", "count": rng.randrange(1, 5), "pid": pid, "address": hex(base),
           "size": 8, "accesses": accesses, "memory": memories[i % 3], "threads": [0, 1, 2],
           "locks": []}
    if later_locked:
        out["locks"].append({"id": 7, "address": hex(base + 64), "kind": "mutex",
                             "stack": [frame("make_tables()", path, at("int main"),
                                             at("int main"))]})
    if a.verdicts:
        out["verdict"] = verdict(i, write, read)
    del out["fingerprint"]
    return out


def verdict(i, write, read):
    if i % 3 == 0:
        return {"kind": "destructive", "summary": "a run crashed with SIGSEGV",
                "evidence": ["31 of 100 runs went wrong, none without stale values",
                             "load read 0, written 3 stores ago"],
                "variable": f"Table::hits of table_{i}", "model": "c++", "heuristic": "oldest",
                "seed": str(1000 + i), "replay": f"steward classify --replay {1000 + i} -- ./app",
                "runs": 100, "failures": 31, "choices": 5120, "stale": 812,
                "stale_read": read, "stale_write": write}
    if i % 3 == 1:
        return {"kind": "no harm seen", "summary": "100 runs, 5,120 reads had a choice",
                "runs": 100, "choices": 5120, "stale": 812}
    return {"kind": "not exercised", "summary": "no read ever had more than one legal value",
            "runs": 100}


def report(run, chosen, a, rng, src):
    pid = 4000 + run % 7  # the same in many runs, as in containers
    threads = [{"id": 0, "pid": pid, "os": pid, "stack": []}]
    for t in (1, 2):
        threads.append({"id": t, "pid": pid, "os": pid + t, "name": "worker" if t == 2 else "",
                        "parent": 0, "stack": [frame("main", os.path.join(src, "module_0.cpp"), 5 + t, 1)]})
    out = {"version": 1, "tool": "pacer" if a.rate < 1 else "fasttrack", "incomplete": False,
           "races": [race(i, a, rng, pid, src) for i in chosen], "threads": threads,
           "messages": [], "problems": [], "suppressed": 0, "suppressions": [],
           "run": {"command": ["./app", "--threads", "8"], "seconds": 0.5, "exit_code": 0,
                   "processes": [{"pid": pid, "exe": "/opt/app/bin/app", "args": ["./app"],
                                  "complete": True}]},
           "stats": {"threads": 3}}
    if a.rate < 1:
        out["sampling_rate"] = a.rate
    return out


def main():
    p = argparse.ArgumentParser()
    p.add_argument("folder")
    p.add_argument("--runs", type=int, default=1)
    p.add_argument("--races", type=int, default=1)
    p.add_argument("--per-run", type=int)
    p.add_argument("--rate", type=float, default=1)
    p.add_argument("--shift", type=int, default=0)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--verdicts", action="store_true")
    p.add_argument("--source", action="store_true")
    a = p.parse_args()
    rng = random.Random(a.seed)
    os.makedirs(a.folder, exist_ok=True)
    src = os.path.join(os.path.abspath(a.folder), "src") if a.source else f"/home/me{a.shift}/src"
    if a.source:
        os.makedirs(src, exist_ok=True)
        for m in range(min(40, a.races)):
            with open(os.path.join(src, f"module_{m}.cpp"), "w") as f:
                f.write(SOURCE.format(m=m, padding="// moved\n" * a.shift))
    per_run = min(a.races, a.per_run or a.races)
    for run in range(a.runs):
        # every race is in some run: a window that goes round
        chosen = [(run * per_run + j) % a.races for j in range(per_run)]
        with open(os.path.join(a.folder, f"run{run:05}.json"), "w") as f:
            json.dump(report(run, chosen, a, rng, src), f, indent=2)


main()
