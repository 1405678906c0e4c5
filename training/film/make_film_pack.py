"""Exports the weights of a folder as the model of the pack arcada.film, and describes it by what was measured."""
import argparse
import json
import os
import sys

import onnx

from export_film import OUTPUTS, load_film_finder
from intraoral_films import SIZE

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from export_onnx import export_model  # noqa: E402
from quantise_onnx import quantise  # noqa: E402

# Nobody has measured how well the engine sees these, and it does not look for them.
NOT_ASSESSED = ["FINDING_caries", "FINDING_periapicalRadiolucency"]
FILM_CODES = ["FILM_TURN", "FILM_REGION", "FILM_TOOTH", "FILM_RESTORATION", "FILM_IMPLANT"]


def manifest(version, licence, least_view):
    return {
        "id": "arcada.film", "version": version, "api": 1, "task": "film-votes@1", "modality": ["IO"],
        "input": {"name": "image", "w": SIZE, "h": SIZE, "channels": ["gray-unit"], "fit": "contain"},
        "outputs": {name: name for name in OUTPUTS},
        "post": {"threshold": 0.5, "leastVotes": 3, "leastTeeth": 1, "leastCertainty": 0.5, "leastView": least_view, "notAssessed": NOT_ASSESSED},
        "produces": FILM_CODES + NOT_ASSESSED, "licence": licence, "quotaCost": 1, "card": "card.json",
    }


def card(figures, date, least_view):
    films = f"{figures['films']} drawn films, developed as no training film is"
    metric = lambda name, value, n: {"name": name, "value": value, "n": n, "set": films, "date": date}
    given, right = figures[f"turn{least_view}"]
    metrics = [
        metric("F1 of teeth found (middle inside the tooth's box)", figures["finding"], figures["teeth"]),
        metric("F1 of teeth found (half of both boxes in common)", figures["findingHalf"], figures["teeth"]),
        metric("Found teeth of which jaw and kind are right", figures["kindOfMet"], figures["teeth"]),
        metric("Films for which a turn is given", given, figures["films"]),
        metric("Given turns that are right", right, max(1, round(given * figures["films"]))),
    ]
    for finding in ("restoration", "implant"):
        rates = figures[finding]["0.5"]
        if rates["n"] > 0:
            metrics.append(metric(f"Teeth with a {finding} of which it is seen", rates["sensitivity"], rates["n"]))
            metrics.append(metric(f"Seen {finding}s that are right", rates["right"], rates["n"]))
    return {
        "intendedUse": "Tells how an intra-oral radiograph lies, so that it can be turned upright by one click, and which kinds of teeth, "
        "restorations and implants it shows. It is no medical device, finds no disease and gives no tooth numbers.",
        "limits": "Learned and measured on drawings alone; one real bitewing radiograph was looked at. Figures on real films are unknown and "
        "probably worse. Caries and periapical lesions are not assessed. A film shows no number of a tooth and no side of the patient. "
        "A composite filling that is as dense as enamel is easily missed.",
        "trainedOn": "Films drawn by a program, of generated mouths. No image of a person.", "metrics": metrics,
    }


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder", help="holds film.pt; gets model.onnx, manifest.json and card.json")
    options.add_argument("--measured", required=True, help="the figures of evaluate_film.py")
    options.add_argument("--version", required=True)
    options.add_argument("--date", required=True, help="the day of the measurement")
    options.add_argument("--least-view", type=float, choices=[0.7, 0.8, 0.9, 0.95], default=0.9)
    options.add_argument("--kind", choices=["int8", "dequantise", "fp16", "fp32"], default="fp16")
    options.add_argument("--licence", default="Apache-2.0")
    chosen = options.parse_args()
    at = lambda name: os.path.join(chosen.folder, name)
    model = export_model(load_film_finder(at("film.pt")), (1, 1, SIZE, SIZE), OUTPUTS, at("model-fp32.onnx"))
    onnx.save(quantise(model, chosen.kind), at("model.onnx"))
    with open(chosen.measured) as file:
        figures = json.load(file)
    for name, content in (("manifest.json", manifest(chosen.version, chosen.licence, chosen.least_view)), ("card.json", card(figures, chosen.date, chosen.least_view))):
        with open(at(name), "w") as file:
            json.dump(content, file, indent=2)


if __name__ == "__main__":
    main()
