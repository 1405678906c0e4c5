"""From the answers on marked films to the claims of a pack: which share of answers of a confidence has the right number."""
import math

import numpy as np

# The least certain 15 % of the answers are a bin of their own: what the pack withholds if that bin is too often wrong.
SHARES = (0.15, 0.32, 0.49, 0.66, 0.83, 1.0)
# A number that is right less often than this is not given.
LEAST_RIGHT = 0.8


def calibrate(answers):
    """Bins of `[highest confidence, share that was right]`, rising. @param answers `confidence` and `right` of each"""
    ordered = sorted(answers, key=lambda a: a["confidence"])
    edges = [round(share * len(ordered)) for share in SHARES]
    bins, begin = [], 0
    for end in edges:
        some = ordered[begin:end]
        begin = end
        if not some:
            continue
        top = 1.0 if end == len(ordered) else math.ceil(some[-1]["confidence"] * 1e4) / 1e4
        bins.append({"top": min(1.0, top), "n": len(some), "right": sum(a["right"] for a in some)})
    # One more of each kind than was seen: no claim is certain.
    return [[one["top"], round((one["right"] + 1) / (one["n"] + 2), 3)] for one in rising(bins)]


def rising(bins):
    """A higher confidence must not claim less: neighbours that do, and those with the same edge, become one bin."""
    out = []
    for one in bins:
        out.append(dict(one))
        while len(out) > 1 and (out[-2]["right"] * out[-1]["n"] >= out[-1]["right"] * out[-2]["n"] or out[-2]["top"] >= out[-1]["top"]):
            last = out.pop()
            out[-1] = {"top": max(last["top"], out[-1]["top"]), "n": out[-1]["n"] + last["n"], "right": out[-1]["right"] + last["right"]}
    return out


def claim_of(confidence, bins):
    return next((right for top, right in bins if confidence <= top), bins[-1][1])


def calibrated_error(answers, folds=8):
    """The mean distance between claim and truth on films that the claim was not made from, weighted by how often it was
    made, and the share that would be withheld and how much of the rest is right."""
    films = sorted({a["film"] for a in answers})
    claims = []
    for fold in range(folds):
        apart = set(films[fold::folds])
        rest = [a for a in answers if a["film"] not in apart]
        own = [a for a in answers if a["film"] in apart]
        if rest and own:
            bins = calibrate(rest)
            claims += [(claim_of(a["confidence"], bins), a["right"]) for a in own]
    ordered = sorted(claims, key=lambda c: c[0])
    error = 0.0
    for some in np.array_split(np.arange(len(ordered)), min(len(SHARES), len(ordered))):
        said, right = np.mean([ordered[i][0] for i in some]), np.mean([ordered[i][1] for i in some])
        error += abs(said - right) * len(some) / len(ordered)
    kept = [right for claim, right in claims if claim >= LEAST_RIGHT]
    return {
        "error": round(float(error), 4), "withheld": round(1 - len(kept) / len(claims), 4),
        "rightOfGiven": round(sum(kept) / len(kept), 4) if kept else None, "n": len(claims),
    }
