"""Measures the finder on the marked real films, which it never trains on: finding, numbering, abstention, by tooth,
condition and film. Prints a line for each film and a summary as JSON."""
import argparse
import collections
import json
import os
import sys

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from decode import name_teeth_alone, number_teeth
from films import CONDITIONS
from predict import certainty, load_finder, predict
from shared.boxes import holds, match
from shared.files import write_json
from truth_films import STATES, drawn_films, marked_films

# The pack names a condition from this probability on (`post.threshold`).
LEAST_CONDITION = 0.6


def measure_film(finder, film, image, number=number_teeth):
    """Returns the finds on one film, each with whether its number is right, and each true tooth with what became of it."""
    true = [t for t in film["teeth"] if "pontic" not in t["state"] and "by" not in t]
    apart = [t for t in film["teeth"] if "pontic" in t["state"] or "by" in t]
    all_found = predict(finder, image, CONDITIONS, number)
    found = [f for f in all_found if f["condition"] != "pontic"]
    # A find on a pontic, or on a place that one person alone took for a tooth, counts neither way.
    found = [f for f in found if not any(holds(t["box"], f["box"]) for t in apart) or any(holds(t["box"], f["box"]) for t in true)]
    answers = [{"film": film["film"], "confidence": f["confidence"], "right": False, "met": False, "half": False, "kind": suggested(f)} for f in found]
    truths = [{"fdi": t["fdi"], "state": t["state"], "met": False, "half": False, "right": False} for t in true]
    for i, j, value in match(found, true):
        right = found[i]["fdi"] in (true[j]["fdi"], true[j].get("or"))
        for one in (answers[i], truths[j]):
            one.update(met=True, half=bool(value >= 0.5), right=right)
        truths[j]["kind"] = answers[i]["kind"]
        answers[i]["state"] = true[j]["state"]
    return {"film": film["film"], "answers": answers, "truths": truths, "certainty": certainty(all_found), "all": all_found}


def suggested(tooth):
    """The condition that the pack would name, as the marks call it."""
    sure = float(max(tooth["states"])) >= LEAST_CONDITION
    return STATES.get(tooth["condition"], tooth["condition"]) if sure else "sound"


def conditions(measured):
    """For each condition, how often it was named on a tooth that was found, and how often that is so; and the other way
    round. An impacted tooth is one that has not erupted; a crown may stand on a filled root."""
    answers = [a for one in measured for a in one["answers"] if a["met"]]
    truths = [t for one in measured for t in one["truths"] if t["met"]]
    names = lambda states: {"unerupted" if state == "impacted" else state for state in states}
    out = {}
    for name in ("filled", "rootFilled", "crown", "root", "unerupted", "implant"):
        said, have = [a for a in answers if a["kind"] == name], [t for t in truths if name in names(t["state"])]
        right = sum(name in names(a["state"]) for a in said)
        seen = sum(t.get("kind") == name for t in have)
        out[name] = {"named": len(said), "right": right, "true": len(have), "seen": seen}
    return out


def f1(measured, key):
    answers = [a for one in measured for a in one["answers"]]
    truths = [t for one in measured for t in one["truths"]]
    return round(2 * sum(t[key] for t in truths) / max(1, len(answers) + len(truths)), 4)


def figures(measured):
    truths = [t for one in measured for t in one["truths"]]
    answers = [a for one in measured for a in one["answers"]]
    return {
        "films": len(measured), "teeth": len(truths), "found": len(answers), "finding": f1(measured, "met"),
        "findingHalf": f1(measured, "half"), "numbering": f1(measured, "right"), "numberOfMet": share([t for t in truths if t["met"]], "right"),
    }


def share(rows, key):
    return round(sum(row[key] for row in rows) / len(rows), 4) if rows else None


def report(measured):
    """All figures: over all films, by the number of teeth, by tooth, by condition, and what abstaining gains."""
    truths = [t for one in measured for t in one["truths"]]
    groups = {"fewer than 20 teeth": (0, 20), "20 to 27 teeth": (20, 28), "28 teeth and more": (28, 99)}
    of_group = {name: [m for m in measured if low <= len(m["truths"]) < high] for name, (low, high) in groups.items()}
    of_group["mixed dentition"] = [m for m in measured if any(t["fdi"] > 50 for t in m["truths"])]
    by_tooth, by_state = collections.defaultdict(list), collections.defaultdict(list)
    for tooth in truths:
        jaw = "upper" if tooth["fdi"] // 10 in (1, 2, 5, 6) else "lower"
        by_tooth[f"{jaw} {'deciduous ' if tooth['fdi'] > 50 else ''}{tooth['fdi'] % 10}"].append(tooth)
        for state in tooth["state"] or ["no remark"]:
            by_state[state].append(tooth)
    rows = lambda groups: {name: {"n": len(some), "found": share(some, "met"), "numbered": share(some, "right")} for name, some in sorted(groups.items())}
    return {
        "all": figures(measured), "byFilm": {name: figures(some) for name, some in of_group.items() if some},
        "byTooth": rows(by_tooth), "byState": rows(by_state), "conditions": conditions(measured), "abstention": abstention(measured),
    }


def abstention(measured):
    """For each share of the least certain answers that is withheld: which share of the others has the right number."""
    said = sorted((a for one in measured for a in one["answers"]), key=lambda a: -a["confidence"])
    kept = lambda withheld: said[: max(1, round((1 - withheld) * len(said)))]
    return {f"{round(100 * w)} %": share(kept(w), "right") for w in (0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)}


def measure(weights, films, number=number_teeth):
    finder = load_finder(weights)
    return [measure_film(finder, film, read(), number) for film, read in films]


def name_of_set(chosen, measured):
    if chosen.images:
        return f"{len(measured)} real films of one clinic (ABDI set), marked by us, never trained on"
    own = measured[0]["film"].startswith("own")
    return f"{len(measured)} films of the owner, kept apart from training" if own else f"{len(measured)} drawn films, held back"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("weights")
    options.add_argument("truth", help="development-set.json, or a folder of drawn films")
    options.add_argument("images", nargs="?", default="", help="the folder of the marked films")
    options.add_argument("--out", default="", help="a file for the answers and figures, for calibrating and the card")
    options.add_argument("--without-order", action="store_true", help="each tooth gets its most probable number, whatever the others have")
    chosen = options.parse_args()
    films = marked_films(chosen.truth, chosen.images) if chosen.images else drawn_films(chosen.truth)
    measured = measure(chosen.weights, films, name_teeth_alone if chosen.without_order else number_teeth)
    for one in measured:
        count = lambda rows, key: sum(row[key] for row in rows)
        print(one["film"], f"true {len(one['truths'])} found {len(one['answers'])} met {count(one['truths'], 'met')} right {count(one['truths'], 'right')} certainty {one['certainty']:.2f}")
    summary = report(measured)
    print(json.dumps(summary, indent=1))
    if chosen.out:
        answers = [a for one in measured for a in one["answers"]]
        write_json(chosen.out, {"set": name_of_set(chosen, measured), "answers": answers, "figures": summary}, None)


if __name__ == "__main__":
    main()
