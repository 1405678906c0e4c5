"""Exports the weights of a folder as the model of the pack arcada.film, and describes it by what was measured."""
import os
import sys

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from film_card_in_chinese import translate
from export_film import OUTPUTS, load_film_finder
from intraoral_films import SIZE
from shared.files import read_json
from shared.pack_files import describe_model, metric, pack_options, write_pack

# Nobody has measured how well the engine sees these, and it does not look for them.
NOT_ASSESSED = ["FINDING_caries", "FINDING_periapicalRadiolucency"]
ARTICLES = {"restoration": "a", "implant": "an"}
FILM_CODES = ["FILM_TURN", "FILM_REGION", "FILM_TOOTH", "FILM_RESTORATION", "FILM_IMPLANT"]


def manifest(version, licence, least_view):
    return {
        **describe_model("arcada.film", version, "film-votes@1", "IO", (SIZE, SIZE), OUTPUTS),
        "post": {"threshold": 0.5, "leastVotes": 3, "leastTeeth": 1, "leastCertainty": 0.5, "leastView": least_view, "notAssessed": NOT_ASSESSED},
        "produces": FILM_CODES + NOT_ASSESSED, "licence": licence, "quotaCost": 1,
    }


def card(figures, date, least_view):
    films = f"{figures['films']} drawn films, developed as no training film is"
    of_films = lambda name, value, n: metric(name, value, n, films, date)
    given, right = figures[f"turn{least_view}"]
    metrics = [
        of_films("F1 of teeth found (middle inside the tooth's box)", figures["finding"], figures["teeth"]),
        of_films("F1 of teeth found (half of both boxes in common)", figures["findingHalf"], figures["teeth"]),
        of_films("Found teeth of which jaw and kind are right", figures["kindOfMet"], figures["teeth"]),
        of_films("Films for which a turn is given", given, figures["films"]),
        of_films("Given turns that are right", right, max(1, round(given * figures["films"]))),
    ]
    for finding in ("restoration", "implant"):
        rates = figures[finding]["0.5"]
        if rates["n"] > 0:
            metrics.append(of_films(f"Teeth with {ARTICLES[finding]} {finding} of which it is seen", rates["sensitivity"], rates["n"]))
            metrics.append(of_films(f"Seen {finding}s that are right", rates["right"], rates["n"]))
    return {
        "intendedUse": "Tells how an intra-oral radiograph lies, so that it can be turned upright by one click, and which kinds of teeth, "
        "restorations and implants it shows. It is no medical device, finds no disease and gives no tooth numbers.",
        "limits": "Learned and measured on drawings alone; one real bitewing radiograph was looked at. Figures on real films are unknown and "
        "probably worse. Caries and periapical lesions are not assessed. A film shows no number of a tooth and no side of the patient. "
        "A composite filling that is as dense as enamel is easily missed.",
        "trainedOn": "Films drawn by a program, of generated mouths. No image of a person.", "metrics": metrics,
        "translations": {"zh": translate(metrics)},
    }


def main():
    options = pack_options("fp16", "film.pt")
    options.add_argument("--measured", required=True, help="the figures of evaluate_film.py")
    options.add_argument("--least-view", type=float, choices=[0.7, 0.8, 0.9, 0.95], default=0.9)
    chosen = options.parse_args()
    write_pack(
        chosen.folder, chosen.kind, load_film_finder(os.path.join(chosen.folder, "film.pt")), (SIZE, SIZE), OUTPUTS,
        manifest(chosen.version, chosen.licence, chosen.least_view), card(read_json(chosen.measured), chosen.date, chosen.least_view),
    )


if __name__ == "__main__":
    main()
