import { landmarkEntries } from "@arcada/analysis/ceph/normalised-tracing";
import { computeOutlines } from "@arcada/analysis/ceph/anatomical-outlines";
import type { Superimposition } from "@arcada/analysis/ceph/superimpose";
import { useTexts } from "../../i18n/texts.ts";
import styles from "./ceph.module.css";

/** The outlines of both tracings, superimposed; the later one dashed. */
export function SuperimpositionDrawing({ superimposition: { first, second } }: { superimposition: Superimposition }) {
  const t = useTexts("ceph");
  const layers = [
    { name: "earlier", lines: computeOutlines(first) },
    { name: "later", lines: computeOutlines(second) },
  ] as const;
  const all = [
    ...layers.flatMap(({ lines }) => lines.flatMap(({ points }) => points)),
    ...listPoints(first),
    ...listPoints(second),
  ];
  const [left, right] = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))];
  const [top, bottom] = [Math.min(...all.map(([, y]) => y)), Math.max(...all.map(([, y]) => y))];
  const margin = (right - left) * 0.06;
  const box = [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin];
  return (
    <svg className={styles.drawing} viewBox={box.join(" ")} role="img" aria-label={t("ceph.over.picture")}>
      {layers.map(({ name, lines }) =>
        lines
          .filter(({ tissue }) => tissue !== "plane")
          .map((line) => (
            <path
              key={`${name} ${line.name}`}
              className={styles[name]}
              d={`M${line.points.map((point) => point.join(",")).join(" ")}`}
            />
          )),
      )}
    </svg>
  );
}

const listPoints = (positions: Superimposition["first"]) => landmarkEntries(positions).map(([, position]) => position);
