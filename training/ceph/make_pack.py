"""Writes what `build-pack.ts` needs: model.onnx with whole-number weights, manifest.json and card.json, from the weights and
the figures of `evaluate.py`."""
import os
import sys

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from card_in_chinese import calibration_set, translate
from export import OUTPUTS, Product
from network import LANDMARKS, SIDE, Network
from shared.files import read_json
from shared.network_parts import load_weights
from shared.pack_files import describe_model, metric, pack_options, write_pack


SEEN = "one real film (1937); it also set how wide the stated radius is"


def main():
    options = pack_options("int8", "ceph.pt and shape.json")
    options.add_argument("--measured", required=True, help="the figures and the calibration of evaluate.py")
    chosen = options.parse_args()
    at = lambda name: os.path.join(chosen.folder, name)
    measured = read_json(chosen.measured)
    finder = Product(load_weights(Network(), at("ceph.pt")), read_json(at("shape.json")), measured["calibration"])
    write_pack(
        chosen.folder, chosen.kind, finder, (SIDE, SIDE), OUTPUTS,
        manifest(measured, chosen.version, chosen.licence), card(measured, chosen.date),
    )


def manifest(measured, version, licence):
    return {
        **describe_model("arcada.ceph", version, "landmark-heatmap@1", "DX", (SIDE, SIDE), OUTPUTS),
        "post": {"threshold": 0.5, "landmarks": LANDMARKS},
        "calibration": {"set": calibration_set(measured["drawn"]["films"]), "n": measured["drawn"]["films"], "bins": [[1, 0.9]]},
        "produces": [f"CEPH_LM_{name}" for name in LANDMARKS],
        "licence": licence, "quotaCost": 0,
    }


def card(measured, date):
    drawn, real = measured["drawn"], [film for film in measured["real"] if "n" in film]
    held = f"{drawn['films']} drawn films of machines that were not trained on"
    seen = SEEN
    metrics = []
    for films, figures in [(held, drawn), *((seen, film) for film in real)]:
        metrics += [
            metric("Mean error, mm", figures["mean"], figures["n"], films, date),
            metric("Median error, mm", figures["median"], figures["n"], films, date),
            metric("Within 2 mm", figures["within2"], figures["n"], films, date),
        ]
    return {
        "intendedUse": "Suggests positions of cephalometric landmarks on lateral cephalograms, each with the radius in which it may lie. A person confirms or moves every one before a value is computed.",
        "limits": "Trained on drawn films alone and measured on one real film, whose errors also set how wide the stated radius is and what counts as a cephalogram: errors on other real films are not known. The radius is 7 to 9 mm: the suggestions save searching and do not replace placing by hand. It looks at 192 pixels along the film. Not tried on clefts or heads after surgery.",
        "trainedOn": "Drawn lateral cephalograms alone: no real film and no real label.",
        "metrics": metrics, "translations": {"zh": translate(metrics)},
    }


if __name__ == "__main__":
    main()
