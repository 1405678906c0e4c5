"""Writes what `build-pack.ts` makes a pack of: model.onnx, manifest.json and card.json."""
import argparse
import os

import onnx

from shared.export_onnx import export_model
from shared.files import write_json
from shared.quantise_onnx import KINDS, quantise


def pack_options(kind, weights):
    """@param kind how weights are stored unless something else is asked for @param weights the name of their file"""
    options = argparse.ArgumentParser()
    options.add_argument("folder", help=f"holds {weights}; gets model.onnx, manifest.json and card.json")
    options.add_argument("--version", required=True)
    options.add_argument("--date", required=True, help="the day of the measurement")
    options.add_argument("--kind", choices=KINDS, default=kind)
    options.add_argument("--licence", default="Apache-2.0")
    return options


def write_pack(folder, kind, module, side, outputs, manifest, card):
    """`module` takes films of `side` (rows, columns) and gives a tensor for each of `outputs`."""
    at = lambda name: os.path.join(folder, name)
    model = export_model(module, (1, 1, *side), outputs, at("model-fp32.onnx"))
    onnx.save(quantise(model, kind), at("model.onnx"))
    write_json(at("manifest.json"), manifest)
    write_json(at("card.json"), card)


def describe_model(name, version, task, modality, side, outputs):
    """The part of a manifest that tells what the model is."""
    rows, columns = side
    return {
        "id": name, "version": version, "api": 1, "task": task, "modality": [modality],
        "input": {"name": "image", "w": columns, "h": rows, "channels": ["gray-unit"], "fit": "contain"},
        "outputs": {output: output for output in outputs}, "card": "card.json",
    }


def metric(name, value, n, films, date):
    return {"name": name, "value": value, "n": n, "set": films[:200], "date": date}
