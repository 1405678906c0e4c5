"""From the network's cells to numbered teeth. The product does the same in `packages/analysis/src/pack`."""
import numpy as np

from films import CLASS_OF, DECIDUOUS, HEIGHT, NUMBERS, PERMANENT, STRIDE, WIDTH

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
    return suppress(found)


def spread(votes, up, across):
    out = np.zeros_like(votes)
    for dy in range(-up, up + 1):
        for dx in range(-across, across + 1):
            out += np.roll(np.roll(votes, dy, 0), dx, 1) / (1 + abs(dy) + abs(dx))
    return out


def suppress(teeth):
    kept = []
    for one in sorted(teeth, key=lambda t: -t["mass"]):
        if all(overlap(one["box"], other["box"]) < 0.45 for other in kept):
            kept.append(one)
    return kept


def overlap(a, b):
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    area = lambda x: (x[2] - x[0]) * (x[3] - x[1])
    return w * h / (area(a) + area(b) - w * h)


def number_teeth(teeth):
    """Gives each tooth its number: along each row numbers rise, and distances fit the teeth between. `confidence` is
    the probability of the number among all orders."""
    for tooth in teeth:
        sums = [sum(tooth["numbers"][CLASS_OF[n] - 1] for n in row) for row in ROWS]
        tooth["row"] = int(np.argmax(sums))
    spaces = [t["box"][2] - t["box"][0] for t in teeth]
    for at, row in enumerate(ROWS):
        mine = sorted((t for t in teeth if t["row"] == at), key=lambda t: t["box"][0] + t["box"][2])
        if mine:
            number_row(mine, row, np.median(spaces))
    return teeth


def number_row(teeth, row, usual):
    places = positions(row)
    scale = usual / 7.6
    emit = np.array([[np.log(t["numbers"][CLASS_OF[n] - 1] + 0.003) for n in row] for t in teeth])
    step = np.full((len(teeth), len(row), len(row)), -np.inf)
    for i in range(1, len(teeth)):
        gap = (middle(teeth[i]) - middle(teeth[i - 1])) / scale
        for k in range(len(row)):
            for j in range(k):
                full = places[k] - places[j]
                # Teeth drift into gaps: a missing one may leave a third of its place.
                least = full if k == j + 1 else full - 0.65 * (full - (width_of(row[k]) + width_of(row[j])) / 2)
                off = max(0.0, least * 0.8 - gap, gap - full * 1.25)
                step[i, j, k] = -((off / 3.0) ** 2) - 0.35 * (k - j - 1)
    alpha = np.full((len(teeth), len(row)), -np.inf)
    alpha[0] = emit[0]
    for i in range(1, len(teeth)):
        alpha[i] = emit[i] + log_sum(alpha[i - 1][:, None] + step[i], 0)
    beta = np.zeros((len(teeth), len(row)))
    for i in range(len(teeth) - 2, -1, -1):
        beta[i] = log_sum((step[i + 1] + (emit[i + 1] + beta[i + 1])[None]), 1)
    best = np.full((len(teeth), len(row)), -np.inf)
    back = np.zeros((len(teeth), len(row)), int)
    best[0] = emit[0]
    for i in range(1, len(teeth)):
        total = best[i - 1][:, None] + step[i]
        back[i] = total.argmax(0)
        best[i] = emit[i] + total.max(0)
    k = int(best[-1].argmax())
    feasible = np.isfinite(best[-1].max())
    for i in range(len(teeth) - 1, -1, -1):
        if not feasible:
            k = int(emit[i].argmax())
        posterior = alpha[i] + beta[i]
        share = np.exp(posterior - log_sum(posterior, 0)) if feasible else np.zeros(len(row))
        teeth[i]["fdi"] = row[k]
        teeth[i]["confidence"] = float(share[k])
        k = int(back[i][k])


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
