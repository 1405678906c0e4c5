"""Exports the weights of a folder as the model of a pack, as small as measured changes allow, and describes it."""
import os
import sys

# `shared` lies beside the folder of this program.
sys.path.append(os.path.join(sys.path[0], ".."))

from describe_pack import TRAINED_ON, card, manifest
from films import HEIGHT, WIDTH
from predict import load_finder
from export import OUTPUTS
from shared.files import read_json
from shared.pack_files import pack_options, write_pack

# An image with less is no panoramic film of teeth, as far as the pack can tell (`out_of_domain.py`).
LEAST_TEETH, LEAST_CERTAINTY = 5, 0.38


def main():
    options = pack_options("fp16", "teeth.pt")
    options.add_argument("--measured", required=True, nargs="+", help="answers and figures of evaluate.py: all make the claims, the last ones stand on the card")
    options.add_argument("--trained-on", default=TRAINED_ON)
    chosen = options.parse_args()
    parts = [read_json(path) for path in chosen.measured]
    claimed = {**parts[-1], "answers": [answer for part in parts for answer in part["answers"]], "set": name_sets([part["set"] for part in parts])}
    limits = {"leastTeeth": LEAST_TEETH, "leastCertainty": LEAST_CERTAINTY}
    write_pack(
        chosen.folder, chosen.kind, load_finder(os.path.join(chosen.folder, "teeth.pt")), (HEIGHT, WIDTH), OUTPUTS,
        manifest(claimed, chosen.version, chosen.licence, limits), card(parts[-1], chosen.date, chosen.trained_on, claimed),
    )


def name_sets(names):
    """Sets that differ in their number of films alone become one with the sum."""
    counts, rest = zip(*(name.split(" ", 1) for name in names))
    return f"{sum(map(int, counts))} {rest[0]}" if len(set(rest)) == 1 else " and ".join(names)


if __name__ == "__main__":
    main()
