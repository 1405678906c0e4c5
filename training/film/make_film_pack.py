"""Exports the weights of a folder as the model of the pack arcada.film, and describes it by what was measured."""
import os
import sys

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from film_card_in_chinese import translate
from export_film import OUTPUTS, load_film_finder
from intraoral_films import FINDINGS, SIZE
from shared.files import read_json
from shared.pack_files import describe_model, metric, pack_options, write_pack

# Nobody has measured how well the engine sees these, and it does not look for them.
NOT_ASSESSED = ["FINDING_caries", "FINDING_periapicalRadiolucency"]
CODE_OF = {"restoration": "FILM_RESTORATION", "implant": "FILM_IMPLANT"}
# A finding is told from the lowest probability at which so many of the named ones are right; if it then sees less than
# this share, it is not assessed.
LEAST_RIGHT, LEAST_SEEN = 0.9, 0.3
# A tooth is named from this certainty on: jaw and kind of less certain ones were often wrong on the real film.
LEAST_NAME = 0.8
ARTICLES = {"restoration": "a", "implant": "an"}
FILM_CODES = ["FILM_TURN", "FILM_REGION", "FILM_TOOTH", "FILM_RESTORATION", "FILM_IMPLANT"]


def choose_least(figures):
    """For each finding the probability from which on it is told, as the figures write it, or None."""
    def choose(rates):
        kept = [least for least, rate in rates.items() if rate["right"] >= LEAST_RIGHT and rate["sensitivity"] >= LEAST_SEEN]
        return min(kept, key=float, default=None)

    return {finding: choose(figures[finding]) for finding in FINDINGS}


def manifest(version, licence, least_view, least):
    not_assessed = [*NOT_ASSESSED, *(CODE_OF[finding] for finding in FINDINGS if least[finding] is None)]
    return {
        **describe_model("arcada.film", version, "film-votes@1", "IO", (SIZE, SIZE), OUTPUTS),
        "post": {"threshold": 0.5, "leastVotes": 3, "leastTeeth": 1, "leastCertainty": 0.5, "leastConfidence": LEAST_NAME, "leastView": least_view, "notAssessed": not_assessed},
        "produces": FILM_CODES + NOT_ASSESSED, "licence": licence, "quotaCost": 1,
    }


def describe_films(figures, films, date, least_view):
    of_films = lambda name, value, n: metric(name, value, n, films, date)
    given, right = figures[f"turn{least_view}"]
    named, rightly = figures[f"name{LEAST_NAME}"]
    met = max(1, round(figures["recall"] * figures["teeth"]))
    return [
        of_films("F1 of teeth found (middle inside the tooth's box)", figures["finding"], figures["teeth"]),
        of_films("F1 of teeth found (half of both boxes in common)", figures["findingHalf"], figures["teeth"]),
        of_films("Found teeth that are named", named, met),
        of_films("Named teeth of which jaw and kind are right", rightly, max(1, round(named * met))),
        of_films("Films for which a turn is given", given, figures["films"]),
        of_films("Given turns that are right", right, max(1, round(given * figures["films"]))),
    ]


def card(figures, real, date, least_view, least):
    """`real`: the figures on the real film in four directions, or None."""
    films = f"{figures['films']} drawn films, developed as no training film is"
    of_films = lambda name, value, n: metric(name, value, n, films, date)
    metrics = describe_films(figures, films, date, least_view)
    if real:
        metrics += describe_films(real, "one real bitewing radiograph in four directions", date, least_view)
    told = [finding for finding in FINDINGS if least[finding] is not None]
    for finding in told:
        rates = figures[finding][least[finding]]
        metrics.append(of_films(f"Teeth with {ARTICLES[finding]} {finding} of which it is seen", rates["sensitivity"], rates["n"]))
        metrics.append(of_films(f"Seen {finding}s that are right", rates["right"], max(1, round(rates["sensitivity"] * rates["n"] / rates["right"]))))
    return {
        "intendedUse": "Tells how an intra-oral radiograph lies, so that it can be turned upright by one click, and which "
        + " and ".join(["kinds of teeth", *(f"{finding}s" for finding in told)]) + " it shows. It is no medical device, finds no disease and gives no tooth numbers.",
        "limits": "Learned on drawings alone and measured on them and on one real bitewing radiograph. Figures on real films are hardly known and "
        "probably worse. Caries, periapical lesions" + "".join(f", {finding}s" for finding in FINDINGS if finding not in told) + " are not assessed. A film shows no number of a tooth and no side of the patient. "
        "Findings are told only where nine of ten were right on drawn films.",
        "trainedOn": "Films drawn by a program, of generated mouths. No image of a person.", "metrics": metrics,
        "translations": {"zh": translate(metrics, told)},
    }


def main():
    options = pack_options("fp16", "film.pt")
    options.add_argument("--measured", required=True, help="the figures of evaluate_film.py")
    options.add_argument("--real", help="the figures of evaluate_film.py on the real film")
    options.add_argument("--least-view", type=float, choices=[0.7, 0.8, 0.9, 0.95], default=0.9)
    chosen = options.parse_args()
    figures = read_json(chosen.measured)
    least = choose_least(figures)
    probabilities = [None if least[finding] is None else float(least[finding]) for finding in FINDINGS]
    write_pack(
        chosen.folder, chosen.kind, load_film_finder(os.path.join(chosen.folder, "film.pt"), probabilities), (SIZE, SIZE), OUTPUTS,
        manifest(chosen.version, chosen.licence, chosen.least_view, least), card(figures, read_json(chosen.real) if chosen.real else None, chosen.date, chosen.least_view, least),
    )


if __name__ == "__main__":
    main()
