"""From the network's cells to numbered teeth. The product does the same in `packages/analysis/src/pack`."""
import numpy as np

from films import CLASS_OF, NUMBERS, STRIDE
from shared.boxes import suppress

UPPER = [18, 17, 16, 15, 14, 13, 12, 11, 21, 22, 23, 24, 25, 26, 27, 28]
LOWER = [48, 47, 46, 45, 44, 43, 42, 41, 31, 32, 33, 34, 35, 36, 37, 38]
UPPER_DECIDUOUS = [55, 54, 53, 52, 51, 61, 62, 63, 64, 65]
LOWER_DECIDUOUS = [85, 84, 83, 82, 81, 71, 72, 73, 74, 75]
ROWS = [UPPER, LOWER, UPPER_DECIDUOUS, LOWER_DECIDUOUS]
# Mean widths in mm along the arch (Wheeler's tables, rounded), from the midline.
WIDTHS = {
    "upper": [8.5, 6.6, 7.6, 7.1, 6.7, 10.2, 9.6, 8.6],
    "lower": [5.3, 5.8, 6.8, 7.0, 7.2, 11.0, 10.5, 10.0],
    "upperDeciduous": [6.5, 5.1, 7.0, 7.3, 8.2],
    "lowerDeciduous": [4.2, 4.1, 5.0, 7.7, 9.9],
}

MOST = 200
# Two finds that have more of both boxes in common are one tooth.
COVERED = 0.45


def find_teeth(probabilities, edges, states, least_mass=10.0):
    """Cells vote for the middle of their tooth; a peak of votes is a tooth: its box, its probabilities, its mass."""
    tooth = 1 - probabilities[0]
    rows, columns = tooth.shape
    ys, xs = np.nonzero(tooth > 0.35)
    if len(xs) == 0:
        return []
    weight = tooth[ys, xs]
    px, py = (xs + 0.5) * STRIDE, (ys + 0.5) * STRIDE
    left, top, right, bottom = edges[:, ys, xs]
    boxes = np.stack([px - left, py - top, px + right, py + bottom], 1)
    cx, cy = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    votes = np.zeros((rows, columns))
    np.add.at(votes, (np.clip(cy / STRIDE, 0, rows - 1).astype(int), np.clip(cx / STRIDE, 0, columns - 1).astype(int)), weight)
    # A tooth is higher than wide: votes spread more upwards.
    smooth = spread(votes, 2, 1)
    found, taken = [], np.zeros(len(xs), bool)
    while True:
        at = np.unravel_index(smooth.argmax(), smooth.shape)
        if smooth[at] <= 0:
            break
        # The product abstains from such an image: no film has so many, only a network that has learned nothing.
        if len(found) > MOST:
            return []
        mx, my = (at[1] + 0.5) * STRIDE, (at[0] + 0.5) * STRIDE
        near = (abs(cx - mx) < 8) & (abs(cy - my) < 18) & ~taken
        mass = weight[near].sum()
        smooth[max(0, at[0] - 3) : at[0] + 4, max(0, at[1] - 1) : at[1] + 2] = 0
        if mass < least_mass:
            if smooth.max() < 1.5:
                break
            continue
        taken |= near
        w = weight[near][:, None]
        box = (boxes[near] * w).sum(0) / w.sum()
        own = (probabilities[1:, ys[near], xs[near]] * weight[near]).sum(1)
        state = (states[:, ys[near], xs[near]] * weight[near]).sum(1) / mass
        sure = float((w * w).sum() / w.sum())
        found.append({"box": box, "numbers": own / own.sum(), "states": state, "mass": float(mass), "sure": sure})
    return suppress(found, COVERED)


def spread(votes, up, across):
    out = np.zeros_like(votes)
    for dy in range(-up, up + 1):
        for dx in range(-across, across + 1):
            out += np.roll(np.roll(votes, dy, 0), dx, 1) / (1 + abs(dy) + abs(dx))
    return out


def number_teeth(teeth):
    """Gives each tooth its number: along each row numbers rise, and distances fit the teeth between. Finds that fit no
    order are dropped. `confidence` is the probability of the number among all orders, times how surely it is a tooth."""
    for tooth in teeth:
        sums = [sum(tooth["numbers"][CLASS_OF[n] - 1] for n in row) for row in ROWS]
        tooth["row"] = int(np.argmax(sums))
    usual = np.median([t["box"][2] - t["box"][0] for t in teeth]) if teeth else 1
    out = []
    for at, row in enumerate(ROWS):
        mine = sorted((t for t in teeth if t["row"] == at), key=lambda t: t["box"][0] + t["box"][2])
        if mine:
            out += number_row(mine, row, usual)
    return out


