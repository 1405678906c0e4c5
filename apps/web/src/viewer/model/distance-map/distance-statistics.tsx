import { useMemo } from "react";
import {
  getDistanceColour,
  countContacts,
  summarizeDistances,
  type DistanceColourScale,
} from "@arcada/imaging/mesh/distance-statistics";
import { formatNumber } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { formatMeasurement } from "../../annotations/labels/format-measurement.ts";
import panel from "../side-panel.module.css";
import styles from "./distance-map.module.css";
import type { DistanceMap, DistanceMapRequest } from "./use-distance-map.ts";

interface Props {
  plan: DistanceMapRequest;
  distances: ReadonlyMap<string, Float32Array>;
  map: DistanceMap;
}

export const DistanceFigures = ({ plan, distances, map }: Props) =>
  plan.kind === "bite" ? (
    <BiteFigures distances={distances.get(plan.a) ?? none} range={map.range} />
  ) : (
    <VersionFigures distances={distances.get(plan.a) ?? none} range={map.range} scale={map.scale} />
  );

const none = new Float32Array();

function BiteFigures({ distances, range }: { distances: Float32Array; range: number }) {
  const t = useTexts("viewer");
  const { deep, touching, near, deepest } = useMemo(() => countContacts(distances, range), [distances, range]);
  const share = (count: number) => `${formatNumber((100 * count) / Math.max(1, distances.length), 2)}\u00a0%`;
  return (
    <Rows
      rows={[
        [t("viewer.model.compare.deep"), share(deep)],
        [t("viewer.model.compare.touching"), share(touching)],
        [t("viewer.model.compare.near"), share(near)],
        [t("viewer.model.compare.deepest"), formatMeasurement(t, { value: deepest, unit: "mm" })],
      ]}
      note={t("viewer.model.compare.biteNote")}
    />
  );
}

function VersionFigures({
  distances,
  range,
  scale,
}: {
  distances: Float32Array;
  range: number;
  scale: DistanceColourScale;
}) {
  const t = useTexts("viewer");
  const figures = useMemo(() => summarizeDistances(distances, range), [distances, range]);
  const mm = (value: number) => t("viewer.unit.mm", { value: formatNumber(value, 3) });
  return (
    <>
      <Rows
        rows={[
          [t("viewer.model.compare.mean"), mm(figures.mean)],
          [t("viewer.model.compare.meanOff"), mm(figures.meanAbsolute)],
          [t("viewer.model.compare.p95"), mm(figures.p95)],
          [t("viewer.model.compare.most"), mm(figures.maxAbsolute)],
          [
            t("viewer.model.compare.within"),
            `${formatNumber((100 * figures.within) / Math.max(1, figures.count), 1)}\u00a0%`,
          ],
        ]}
        note={t("viewer.model.compare.versionNote", { mm: formatNumber(range, 2) })}
      />
      <Histogram steps={figures.histogram} range={range} scale={scale} />
    </>
  );
}

function Rows({ rows, note }: { rows: readonly (readonly [string, string])[]; note: string }) {
  return (
    <div>
      <dl className={styles.rows}>
        {rows.map(([name, value]) => (
          <div key={name} className={panel.row}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={panel.note}>{note}</p>
    </div>
  );
}

function Histogram({ steps, range, scale }: { steps: readonly number[]; range: number; scale: DistanceColourScale }) {
  const t = useTexts("viewer");
  const most = Math.max(1, ...steps);
  const wide = 240 / steps.length;
  return (
    <svg className={styles.histogram} viewBox="0 0 240 60" role="img" aria-label={t("viewer.model.compare.histogram")}>
      {steps.map((count, at) => {
        const high = (56 * count) / most;
        const [red, green, blue] = getDistanceColour(scale, -range + ((at + 0.5) * 2 * range) / steps.length) ?? [
          128, 128, 128,
        ];
        return (
          <rect
            key={at}
            x={at * wide}
            y={58 - high}
            width={wide - 0.5}
            height={high + 1}
            fill={`rgb(${red} ${green} ${blue})`}
          />
        );
      })}
    </svg>
  );
}
