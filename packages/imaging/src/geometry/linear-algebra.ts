/** Solves a small symmetric or general system by elimination with row exchange; an unknown that nothing holds is 0. */
export function solveLinearSystem(matrix: readonly Float64Array[], right: Float64Array): number[] {
  const size = right.length;
  const rows = matrix.map((row, at) => [...row, right[at]]);
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let row = column + 1; row < size; row++)
      if (Math.abs(rows[row][column]) > Math.abs(rows[best][column])) best = row;
    [rows[column], rows[best]] = [rows[best], rows[column]];
    const lead = rows[column][column];
    if (Math.abs(lead) < 1e-14) continue;
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = rows[row][column] / lead;
      for (let at = column; at <= size; at++) rows[row][at] -= factor * rows[column][at];
    }
  }
  return rows.map((row, at) => (Math.abs(row[at]) < 1e-14 ? 0 : row[size] / row[at]));
}

/** The unit eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi's rotations. */
export function findDominantEigenvector(symmetric: readonly (readonly number[])[]): number[] {
  const size = symmetric.length;
  const a = symmetric.map((row) => [...row]);
  const v = symmetric.map((_, at) => symmetric.map((__, other) => (at === other ? 1 : 0)));
  for (let sweep = 0; sweep < 50 && measureOffDiagonal(a) > 1e-22; sweep++)
    for (let p = 0; p < size; p++) for (let q = p + 1; q < size; q++) applyJacobiRotation(a, v, p, q);
  const best = a.reduce((most, row, at) => (row[at] > a[most][most] ? at : most), 0);
  return v.map((row) => row[best]);
}

function measureOffDiagonal(a: readonly number[][]): number {
  const scale = a.reduce((sum, row) => sum + row.reduce((part, value) => part + value * value, 0), 0) || 1;
  return (
    a.reduce((sum, row, at) => sum + row.reduce((part, value, i) => (i === at ? part : part + value ** 2), 0), 0) /
    scale
  );
}

function applyJacobiRotation(a: number[][], v: number[][], p: number, q: number): void {
  if (a[p][q] === 0) return;
  const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < a.length; k++) {
    const [kp, kq] = [a[k][p], a[k][q]];
    [a[k][p], a[k][q]] = [c * kp - s * kq, s * kp + c * kq];
  }
  for (let k = 0; k < a.length; k++) {
    const [pk, qk] = [a[p][k], a[q][k]];
    [a[p][k], a[q][k]] = [c * pk - s * qk, s * pk + c * qk];
    const [vp, vq] = [v[k][p], v[k][q]];
    [v[k][p], v[k][q]] = [c * vp - s * vq, s * vp + c * vq];
  }
}
