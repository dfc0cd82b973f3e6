#!/usr/bin/env bash
# Writes a text trace of some 60,000 events to standard output; the same at every run.
#
# Four workers of a shop fill 2,400 orders. Each order tidies the worker's own shelf, then takes the
# stock lock, does its bookkeeping and lets go of it: no race. Three kinds of mistakes are hidden:
#   often     every order adds to `turnover` without a lock: one bug that shows again and again
#   cold      at 20 places that are passed just once by each of two workers, an order is changed
#             without a lock
#   hot       at 20 places that every order passes, a worker reaches once into another's shelf
# A detector that samples finds the first at once. Of the others PACER finds about as large a share
# as it samples. LiteRace finds those in cold code and misses those in hot code.
set -euo pipefail

awk 'BEGIN {
  workers = 4; orders = 2400; places = 20
  every = orders / places
  for (w = 1; w <= workers; ++w) print "main|fork(worker" w ")|shop.c:10"
  for (n = 0; n < orders; ++n) {
    w = n % workers + 1
    me = "worker" w
    place = int(n / every)
    for (i = 0; i < places; ++i) {
      shelf = w
      if (i == place && n % every == 60) shelf = w % workers + 1
      print me "|w(shelf" shelf "_" i ")|shop.c:" 20 + i
    }
    print me "|acq(stock)|shop.c:50"
    print me "|r(in_stock)|shop.c:51"
    print me "|w(in_stock)|shop.c:52"
    print me "|rel(stock)|shop.c:53"
    print me "|r(turnover)|shop.c:60"
    print me "|w(turnover)|shop.c:61"
    if (n % every < 2) print me "|w(order" place ")|shop.c:" (n % every + 1) * 100 + place
  }
  for (w = 1; w <= workers; ++w) print "worker" w "|end"
  for (w = 1; w <= workers; ++w) print "main|join(worker" w ")|shop.c:11"
  print "main|r(turnover)|shop.c:12"
}'
