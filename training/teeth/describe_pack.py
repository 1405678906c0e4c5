"""Manifest and card of the pack, from what was measured: the figures are those of the model, wherever it stands."""
from calibrate import LEAST_RIGHT, calibrate, calibrated_error
from films import CONDITIONS, HEIGHT, NUMBERS, WIDTH

# The findings that the conditions suggest; null: nothing but the tooth itself.
FINDINGS = {"sound": None, "filled": "filling", "rootFilled": "rootFilling", "rootRemains": "rootRemnant"}


def manifest(measured, version, licence, limits):
    bins = calibrate(measured["answers"])
    findings = [FINDINGS.get(name, name) for name in CONDITIONS]
    return {
        "id": "arcada.teeth", "version": version, "api": 1, "task": "tooth-votes@1", "modality": ["PX"],
        "input": {"name": "image", "w": WIDTH, "h": HEIGHT, "channels": ["gray-unit"], "fit": "contain"},
        "outputs": {"classes": "classes", "edges": "edges", "conditions": "conditions"},
        "post": {"teeth": NUMBERS, "conditions": findings, "threshold": 0.6, "leastConfidence": LEAST_RIGHT, **limits},
        "calibration": {"set": measured["set"], "n": len(measured["answers"]), "bins": bins},
        "produces": ["TOOTH_BOX"] + [f"FINDING_{one}" for one in dict.fromkeys(findings) if one],
        "licence": licence, "quotaCost": 1, "card": "card.json",
    }


def card(measured, date, trained_on):
    figures, error = measured["figures"], calibrated_error(measured["answers"])
    everything, films = figures["all"], measured["set"]
    metric = lambda name, value, n: {"name": name, "value": value, "n": n, "set": films[:200], "date": date}
    metrics = [
        metric("F1 of teeth found (middle inside the tooth's box)", everything["finding"], everything["teeth"]),
        metric("F1 of teeth found (half of both boxes in common)", everything["findingHalf"], everything["teeth"]),
        metric("F1 of teeth found under their own number", everything["numbering"], everything["teeth"]),
        metric("Answers withheld as too uncertain", error["withheld"], error["n"]),
        metric("Distance of claimed and true share of right numbers", error["error"], error["n"]),
    ]
    if error["rightOfGiven"] is not None:
        metrics.insert(4, metric("Given numbers that are right", error["rightOfGiven"], round(error["n"] * (1 - error["withheld"]))))
    for name, group in figures["byFilm"].items():
        metrics.append(metric(f"F1 of own numbers: {name}", group["numbering"], group["teeth"]))
    return {
        "intendedUse": "Suggests where teeth stand on a panoramic radiograph and which number they have, so that a dentist "
        "fills a tooth chart faster. Each suggestion needs a dentist's confirmation. It is no medical device and finds no disease.",
        "limits": "Numbers are mostly wrong by one place, where a tooth is missing or was not found. Weakest are films with few teeth, "
        "mixed dentition, third molars without roots and supernumerary teeth. A place without a suggestion is not a missing tooth. "
        "Conditions (filled, crown, implant, unerupted and others) were learned from drawings alone and their share of right answers "
        "is unknown. Not tried on children under 6, cleft jaws, or films of part of a jaw.",
        "trainedOn": trained_on, "metrics": metrics,
    }
