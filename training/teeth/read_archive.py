"""Brings an owner's archive of signed charts into the form of drawn films: only its folder training/, never trial/.

One patient in six stays apart from training and measures the result. Films whose teeth are not all known and boxed are
left out: an unmarked tooth would be taught as none."""
import argparse
import json
import os
import sys

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from shared.files import read_image, read_json, read_rows, write_pgm
from shared.frame import place_in_frame

COLUMNS, ROWS = 600, 300
ABSENT = {"missing"}
CONDITION = {"implant": "implant", "pontic": "pontic", "root": "rootRemains"}
BY_FINDING = [("crown", "metalCrown"), ("rootFilling", "rootFilled"), ("filling", "filled")]
APART_ONE_IN = 6
MOST_PIXELS = 120_000_000


def archive_films(archive):
    """The labelled panoramas of the folder training/, by patient."""
    for patient in sorted(os.listdir(os.path.join(archive, "training"))):
        folder = os.path.join(archive, "training", patient)
        for name in sorted(os.listdir(folder)):
            if name.endswith(".json") and os.path.exists(os.path.join(folder, name[:-5] + ".png")):
                yield patient, os.path.join(folder, name[:-5] + ".png"), read_json(os.path.join(folder, name))


def teeth_of(labels):
    """The teeth of a chart as those of a drawn film; None if the chart does not tell all of them."""
    if labels["kind"] != "panorama" or labels.get("heldBack") or labels["columns"] * labels["rows"] > MOST_PIXELS:
        return None
    known = {t["fdi"] for t in labels["teeth"] if t["presence"] != "unknown"}
    if any(10 * q + p not in known for q in (1, 2, 3, 4) for p in range(1, 9)):
        return None
    teeth = []
    for tooth in labels["teeth"]:
        if tooth["presence"] in ABSENT | {"unknown"}:
            continue
        if tooth["box"] is None:
            # An unerupted tooth may not be seen at all.
            if tooth["presence"] == "unerupted":
                continue
            return None
        found = {f["code"] for f in tooth["findings"]}
        condition = CONDITION.get(tooth["presence"]) or next((name for code, name in BY_FINDING if code in found), "sound")
        box = [tooth["box"][side] for side in ("left", "top", "right", "bottom")]
        teeth.append({"fdi": tooth["fdi"], "condition": condition, "unerupted": tooth["presence"] in ("unerupted", "impacted"), "box": box})
    return teeth


def convert(path, teeth):
    """The film in a frame of the proportions of drawn ones, with the boxes there."""
    frame, place = place_in_frame(read_image(path), COLUMNS, ROWS)
    boxed = [{**t, "box": [round(float(v), 1) for v in place.to_frame(t["box"])]} for t in teeth]
    return (frame * 255).round(), boxed


def write_film(folder, name, pixels, teeth):
    write_pgm(os.path.join(folder, name + ".pgm"), pixels)
    return {"film": name, "teeth": teeth}


def write_rows(folder, rows):
    with open(os.path.join(folder, "teeth.jsonl"), "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("archive")
    options.add_argument("folder", help="has films/, drawn ones; gets mixed/ and apart/")
    chosen = options.parse_args()
    mixed, apart, drawn = (os.path.join(chosen.folder, name) for name in ("mixed", "apart", "films"))
    for folder in (mixed, apart):
        os.makedirs(folder, exist_ok=True)
    own, other, left_out, patients = [], [], 0, []
    for patient, path, labels in archive_films(chosen.archive):
        teeth = teeth_of(labels)
        if teeth is None:
            left_out += 1
            continue
        if patient not in patients:
            patients.append(patient)
        to, rows = (apart, other) if patients.index(patient) % APART_ONE_IN == 0 else (mixed, own)
        rows.append(write_film(to, f"own-{len(own) + len(other):06d}", *convert(path, teeth)))
    if not own or not other:
        raise SystemExit(f"Too few films with complete charts: {len(own) + len(other)}, {left_out} left out.")
    rows = read_rows(drawn)
    for row in rows:
        target = os.path.join(mixed, row["film"] + ".pgm")
        if not os.path.exists(target):
            os.link(os.path.join(drawn, row["film"] + ".pgm"), target)
    # Half of what is drawn at random is the owner's.
    times = max(1, round(len(rows) / len(own)))
    write_rows(mixed, rows + own * times)
    write_rows(apart, other)
    print(f"{len(own)} films to train on ({times} times each), {len(other)} apart, {left_out} left out, {len(rows)} drawn")


if __name__ == "__main__":
    main()
