"""Measures the finder of landmarks: on drawn films of machines that it was not trained on, and on real films with marked
landmarks. With --calibrate it writes how the spread of a map becomes the radius that holds 9 of 10 true positions."""
import argparse
import json
import os

import numpy as np
import torch
from PIL import Image

from export_onnx import TURNS, oriented
from films import fit, place_in_frame, read_film, read_truth, to_unit
from network import CELLS, LANDMARKS, SIDE, STRIDE, Network

WITHIN = (2, 2.5, 3, 4)


def find(network, frame):
    """Position and spread of each landmark in the frame's pixels, for an upright head that looks to the right."""
    with torch.no_grad():
        logits, judged = network(frame[None, None])
    return *read_peaks(logits[0]), float(judged[0])


def read_peaks(logits):
    """As the product reads them: the peak of each map, moved by a parabola through its neighbours; and the map's spread."""
    shares = torch.softmax(logits.flatten(1), -1).view_as(logits).numpy()
    axis = (np.arange(CELLS) + 0.5) * STRIDE
    points, spreads = [], []
    for share in shares:
        row, column = divmod(int(share.argmax()), CELLS)
        x, y = column + 0.5, row + 0.5
        if 0 < column < CELLS - 1:
            x += vertex(share[row, column - 1], share[row, column], share[row, column + 1])
        if 0 < row < CELLS - 1:
            y += vertex(share[row - 1, column], share[row, column], share[row + 1, column])
        points.append((x * STRIDE, y * STRIDE))
        across, down = share.sum(0), share.sum(1)
        mean_x, mean_y = (across * axis).sum(), (down * axis).sum()
        spreads.append(np.sqrt((across * (axis - mean_x) ** 2).sum() + (down * (axis - mean_y) ** 2).sum()))
    return np.array(points), np.array(spreads)


def vertex(before, top, after):
    bend = before - 2 * top + after
    return (before - after) / (2 * bend) if bend < 0 else 0.0


def find_in_any_position(network, frame):
    """The same for a film as it is stored: the most certain of eight orientations, with positions in the frame."""
    views = torch.cat([oriented(frame[None, None], *turn) for turn in TURNS])
    with torch.no_grad():
        judged = network.judge(network.encode(views)[-1])
        best = int(judged.argmax())
        logits, _ = network(views[best : best + 1])
    points, spreads = read_peaks(logits[0])
    flip, quarter = TURNS[best]
    for _ in range(quarter):
        # Turned back by a quarter: `oriented` turned it counter-clockwise.
        points = np.stack([SIDE - points[:, 1], points[:, 0]], 1)
    if flip:
        points[:, 0] = SIDE - points[:, 0]
    return points, spreads, float(judged.max()), best


def measure(network, folder, limit):
    errors, spreads, judged = [], [], []
    for row in read_truth(folder)[:limit]:
        unit, points = read_film(folder, row)
        rows, columns = unit.shape
        found, spread, score = find(network, fit(torch.from_numpy(unit)))
        true = place_in_frame(points, rows, columns)
        mm = row["mm"] * max(rows, columns) / SIDE
        seen = ((true > 1) & (true < SIDE - 1)).all(1)
        away = np.hypot(*(found - true).T) * mm
        errors.append(np.where(seen, away, np.nan))
        spreads.append(np.where(seen, spread * mm, np.nan))
        judged.append(score)
    return np.array(errors), np.array(spreads), np.array(judged)


def describe(errors):
    whole = errors[np.isfinite(errors)]
    line = {"n": int(whole.size), "mean": round(float(whole.mean()), 2), "median": round(float(np.median(whole)), 2)}
    return {**line, **{f"within{mm}": round(float((whole <= mm).mean()), 3) for mm in WITHIN}}


def calibrate(errors, spreads):
    """For each landmark a floor and a factor in the frame's own measure; `mm` is the mean size of the frame's pixel."""
    result = {}
    for at, name in enumerate(LANDMARKS):
        keep = np.isfinite(errors[:, at])
        result[name] = np.quantile(errors[keep, at] / spreads[keep, at], 0.9)
    return result


def real_films(path, images):
    with open(path) as file:
        films = json.load(file)["films"]
    for film in films:
        name = os.path.join(images, film["file"])
        if os.path.exists(name):
            yield film, np.asarray(Image.open(name).convert("L"))


def measure_real(network, path, images):
    for film, pixels in real_films(path, images):
        rows, columns = pixels.shape
        frame = fit(torch.from_numpy(to_unit(pixels)))
        points, spreads, score, best = find_in_any_position(network, frame)
        line = {"film": film["file"], "judged": round(score, 2), "orientation": TURNS[best]}
        if film["landmarks"]:
            mm = film["mmOfPixel"] * max(rows, columns) / SIDE
            names = [name for name in LANDMARKS if name in film["landmarks"]]
            true = place_in_frame(np.array([film["landmarks"][name]["at"] for name in names], float), rows, columns)
            away = np.hypot(*(points[[LANDMARKS.index(name) for name in names]] - true).T) * mm
            spread = spreads[[LANDMARKS.index(name) for name in names]] * mm
            line = {**line, **describe(away), "each": {n: [round(float(a), 1), round(float(s), 1)] for n, a, s in zip(names, away, spread)}}
        print(json.dumps(line))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weights")
    options.add_argument("films", help="a folder of drawn films")
    options.add_argument("--limit", type=int, default=200)
    options.add_argument("--real", nargs=2, metavar=("SET", "IMAGES"))
    options.add_argument("--calibrate", metavar="FILE")
    options.add_argument("--inflate", type=float, default=1.0, help="how much farther real films are from the truth than drawn ones")
    chosen = options.parse_args()
    torch.set_num_threads(1)
    network = Network()
    network.load_state_dict(torch.load(chosen.weights))
    network.eval()
    errors, spreads, judged = measure(network, chosen.films, chosen.limit)
    print(json.dumps({"films": len(errors), **describe(errors), "least judged": round(float(judged.min()), 2)}))
    for at, name in enumerate(LANDMARKS):
        print(json.dumps({"landmark": name, **describe(errors[:, at]), "p90": round(float(np.nanquantile(errors[:, at], 0.9)), 2)}))
    if chosen.calibrate:
        factors = calibrate(errors, spreads)
        landmarks = {name: {"factor": round(float(factors[name] * chosen.inflate), 3), "least": 0.0} for name in LANDMARKS}
        with open(chosen.calibrate, "w") as file:
            json.dump({"widest": 12.0, "judge": [1.0, 0.0], "landmarks": landmarks}, file, indent=1)
    if chosen.real:
        measure_real(network, *chosen.real)


if __name__ == "__main__":
    main()
