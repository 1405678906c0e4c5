"""Measures the finder on films that it never trained on: drawn ones of another look, or real ones marked by hand."""
import argparse
import json
import os
import sys

import numpy as np
import torch

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from decode_film import find_teeth, name_of, read_view
from export_film import load_film_finder
from intraoral_films import KINDS, RESTORED, SIZE, kind_of
from shared.boxes import match
from shared.files import read_image, read_json, read_pgm, read_rows, write_json
from shared.frame import place_in_frame


def predict(finder, pixels):
    frame, place = place_in_frame(pixels, SIZE, SIZE)
    with torch.no_grad():
        kinds, findings, edges, view = (one[0].numpy() for one in finder(torch.from_numpy(frame)[None, None]))
    teeth = find_teeth(kinds, findings, edges)
    for tooth in teeth:
        tooth["box"] = place.to_film(tooth["box"])
    return teeth, read_view(view)


def drawn_films(folder):
    for row in read_rows(folder):
        teeth = [
            {
                "kind": " ".join(KINDS[kind_of(t["fdi"]) - 1]),
                "box": t["box"],
                "restored": t["condition"] in RESTORED,
                "implant": t["condition"] == "implant",
                "edge": t["seen"] < 0.3 or t["condition"] == "pontic",
            }
            for t in row["teeth"]
        ]
        yield read_pgm(f"{folder}/{row['film']}.pgm"), row["region"], row["turned"], teeth


def marked_films(file, images):
    """The marked films as they lie and in the three other directions."""
    for film in read_json(file)["films"]:
        pixels = read_image(f"{images}/{film['film']}")
        teeth = [{"implant": False, "edge": False, **t} for t in film["teeth"]]
        for turn in range(4):
            yield pixels, film["region"], (film["turned"] + turn) % 4, teeth
            rows = pixels.shape[0]
            pixels = np.rot90(pixels, -1)
            # A quarter turn clockwise: what was at the lower left is now at the upper left.
            teeth = [{**t, "box": [rows - t["box"][3], t["box"][0], rows - t["box"][1], t["box"][2]]} for t in teeth]


class Counts:
    def __init__(self):
        self.found = self.true = self.met = self.half = self.named = self.form = 0
        self.turns, self.regions, self.names = [], [], []
        self.findings = {"restoration": [], "implant": []}

    def add(self, found, view, region, turned, teeth):
        (turn, sure), (named, certain) = view
        self.turns.append((sure, turn == turned))
        self.regions.append((certain, named == region))
        clear = [t for t in teeth if not t["edge"]]
        slivers = [t for t in teeth if t["edge"]]
        pairs = match(found, clear)
        met = {i for i, _, _ in pairs}
        # A find on a sliver counts neither way.
        stray = {i for i, _, _ in match([f for f in found], slivers)} - met
        self.found += len(found) - len(stray)
        self.true += len(clear)
        self.met += len(pairs)
        for i, j, value in pairs:
            self.half += value >= 0.5
            name = name_of(found[i])
            self.named += name == clear[j]["kind"]
            self.names.append((float(found[i]["sure"] * max(found[i]["kinds"])), name == clear[j]["kind"]))
            self.form += name.split()[1] == clear[j]["kind"].split()[1]
            for place, (finding, key) in enumerate((("restoration", "restored"), ("implant", "implant"))):
                if clear[j][key] is not None:
                    self.findings[finding].append((float(found[i]["findings"][place]), bool(clear[j][key])))

    def summary(self):
        f1 = lambda hits: round(2 * hits / max(1, self.found + self.true), 3)
        out = {"films": len(self.turns), "teeth": self.true, "finding": f1(self.met), "findingHalf": f1(self.half)}
        out["precision"], out["recall"] = round(self.met / max(1, self.found), 3), round(self.met / max(1, self.true), 3)
        out["kindOfMet"], out["formOfMet"] = round(self.named / max(1, self.met), 3), round(self.form / max(1, self.met), 3)
        for name, said in (("turn", self.turns), ("region", self.regions), ("name", self.names)):
            out[name] = round(sum(ok for _, ok in said) / max(1, len(said)), 3)
            for least in (0.7, 0.8, 0.9, 0.95):
                kept = [ok for sure, ok in said if sure >= least]
                out[f"{name}{least}"] = [round(len(kept) / max(1, len(said)), 3), round(sum(kept) / max(1, len(kept)), 3)]
        for finding, said in self.findings.items():
            out[finding] = {least: rates(said, least) for least in (0.3, 0.5, 0.7)}
        return out


def rates(said, least):
    """Cases with the finding, share of them seen, share of what was seen that is right, share of the others left alone."""
    hits = sum(1 for value, true in said if true and value >= least)
    positive, named = sum(true for _, true in said), sum(value >= least for value, _ in said)
    quiet = sum(1 for value, true in said if not true and value < least)
    return {"n": positive, "sensitivity": round(hits / max(1, positive), 3), "right": round(hits / max(1, named), 3), "specificity": round(quiet / max(1, len(said) - positive), 3)}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weights")
    options.add_argument("films", help="a folder of drawn films, or the marked set")
    options.add_argument("images", nargs="?", help="the folder of the marked films")
    options.add_argument("--out", default="", help="a file for the figures")
    chosen = options.parse_args()
    torch.set_num_threads(1)
    finder = load_film_finder(chosen.weights)
    counts = Counts()
    for pixels, region, turned, teeth in marked_films(chosen.films, chosen.images) if chosen.images else drawn_films(chosen.films):
        found, view = predict(finder, pixels)
        counts.add(found, view, region, turned, teeth)
        if chosen.images:
            print(view, [(name_of(t), [round(float(v)) for v in t["box"]], round(float(t["findings"][0]), 2)) for t in found])
    print(json.dumps(counts.summary(), indent=2))
    if chosen.out:
        write_json(chosen.out, counts.summary())


if __name__ == "__main__":
    main()
