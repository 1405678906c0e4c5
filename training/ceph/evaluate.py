"""Measures the finder of landmarks: on drawn films of machines that it was not trained on, and on real films with marked
landmarks. It also writes how the spread of a map becomes the radius that holds 9 of 10 true positions."""
import argparse
import json
import os
import sys

import numpy as np
import torch

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from export import TURNS, Finder, oriented
from films import read_film, read_truth
from network import LANDMARKS, SIDE, Network
from shared.files import read_image, read_json, read_pgm, write_json
from shared.frame import place_in_frame
from shared.network_parts import load_weights

WITHIN = (2, 2.5, 3, 4)


def find(network, finder, frame):
    """Position and doubt of each landmark in the frame's pixels, for an upright head that looks to the right."""
    with torch.no_grad():
        logits, judged = network(frame[None, None])
        places, doubt = finder(logits)
    return places[0].numpy(), doubt[0].numpy(), float(judged[0])


def find_in_any_position(network, finder, frame):
    """The same for a film as it is stored: the most certain of eight orientations, with positions in the frame."""
    views = torch.cat([oriented(frame[None, None], *turn) for turn in TURNS])
    with torch.no_grad():
        judged = network.judge(network.encode(views)[-1])
        best = int(judged.argmax())
        logits, _ = network(views[best : best + 1])
        places, doubt = finder(logits)
    points, spreads = places[0].numpy(), doubt[0].numpy()
    flip, quarter = TURNS[best]
    for _ in range(quarter):
        # Turned back by a quarter: `oriented` turned it counter-clockwise.
        points = np.stack([SIDE - points[:, 1], points[:, 0]], 1)
    if flip:
        points[:, 0] = SIDE - points[:, 0]
    return points, spreads, float(judged.max()), best


def measure(network, finder, folder, limit):
    """Errors and spreads in mm, the mm of a pixel of the frame, and the judgements, a row for each film."""
    errors, spreads, sizes, judged = [], [], [], []
    for row in read_truth(folder)[:limit]:
        pixels, points = read_film(folder, row)
        frame, place = place_in_frame(pixels, SIDE, SIDE)
        found, spread, score = find(network, finder, torch.from_numpy(frame))
        true = place.to_frame(points)
        mm = row["mm"] * max(pixels.shape) / SIDE
        seen = ((true > 1) & (true < SIDE - 1)).all(1)
        away = np.hypot(*(found - true).T) * mm
        errors.append(np.where(seen, away, np.nan))
        spreads.append(np.where(seen, spread * mm, np.nan))
        sizes.append([mm])
        judged.append(score)
    return np.array(errors), np.array(spreads), np.array(sizes), np.array(judged)


def describe(errors):
    whole = errors[np.isfinite(errors)]
    line = {"n": int(whole.size), "mean": round(float(whole.mean()), 2), "median": round(float(np.median(whole)), 2)}
    return {**line, **{f"within{mm}": round(float((whole <= mm).mean()), 3) for mm in WITHIN}}


def calibrate(errors, spreads, mm, judged, others, real, widest):
    """How a map's spread becomes the radius of 9 of 10 true positions, for each landmark: a floor, a factor, and the widest
    radius that is still given, in the frame's pixels. And the judgement from which on a film is a lateral cephalogram."""
    landmarks = {}
    for at, name in enumerate(LANDMARKS):
        keep = np.isfinite(errors[:, at])
        error, spread = (errors[:, at] / mm[:, 0])[keep], (spreads[:, at] / mm[:, 0])[keep]
        least = 0.4 * float(np.quantile(error, 0.9))
        factor = float(np.quantile((error - least) / spread, 0.9))
        landmarks[name] = {"least": round(least, 3), "factor": round(max(0.05, factor), 3), "widest": widest}
    lowest = float(np.quantile(judged, 0.02))
    # Nearer to the cephalograms: there are more kinds of other images than those that were drawn.
    middle = max((lowest + max(others, default=-2.0)) / 2, lowest - 1.1)
    # Real films look less like the drawn ones than these like each other; none that is marked is to be refused.
    middle = min([middle, *(film["judged"] - 0.5 for film in real if "each" in film)])
    return {"judge": [2.0, round(middle, 2)], "shift": find_shift(landmarks, real), "landmarks": landmarks}