def name_teeth_alone(teeth):
    """Gives each tooth its most probable number, whatever the others have: to measure what the order is good for."""
    best = lambda tooth: int(np.argmax(tooth["numbers"]))
    return [{**tooth, "fdi": NUMBERS[best(tooth)], "confidence": float(tooth["numbers"][best(tooth)])} for tooth in teeth]


# Cells of one tooth agree for the same reasons: taken as independent, they would be far too sure.
TRUST = 0.4
# The median box of a film is about as wide as a tooth of so many mm.
USUAL_TOOTH = 8.2
# Missing teeth are rarer than standing ones; so are distances beyond these shares of the expected one, in mm.
GAP, NEAREST, FARTHEST, SPREAD = 1.3, 0.85, 1.15, 1.5


def drop_costs(teeth, usual):
    """Returns the sums of the costs of taking each find for no tooth: little if it stands in another one, more if many cells vote for it."""
    masses = np.median([t["mass"] for t in teeth])
    out = [0.0]
    for i, tooth in enumerate(teeth):
        beside = [abs(middle(teeth[j]) - middle(tooth)) / usual for j in (i - 1, i + 1) if 0 <= j < len(teeth)]
        inside = max(0.0, 1 - min(beside)) if beside else 0.0
        out.append(out[-1] - 2.5 + 4 * inside - 2 * min(1.5, tooth["mass"] / masses))
    return out


def rate_steps(row, distance):
    """The logarithm of how well a distance in mm fits from each place of a row to each later one."""
    places, widths = np.array(positions(row)), np.array([width_of(n) for n in row])
    to, at = np.meshgrid(np.arange(len(row)), np.arange(len(row)))
    full = places[to] - places[at]
    # Teeth drift into gaps: a missing one may leave a third of its place.
    least = np.where(to == at + 1, full, full - 0.65 * (full - (widths[to] + widths[at]) / 2))
    off = np.maximum(0, np.maximum(least * NEAREST - distance, distance - full * FARTHEST))
    return np.where(to > at, -((off / SPREAD) ** 2) - GAP * (to - at - 1), -np.inf)


def number_row(teeth, row, usual):
    count = len(teeth)
    emit = np.array([[TRUST * np.log(t["numbers"][CLASS_OF[n] - 1] + 0.003) for n in row] for t in teeth])
    dropped = drop_costs(teeth, usual)
    before, after = np.array(dropped[:-1]), dropped[-1] - np.array(dropped[1:])
    step = lambda i, j: rate_steps(row, (middle(teeth[j]) - middle(teeth[i])) * USUAL_TOOTH / usual) + before[j] - before[i + 1]
    steps = {(i, j): step(i, j) for j in range(count) for i in range(j)}
    alpha, beta = np.empty_like(emit), np.empty_like(emit)
    best, back = np.empty_like(emit), {}
    for j in range(count):
        ways = [np.full((1, len(row)), before[j])] + [alpha[i][:, None] + steps[i, j] for i in range(j)]
        alpha[j] = emit[j] + log_sum(np.concatenate(ways), 0)
        best[j] = before[j]
        for i in range(j):
            way = best[i][:, None] + steps[i, j]
            for k in np.nonzero(way.max(0) > best[j])[0]:
                best[j, k], back[j, k] = way[:, k].max(), (i, int(way[:, k].argmax()))
        best[j] += emit[j]
    for i in reversed(range(count)):
        ways = [np.full((len(row), 1), after[i])] + [steps[i, j] + (emit[j] + beta[j])[None] for j in range(i + 1, count)]
        beta[i] = log_sum(np.concatenate(ways, 1), 1)
    everything = np.logaddexp(log_sum((alpha + after[:, None]).ravel(), 0), dropped[-1])
    at = tuple(int(v) for v in np.unravel_index((best + after[:, None]).argmax(), best.shape))
    out = []
    while at is not None:
        i, k = at
        out.append({**teeth[i], "fdi": row[k], "confidence": float(np.exp(alpha[i, k] + beta[i, k] - everything)) * teeth[i]["sure"]})
        at = back.get(at)
    return out


def log_sum(values, axis):
    top = values.max(axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    with np.errstate(divide="ignore"):
        return np.squeeze(top, axis) + np.log(np.exp(values - top).sum(axis))


middle = lambda tooth: (tooth["box"][0] + tooth["box"][2]) / 2


def width_of(fdi):
    jaw = "upper" if fdi // 10 in (1, 2, 5, 6) else "lower"
    return WIDTHS[jaw + ("Deciduous" if fdi > 50 else "")][fdi % 10 - 1]


def positions(row):
    """The middles of the teeth of a full row, mm from its first."""
    at, out = 0.0, []
    for place, fdi in enumerate(row):
        if place:
            at += (width_of(row[place - 1]) + width_of(fdi)) / 2
        out.append(at)
    return out
