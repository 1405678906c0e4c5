"""Prints the row of a run for the table "Runs" of the README, from the files that the run left in its folder."""
import argparse
import json
import os

HEAD = ["day", "seed", "steps", "minutes", "last loss", "set", "films", "teeth", "finding", "half", "number", "right at 15 % withheld", "model"]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("folder")
    options.add_argument("--date", required=True)
    options.add_argument("--seed", required=True)
    chosen = options.parse_args()
    at = lambda name: os.path.join(chosen.folder, name)
    with open(at("train.log")) as file:
        last = [json.loads(line) for line in file if line.startswith("{")][-1]
    print("| " + " | ".join(HEAD) + " |\n|" + "-|" * len(HEAD))
    for name in ("measured-before", "measured-drawn", "measured-real", "measured-test", "measured"):
        if not os.path.exists(at(name + ".json")):
            continue
        with open(at(name + ".json")) as file:
            measured = json.load(file)
        all_, said = measured["figures"]["all"], measured["figures"]["abstention"]["15 %"]
        row = [chosen.date, chosen.seed, last["step"], round(last["seconds"] / 60), last["numbering"], measured["set"], all_["films"], all_["teeth"]]
        row += [all_["finding"], all_["findingHalf"], all_["numbering"], said, f"{os.path.getsize(at('model.onnx')) / 1e6:.1f} MB"]
        print("| " + " | ".join(str(value) for value in row) + " |")


if __name__ == "__main__":
    main()
