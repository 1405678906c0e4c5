"""Boxes (left, top, right, bottom): how much two have in common, which belong together, and the cells that show one."""
import numpy as np
import torch


def overlap(a, b):
    """The intersection of two boxes divided by their union."""
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    area = lambda x: (x[2] - x[0]) * (x[3] - x[1])
    return w * h / (area(a) + area(b) - w * h)


def suppress(teeth, most):
    """Of teeth that have more than `most` in common, the one with the greatest mass."""
    kept = []
    for one in sorted(teeth, key=lambda t: -t["mass"]):
        if all(overlap(one["box"], other["box"]) <= most for other in kept):
            kept.append(one)
    return kept


def holds(box, other):
    """Tells whether a box has the middle of another one in it."""
    x, y = (other[0] + other[2]) / 2, (other[1] + other[3]) / 2
    return box[0] < x < box[2] and box[1] < y < box[3]


def match(found, true):
    """Pairs each found tooth with the true one whose box holds its middle, the best overlapping ones first."""
    pairs = sorted(((overlap(f["box"], t["box"]), i, j) for i, f in enumerate(found) for j, t in enumerate(true) if holds(t["box"], f["box"])), reverse=True)
    left, right, out = set(), set(), []
    for value, i, j in pairs:
        if i not in left and j not in right:
            left.add(i), right.add(j), out.append((i, j, value))
    return out


def middles_of_edges(left, top, right, bottom):
    """Points from which the box of a turned tooth is made again: with its corners, it would grow."""
    x, y = (left + right) / 2, (top + bottom) / 2
    return np.array([[left, y], [right, y], [x, top], [x, bottom]])


def overlap_of_edges(a, b):
    """The overlap of boxes around the same points, each `[n, 4]`: the distances to left, top, right and bottom."""
    wide = torch.minimum(a[:, 0], b[:, 0]) + torch.minimum(a[:, 2], b[:, 2])
    high = torch.minimum(a[:, 1], b[:, 1]) + torch.minimum(a[:, 3], b[:, 3])
    both = wide * high
    area = lambda box: (box[:, 0] + box[:, 2]) * (box[:, 1] + box[:, 3])
    return both / (area(a) + area(b) - both + 1e-3)


class Cells:
    """The cells of a network's output, each of `stride` pixels of its frame. A box has the cells of an ellipse in it: at its
    corners the neighbours are. The half axes are a share of the box, and `more` pixels."""

    def __init__(self, rows, columns, stride, across, down, more):
        self.xs = ((torch.arange(columns) + 0.5) * stride)[None].expand(rows, columns)
        self.ys = ((torch.arange(rows) + 0.5) * stride)[:, None].expand(rows, columns)
        self.across, self.down, self.more = across, down, more

    def assign(self, boxes):
        """For each cell the place of its box in `boxes`, -1 for none, and the distances to the four edges of the box.
        The nearer box has a cell that lies in two ellipses."""
        owner, edges = torch.full(self.xs.shape, -1), torch.zeros(4, *self.xs.shape)
        nearest = torch.ones(self.xs.shape)
        for at, (left, top, right, bottom) in enumerate(boxes):
            x = (self.xs - (left + right) / 2) / (self.across * (right - left) + self.more)
            y = (self.ys - (top + bottom) / 2) / (self.down * (bottom - top) + self.more)
            distance = x**2 + y**2
            mine = distance < nearest
            nearest[mine], owner[mine] = distance[mine], at
            edges[:, mine] = torch.stack([self.xs - left, self.ys - top, right - self.xs, bottom - self.ys])[:, mine]
        return owner, edges
