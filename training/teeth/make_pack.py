"""Exports the weights of a folder as the model of a pack, as small as measured changes allow, and describes it."""
import argparse
import json
import os
import sys

import onnx

from describe_pack import TRAINED_ON, card, manifest
from calibrate import read_answers
from export import OUTPUTS, Finder, load_network
from films import HEIGHT, WIDTH

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from export_onnx import export_model  # noqa: E402
from quantise_onnx import quantise  # noqa: E402

# An image with less is no panoramic film of teeth, as far as the pack can tell (`out_of_domain.py`).
LEAST_TEETH, LEAST_CERTAINTY = 5, 0.38


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder", help="holds teeth.pt; gets model.onnx, manifest.json and card.json")
    options.add_argument("--measured", required=True, nargs="+", help="answers and figures of evaluate.py: all make the claims, the last ones stand on the card")
    options.add_argument("--version", required=True)
    options.add_argument("--date", required=True, help="the day of the measurement")
    options.add_argument("--kind", choices=["int8", "dequantise", "fp16", "fp32"], default="fp16")
    options.add_argument("--licence", default="Apache-2.0")
    options.add_argument("--trained-on", default=TRAINED_ON)
    chosen = options.parse_args()
    at = lambda name: os.path.join(chosen.folder, name)
    model = export_model(Finder(load_network(at("teeth.pt"))), (1, 1, HEIGHT, WIDTH), OUTPUTS, at("model-fp32.onnx"))
    onnx.save(quantise(model, chosen.kind), at("model.onnx"))
    parts = [read_answers(path) for path in chosen.measured]
    claimed = {**parts[-1], "answers": [answer for part in parts for answer in part["answers"]], "set": name_sets([part["set"] for part in parts])}
    limits = {"leastTeeth": LEAST_TEETH, "leastCertainty": LEAST_CERTAINTY}
    write(at("manifest.json"), manifest(claimed, chosen.version, chosen.licence, limits))
    write(at("card.json"), card(parts[-1], chosen.date, chosen.trained_on, claimed))


def name_sets(names):
    """Sets that differ in their number of films alone become one with the sum."""
    counts, rest = zip(*(name.split(" ", 1) for name in names))
    return f"{sum(map(int, counts))} {rest[0]}" if len(set(rest)) == 1 else " and ".join(names)


def write(path, content):
    with open(path, "w") as file:
        json.dump(content, file, indent=2)


if __name__ == "__main__":
    main()
