/** A dental arch in fine lines, like stacked slices of a volume: a decoration of the sign-in pages. */
export function ArchDecoration({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 640 620" className={className} fill="none" stroke="currentColor" aria-hidden>
      {rings.map((ring) => (
        <path key={ring} d={curve(ring)} strokeWidth={1.1} opacity={0.05 + ring * 0.035} />
      ))}
      {teeth.map(([x, y, angle, width, depth]) => (
        <rect
          key={x}
          x={x - width / 2}
          y={y - depth / 2}
          width={width}
          height={depth}
          rx={width * 0.36}
          transform={`rotate(${angle} ${x} ${y})`}
          strokeWidth={1.6}
          opacity={0.34}
        />
      ))}
    </svg>
  );
}

const rings = [0, 1, 2, 3, 4];
const round = (value: number): number => Math.round(value * 10) / 10;
/** Half an ellipse, a little narrower with each slice. */
const point = (turn: number, ring: number): [number, number] => {
  const half = 250 - ring * 22;
  return [round(320 - half * Math.cos(turn)), round(520 - (440 - ring * 26) * Math.sin(turn))];
};
const curve = (ring: number): string =>
  Array.from({ length: 41 }, (_, step) => point((step / 40) * Math.PI, ring))
    .map(([x, y], step) => `${step === 0 ? "M" : "L"}${x} ${y}`)
    .join(" ");

// Mesiodistal widths of the upper teeth, molar to molar, in relative units.
const widths = [46, 50, 36, 36, 38, 33, 43, 43, 33, 38, 36, 36, 50, 46];
const total = widths.reduce((sum, width) => sum + width, 0);
const teeth = widths.map((width, at): [number, number, number, number, number] => {
  const before = widths.slice(0, at).reduce((sum, one) => sum + one, 0);
  const turn = 0.16 + ((before + width / 2) / total) * (Math.PI - 0.32);
  const [x, y] = point(turn, 2);
  const [ahead, above] = point(turn + 0.01, 2);
  return [
    x,
    y,
    round((Math.atan2(above - y, ahead - x) * 180) / Math.PI),
    width,
    width < 40 ? width * 1.25 : width * 1.1,
  ];
});
