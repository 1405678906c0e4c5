/** Gauss's elimination with the largest pivot; each row ends in two right sides. Null where it has no single answer. */
export function solveLinearSystem(rows: number[][]): (readonly [number, number])[] | null {
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    const best = rows.slice(at).reduce((bestIndex, row, index) => {
      const largest = Math.abs(rows[bestIndex]![at]!);
      return Math.abs(row[at]!) > largest ? at + index : bestIndex;
    }, at);
    [rows[at], rows[best]] = [rows[best]!, rows[at]!];
    const pivot = rows[at]![at]!;
    if (Math.abs(pivot) < 1e-9) return null;
    for (let other = 0; other < size; other++) {
      if (other === at) continue;
      const factor = rows[other]![at]! / pivot;
      if (factor !== 0)
        for (let column = at; column < size + 2; column++) rows[other]![column]! -= factor * rows[at]![column]!;
    }
  }
  return rows.map((row, index) => [row[size]! / row[index]!, row[size + 1]! / row[index]!]);
}
