"""Answers statistics over resident columns: a line of JSON in, a line of JSON out."""

import json
import sys
import time

import numpy
import pandas


def load(table):
    return pandas.DataFrame({name: numpy.fromfile(path, dtype=numpy.int32) for name, path in table.items()})


def within(frame, ask):
    # The files are sorted by category within their parts.
    return frame[(frame.category_id >= ask["first"]) & (frame.category_id <= ask["last"])]


def current(ask):
    frame = within(listings, ask)
    return frame[(frame.last_day >= ask["since"]) & (frame.last_day < ask["before"])]


def dispersion(ask):
    frame = current(ask)
    price = frame.price[frame.condition == 1]
    return [[len(price), price.mean(), price.min(), price.max(), *price.quantile(ask["shares"])]]


def like_for_like(ask):
    frame = within(months, ask)
    base = frame[frame.period == ask["first_month"]].set_index("listing_id").price
    latest = frame[frame.period == ask["last_month"]].set_index("listing_id").price
    pair = pandas.concat([base, latest], axis=1, keys=["base", "latest"], join="inner")
    pair = pair[(pair.latest <= 3 * pair.base) & (pair.base <= 3 * pair.latest)]
    logs = numpy.sort(numpy.log(pair.latest / pair.base).to_numpy())
    cut = max(1, len(logs) * ask["trim_percent"] // 100)
    return [[len(logs), logs[cut : len(logs) - cut].mean()]]


def share_of_shelf(ask):
    counts = current(ask).groupby("brand_id").size().reset_index(name="n")
    return counts.sort_values(["n", "brand_id"], ascending=[False, True]).head(5).to_numpy().tolist()


def retailer_index(ask):
    frame = within(months, ask)
    frame = frame[(frame.period >= ask["index_month"]) & (frame.period <= ask["last_month"])]
    own = frame.price.where(frame.retailer_id == ask["retailer_id"])
    found = frame.assign(own=own).groupby("period").agg(n=("price", "size"), all=("price", "mean"), own=("own", "mean"))
    return found.to_numpy().tolist()


statistics = {
    "dispersion": dispersion,
    "like-for-like": like_for_like,
    "share of shelf": share_of_shelf,
    "retailer index": retailer_index,
}
tables = json.loads(sys.stdin.readline())
listings, months = load(tables["listings"]), load(tables["months"])
print(json.dumps(None), flush=True)
for line in sys.stdin:
    ask = json.loads(line)
    figures = statistics[ask["statistic"]](ask)
    print(json.dumps({"figures": [[float(value) for value in row] for row in figures], "cpu_ms": 1000 * time.process_time()}), flush=True)
