"""Measures the finder on the marked real films, which it never trains on: finding, numbering, abstention."""
import argparse
import json

import numpy as np
import torch

from decode import find_teeth, number_teeth, overlap
from films import CONDITIONS, HEIGHT, MIRROR, WIDTH
from network import Network


def read_film(path):
    """Grey values 0 to 1. Needs Pillow or a PGM of the same name."""
    from PIL import Image

    return torch.from_numpy(np.asarray(Image.open(path).convert("L"), np.float32) / 255)


def fit(image):
    """The film in the network's frame, with the scale and shift back to its own pixels."""
    rows, columns = image.shape
    scale = min(WIDTH / columns, HEIGHT / rows)
    wide, high = round(columns * scale), round(rows * scale)
    small = torch.nn.functional.interpolate(image[None, None], (high, wide), mode="bilinear", align_corners=False, antialias=True)[0, 0]
    frame = torch.zeros(HEIGHT, WIDTH)
    top, left = (HEIGHT - high) // 2, (WIDTH - wide) // 2
    frame[top : top + high, left : left + wide] = small
    return frame, (columns / wide, left, top)


def predict(network, image, mirrored=True):
    frame, (scale, left, top) = fit(image)
    with torch.no_grad():
        logits, states, edges = network(frame[None, None])
        chances, states, edges = torch.softmax(logits[0], 0), torch.softmax(states[0], 0), edges[0]
        if mirrored:
            other, turned_states, turned = network(frame.flip(1)[None, None])
            other = torch.softmax(other[0], 0)[MIRROR].flip(2)
            turned = turned[0][[2, 1, 0, 3]].flip(2)
            states = (states + torch.softmax(turned_states[0], 0).flip(2)) / 2
            chances, edges = (chances + other) / 2, (edges + turned) / 2
    teeth = number_teeth(find_teeth(chances.numpy(), edges.numpy(), states.numpy()))
    for tooth in teeth:
        tooth["box"] = (tooth["box"] - np.array([left, top, left, top])) * scale
    return teeth


def match(found, true):
    """Pairs each found tooth with the true one whose box holds its middle, the best overlapping ones first."""
    pairs = sorted(((overlap(f["box"], t["box"]), i, j) for i, f in enumerate(found) for j, t in enumerate(true) if holds(t["box"], f["box"])), reverse=True)
    left, right, out = set(), set(), []
    for value, i, j in pairs:
        if i not in left and j not in right:
            left.add(i), right.add(j), out.append((i, j, value))
    return out


def holds(box, other):
    x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    return box[0] < x < box[2] and box[1] < y < box[3]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weights")
    options.add_argument("truth")
    options.add_argument("images")
    chosen = options.parse_args()
    network = Network()
    network.load_state_dict(torch.load(chosen.weights))
    network.eval()
    total = {"found": 0, "true": 0, "met": 0, "half": 0, "right": 0}
    said = []
    for film in json.load(open(chosen.truth))["films"]:
        true = [t for t in film["teeth"] if "pontic" not in t["state"] and "by" not in t]
        bridge = [t for t in film["teeth"] if "pontic" in t["state"] or "by" in t]
        found = predict(network, read_film(f"{chosen.images}/{film['film']}.jpg"))
        # What stands on a pontic, or on what one person alone took for a tooth, counts neither way.
        found = [f for f in found if not any(holds(t["box"], f["box"]) for t in bridge) or any(holds(t["box"], f["box"]) for t in true)]
        pairs = match(found, true)
        right = 0
        for i, j, value in pairs:
            ok = found[i]["fdi"] in (true[j]["fdi"], true[j].get("or"))
            right += int(ok)
            total["half"] += int(value >= 0.5)
            said.append((found[i]["confidence"], bool(ok)))
        met = {i for i, _, _ in pairs}
        said += [(f["confidence"], False) for i, f in enumerate(found) if i not in met]
        total["found"] += len(found)
        total["true"] += len(true)
        total["met"] += len(pairs)
        total["right"] += right
        print(film["film"], f"true {len(true)} found {len(found)} met {len(pairs)} right {right}")
    f1 = lambda hits: round(2 * hits / (total["found"] + total["true"]), 3)
    said.sort(reverse=True)
    kept = said[: max(1, int(0.85 * len(said)))]
    print(json.dumps({"finding": f1(total["met"]), "findingHalf": f1(total["half"]), "numbering": f1(total["right"]), "saidRight85": round(sum(ok for _, ok in kept) / len(kept), 3), **total}))


if __name__ == "__main__":
    main()
