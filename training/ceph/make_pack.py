"""Writes what `build-pack.ts` needs: model.onnx with whole-number weights, manifest.json and card.json, from the weights and
the figures of `evaluate.py`."""
import argparse
import json
import os
import sys

import onnx
import torch

sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from export import Product  # noqa: E402
from export_onnx import export_model  # noqa: E402
from network import LANDMARKS, SIDE, Network  # noqa: E402
from quantise_onnx import quantise  # noqa: E402


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder")
    options.add_argument("--measured", required=True)
    options.add_argument("--version", default="0.1.0")
    options.add_argument("--date", required=True)
    options.add_argument("--kind", default="int8", choices=["int8", "dequantise", "fp16", "fp32"])
    chosen = options.parse_args()
    with open(chosen.measured) as file:
        measured = json.load(file)
    with open(os.path.join(chosen.folder, "shape.json")) as file:
        shape = json.load(file)
    network = Network()
    network.load_state_dict(torch.load(os.path.join(chosen.folder, "ceph.pt")))
    path = os.path.join(chosen.folder, "model.onnx")
    model = export_model(Product(network, shape, measured["calibration"]), (1, 1, SIDE, SIDE), ["heatmap", "spread"], path)
    onnx.save(quantise(model, chosen.kind), path)
    for name, content in (("manifest", manifest(measured, chosen.version)), ("card", card(measured, chosen.date))):
        with open(os.path.join(chosen.folder, name + ".json"), "w") as file:
            json.dump(content, file, indent=2)


def manifest(measured, version):
    return {
        "id": "arcada.ceph", "version": version, "api": 1, "task": "landmark-heatmap@1", "modality": ["DX"],
        "input": {"name": "image", "w": SIDE, "h": SIDE, "channels": ["gray-unit"], "fit": "contain"},
        "outputs": {"heatmap": "heatmap", "spread": "spread"},
        "post": {"threshold": 0.5, "landmarks": LANDMARKS},
        "calibration": {"set": f"{measured['drawn']['films']} drawn films that were held back", "n": measured["drawn"]["films"], "bins": [[1, 0.9]]},
        "produces": [f"CEPH_LM_{name}" for name in LANDMARKS],
        "licence": "Apache-2.0", "quotaCost": 0, "card": "card.json",
    }


def card(measured, date):
    drawn, real = measured["drawn"], [film for film in measured["real"] if "n" in film]
    held = {"n": drawn["n"], "set": f"{drawn['films']} drawn films of machines that were not trained on", "date": date}
    metrics = [
        {"name": "Mean error, mm", "value": drawn["mean"], **held},
        {"name": "Median error, mm", "value": drawn["median"], **held},
        {"name": "Within 2 mm", "value": drawn["within2"], **held},
    ]
    for film in real:
        seen = {"n": film["n"], "set": "one real film (1937); it also set how wide the stated radius is", "date": date}
        metrics += [
            {"name": "Mean error, mm", "value": film["mean"], **seen},
            {"name": "Median error, mm", "value": film["median"], **seen},
            {"name": "Within 2 mm", "value": film["within2"], **seen},
        ]
    return {
        "intendedUse": "Suggests positions of cephalometric landmarks on lateral cephalograms, each with the radius in which it may lie. A person confirms or moves every one before a value is computed.",
        "limits": "Trained on drawn films alone and measured on one real film, whose errors also set how wide the stated radius is: errors on other real films are not known. It looks at 192 pixels along the film and does not replace placing by hand. Not tried on clefts or heads after surgery. Frontal films, panoramic films and photographs got nothing in a small trial; an even ramp of grey did.",
        "trainedOn": "Drawn lateral cephalograms alone: no real film and no real label.",
        "metrics": metrics,
    }


if __name__ == "__main__":
    main()