def find_shift(landmarks, real):
    """The error that real films have beside that of drawn ones, in the frame's pixels: added to each radius as another
    side of a right angle, so that 9 of 10 landmarks of the real films lie inside."""
    missing = []
    for film in real:
        for name, row in film.get("each", {}).items():
            radius = landmarks[name]["least"] + landmarks[name]["factor"] * row["spread"] / film["mmOfFrame"]
            missing.append((row["mm"] / film["mmOfFrame"]) ** 2 - radius**2)
    return round(float(np.sqrt(max(0.0, np.quantile(missing, 0.9, method="higher")))), 2) if missing else 0.0


def real_films(path, images):
    for film in read_json(path)["films"]:
        name = os.path.join(images, film["file"])
        if os.path.exists(name):
            yield film, read_image(name)


def measure_real(network, finder, path, images):
    lines = []
    for film, pixels in real_films(path, images):
        frame, place = place_in_frame(pixels, SIDE, SIDE)
        points, spreads, score, best = find_in_any_position(network, finder, torch.from_numpy(frame))
        line = {"film": film["file"], "judged": round(score, 2), "orientation": TURNS[best]}
        if film["landmarks"]:
            mm = film["mmOfPixel"] * max(pixels.shape) / SIDE
            names = [name for name in LANDMARKS if name in film["landmarks"]]
            at = [LANDMARKS.index(name) for name in names]
            true = place.to_frame([film["landmarks"][name]["at"] for name in names])
            away = np.hypot(*(points[at] - true).T) * mm
            each = {name: {"mm": round(float(a), 2), "spread": round(float(s * mm), 2)} for name, a, s in zip(names, away, spreads[at])}
            line = {**line, "mmOfFrame": mm, **describe(away), "each": each}
        lines.append(line)
    return lines


def judge_others(network, finder, folder, limit=60):
    """The judgement of films that are no cephalograms, in the most certain of eight positions."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(".pgm"))[-limit:]
    frames = (place_in_frame(read_pgm(os.path.join(folder, name)), SIDE, SIDE)[0] for name in names)
    return [find_in_any_position(network, finder, torch.from_numpy(frame))[2] for frame in frames]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weights")
    options.add_argument("shape", help="how landmarks lie to each other, from shape.py")
    options.add_argument("films", help="a folder of drawn films that were held back")
    options.add_argument("--limit", type=int, default=1000)
    options.add_argument("--others", help="a folder of drawn films of another kind")
    options.add_argument("--real", nargs=2, metavar=("SET", "IMAGES"))
    options.add_argument("--widest", type=float, default=8.0, help="pixels of the frame; a landmark that is less certain is not given")
    options.add_argument("--out", metavar="FILE", help="where the figures and the calibration are written")
    chosen = options.parse_args()
    torch.set_num_threads(1)
    network, finder = load_weights(Network(), chosen.weights), Finder(read_json(chosen.shape))
    errors, spreads, mm, judged = measure(network, finder, chosen.films, chosen.limit)
    others = judge_others(network, finder, chosen.others) if chosen.others else []
    drawn = {"films": len(errors), **describe(errors), "leastJudged": round(float(judged.min()), 2)}
    if others:
        drawn["othersJudgedAtMost"] = round(max(others), 2)
    each = {name: {**describe(errors[:, at]), "p90": round(float(np.nanquantile(errors[:, at], 0.9)), 2)} for at, name in enumerate(LANDMARKS)}
    real = measure_real(network, finder, *chosen.real) if chosen.real else []
    print(json.dumps(drawn))
    for name, line in each.items():
        print(json.dumps({"landmark": name, **line}))
    for line in real:
        print(json.dumps(line))
    if chosen.out:
        calibration = calibrate(errors, spreads, mm, judged, others, real, chosen.widest)
        write_json(chosen.out, {"drawn": drawn, "landmarks": each, "real": real, "calibration": calibration})


if __name__ == "__main__":
    main()
