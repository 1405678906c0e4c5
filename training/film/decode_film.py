"""From the network's cells to teeth, and from its view to the turn. The product does the same in
`packages/analysis/src/pack/decode-film-votes.ts`."""
import numpy as np

from intraoral_films import CELLS, FINDINGS, KINDS, REGIONS, STRIDE
from shared.boxes import overlap, suppress

LEAST_TOOTH = 0.4
LEAST_CELLS = 3.0
SAME = 0.5
COVERED = 0.45


def find_teeth(kinds, findings, edges):
    """Cells whose boxes agree are one tooth, the most certain cell first: its box, kind, certainty and findings.
    `kinds` `[9, 24, 24]` and `findings` `[2, 24, 24]` are probabilities, `edges` `[4, 24, 24]` pixels of the frame."""
    tooth = (1 - kinds[0]).ravel()
    at = np.nonzero(tooth > LEAST_TOOTH)[0]
    x, y = (at % CELLS + 0.5) * STRIDE, (at // CELLS + 0.5) * STRIDE
    left, top, right, bottom = edges.reshape(4, -1)[:, at]
    boxes = np.stack([x - left, y - top, x + right, y + bottom], 1)
    weight = tooth[at]
    # A cell in the middle of its box knows both sides of it.
    middle = np.minimum(left, right) * np.minimum(top, bottom) / (np.maximum(left, right) * np.maximum(top, bottom) + 1e-6)
    order = np.argsort(-(weight * np.sqrt(np.maximum(middle, 0))), kind="stable")
    taken, found = np.zeros(len(at), bool), []
    for seed in order:
        if taken[seed]:
            continue
        own = [i for i in range(len(at)) if not taken[i] and overlap(boxes[seed], boxes[i]) >= SAME]
        taken[own] = True
        taken[seed] = True
        mass = weight[own].sum()
        if mass < LEAST_CELLS:
            continue
        mean = lambda values: (values.reshape(len(values), -1)[:, at[own]] * weight[own]).sum(1) / mass
        shares = mean(kinds)[1:]
        found.append(
            {
                "box": (boxes[own] * weight[own][:, None]).sum(0) / mass,
                "kinds": shares / shares.sum(),
                "findings": mean(findings),
                "mass": float(mass),
                "sure": float((weight[own] ** 2).sum() / mass),
            }
        )
    return suppress(found, COVERED)


def name_of(tooth):
    return " ".join(KINDS[int(np.argmax(tooth["kinds"]))])


def read_view(view):
    """`view` `[12]`: probabilities of region × turn. Returns the turn and the region, each with its probability."""
    table = np.asarray(view).reshape(len(REGIONS), 4)
    turns, regions = table.sum(0), table.sum(1)
    return (int(turns.argmax()), float(turns.max())), (REGIONS[int(regions.argmax())], float(regions.max()))


assert len(FINDINGS) == 2
