"""Manifest and card of the pack, from what was measured: the figures are those of the model, wherever it stands."""
from evaluate import LEAST_CONDITION
from card_in_chinese import translate
from calibrate import LEAST_RIGHT, calibrate, calibrated_error
from export import OUTPUTS
from films import CONDITIONS, HEIGHT, NUMBERS, WIDTH
from shared.pack_files import describe_model, metric
from truth_films import STATES

# So often must a condition have been named on the marked films to say how often it is right.
LEAST_NAMED = 20

TRAINED_ON = "Films drawn by a program, of generated heads. No image of a person."

# The findings that the conditions suggest; null: nothing but the tooth itself.
FINDINGS = {"sound": None, "filled": "filling", "rootFilled": "rootFilling", "rootRemains": "rootRemnant"}


def is_named(name, measured):
    """A condition is only suggested if it was right often enough. What is no tooth must be told in any case."""
    if name in ("implant", "pontic"):
        return True
    seen = measured["figures"]["conditions"].get(STATES.get(name, name))
    return seen is not None and seen["named"] >= LEAST_NAMED and seen["right"] / seen["named"] >= LEAST_RIGHT


def manifest(measured, version, licence, limits):
    answers = measured["answers"]
    findings = [FINDINGS.get(name, name) if is_named(name, measured) else None for name in CONDITIONS]
    return {
        **describe_model("arcada.teeth", version, "tooth-votes@1", "PX", (HEIGHT, WIDTH), OUTPUTS),
        "post": {"teeth": NUMBERS, "conditions": findings, "threshold": LEAST_CONDITION, "leastConfidence": LEAST_RIGHT, **limits},
        "calibration": {"set": measured["set"], "n": len(answers), "bins": calibrate(answers)} if answers else None,
        "produces": ["TOOTH_BOX"] + [f"FINDING_{one}" for one in dict.fromkeys(findings) if one],
        "licence": licence, "quotaCost": 1,
    }


def card(measured, date, trained_on, claimed):
    """@param measured figures of films that chose nothing @param claimed the answers that made the claims, and their set"""
    figures = measured["figures"]
    everything, films = figures["all"], measured["set"]
    of_films = lambda name, value, n: metric(name, value, n, films, date)
    of_claims = lambda name, value, n: metric(name, value, n, claimed["set"], date)
    metrics = [
        of_films("F1 of teeth found (middle inside the tooth's box)", everything["finding"], everything["teeth"]),
        of_films("F1 of teeth found (half of both boxes in common)", everything["findingHalf"], everything["teeth"]),
        of_films("F1 of teeth found under their own number", everything["numbering"], everything["teeth"]),
    ]
    if claimed["answers"]:
        error = calibrated_error(claimed["answers"])
        metrics.append(of_claims("Answers withheld as too uncertain", error["withheld"], error["n"]))
        if error["rightOfGiven"] is not None:
            metrics.append(of_claims("Given numbers that are right", error["rightOfGiven"], round(error["n"] * (1 - error["withheld"]))))
        metrics.append(of_claims("Distance of claimed and true share of right numbers", error["error"], error["n"]))
    told = [STATES.get(one, one) for one in CONDITIONS if is_named(one, claimed)]
    for name, seen in figures["conditions"].items():
        if seen["named"] > 0 and name in told:
            metrics.append(of_films(f"Named {name} that are so (of {seen['true']} true ones {seen['seen']} named)", round(seen["right"] / seen["named"], 4), seen["named"]))
    for name, group in figures["byFilm"].items():
        metrics.append(of_films(f"F1 of own numbers: {name}", group["numbering"], group["teeth"]))
    return {
        "intendedUse": "Suggests where teeth stand on a panoramic radiograph and which number they have, so that a dentist "
        "fills a tooth chart faster. Each suggestion needs a dentist's confirmation. It is no medical device and finds no disease.",
        "limits": "Numbers are mostly wrong by one place, where a tooth is missing or was not found. Films with few teeth are weakest; "
        "mixed dentition is not among the marked films. A place without a suggestion is not a missing tooth. "
        "Conditions (filled, crown and others) were learned from drawings alone; those that were right less than four times in five on "
        "marked films are not named. Implants and pontics are named, and too few were marked to say how often that is right. "
        "Not tried on children under 6, cleft jaws, or films of part of a jaw.",
        "trainedOn": trained_on, "metrics": metrics, "translations": {"zh": translate(metrics, trained_on == TRAINED_ON)},
    }
