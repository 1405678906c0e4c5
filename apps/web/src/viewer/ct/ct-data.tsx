import { Badge, Button, Progress, Table, UnstyledButton } from "@mantine/core";
import type { Series } from "@arcada/contract/study/study.calls";
import { useTexts } from "../../kernel/texts.ts";
import { trueValue } from "@arcada/imaging/view/true-value";
import { graphics } from "@arcada/imaging/gl/graphics";
import { isLossy, LossyBadge, LossyNote } from "../marks/lossy-note.tsx";
import { MarkStatus } from "../marks/mark-status.tsx";
import { vectorOf } from "@arcada/imaging/view/vector";
import { ProfileChart } from "../marks/profile-chart.tsx";
import type { DrawnMark } from "../marks/use-drawing.ts";
import { linkedPlane, planeOfMark } from "./mark-plane.ts";
import styles from "./ct-data.module.css";
import type { CtParts } from "./layout/pane-props.ts";
import { sectionTable } from "./layout/room-table.ts";
import type { VolumeLoad } from "./use-volume.ts";

/**
 * Shows the volume's facts and their fidelity: preview or full, size, spacing, the name of the values, and the
 * measurements.
 */
export function CtData(parts: CtParts) {
  const { load, series, drawing, controls, marks } = parts;
  const t = useTexts("viewer");
  // Focusable, so that a user can scroll it by keys.
  const within = { tabIndex: 0, role: "region", "aria-label": t("viewer.pane.data") };
  return (
    <div className={styles.data} {...within}>
      <Arrival load={load} series={series} />
      <Facts series={series} load={load} />
      {sectionTable.map((Section, at) => (
        <Section key={at} {...parts} />
      ))}
      <MarkList drawing={drawing} controls={controls} />
      <LossyNote series={series} count={drawing.labels.length} />
      <MarkStatus marks={marks} />
    </div>
  );
}

/** The same in one line, for layouts without space for it. */
export const CtDataLine = ({ load, series, drawing, marks }: CtParts) => (
  <div className={styles.line}>
    <Arrival load={load} series={series} />
    <LossyNote series={series} count={drawing.labels.length} />
    <MarkStatus marks={marks} />
  </div>
);

/**
 * Shows how much has been loaded, transferred without loss, and separately the loss with which the data were stored.
 */
function Arrival({ load, series }: { load: VolumeLoad; series: Series }) {
  const t = useTexts("viewer");
  const { stage, part, fault, store, loadFull } = load;
  const isWhole = stage === "full" || stage === "half";
  return (
    <div className={styles.arrival}>
      <Badge size="sm" variant="light" color={stage === "full" ? "teal" : "yellow"}>
        {t(`viewer.stage.${stage === "full" && isLossy(series) ? "fullLossy" : stage}`)}
      </Badge>
      <LossyBadge series={series} />
      {!isWhole && !fault && (
        <Progress className={styles.bar} value={part * 100} size="sm" aria-label={t("viewer.loading.volume")} />
      )}
      {stage === "preview" && <span>{t("viewer.percent", { percent: Math.floor(part * 100) })}</span>}
      {stage === "full" && store.factor > 1 && <span>{t("viewer.coarse", { factor: store.factor })}</span>}
      {loadFull && (
        <span>
          {t("viewer.halfHelp")}{" "}
          <Button size="compact-xs" variant="light" onClick={loadFull}>
            {t("viewer.loadFull")}
          </Button>
        </span>
      )}
      {fault && stage !== "waiting" && (
        <span role="alert" className={styles.fault}>
          {t(`viewer.failed.${fault.reason}`)}{" "}
          <Button size="compact-xs" variant="light" onClick={fault.again}>
            {t("viewer.again")}
          </Button>
        </span>
      )}
    </div>
  );
}

function Facts({ series, load: { store } }: { series: Series; load: VolumeLoad }) {
  const t = useTexts("viewer");
  const { whole: info } = store;
  // The badge already shows lossy compression.
  const told = series.problems.filter(({ code }) => code !== "lossy");
  const rows = [
    ["series", series.description ?? series.modality ?? "–"],
    ["size", `${info.columns} × ${info.rows} × ${info.slices}`],
    ["spacing", `${info.spacing.map((mm) => mm.toFixed(3)).join(" × ")}\u00a0mm`],
    [
      "field",
      `${[info.columns, info.rows, info.slices].map((count, axis) => (count * (info.spacing[axis] ?? 0)).toFixed(0)).join(" × ")}\u00a0mm`,
    ],
    ["range", `${trueValue(info, info.min)} … ${trueValue(info, info.max)}`],
    ["values", t(`viewer.valueName.${info.valueName}`)],
    ...(graphics().kind === "software" ? [["drawnBy", t("viewer.software")]] : []),
  ] as const;
  return (
    <Table className={styles.facts} withRowBorders={false} verticalSpacing={2} horizontalSpacing={4} fz="xs">
      <Table.Tbody>
        {rows.map(([key, value]) => (
          <Table.Tr key={key}>
            <Table.Th scope="row">{t(`viewer.data.${key}`)}</Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
        {told.map(({ code, detail }) => (
          <Table.Tr key={code}>
            <Table.Th scope="row">{t("viewer.data.problem")}</Table.Th>
            <Table.Td>{t(`viewer.problem.${code}`, { detail, defaultValue: detail || code })}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ChosenProfile({ drawing, mark }: Pick<CtParts, "drawing"> & { mark: DrawnMark }) {
  const profile = drawing.profileOf(mark);
  return profile && <ProfileChart profile={profile} />;
}

function MarkList({ drawing, controls }: Pick<CtParts, "drawing" | "controls">) {
  const t = useTexts("viewer");
  if (drawing.labels.length === 0) return <p className={styles.hint}>{t("viewer.marks.none")}</p>;
  const goTo = (mark: DrawnMark) => {
    const point = vectorOf(mark.points[0] ?? []);
    const name = linkedPlane(mark.plane);
    if (name) controls.lookAlong(name, planeOfMark(mark), point);
    else controls.setCross(point);
    drawing.choose(mark.id);
  };
  return (
    <ul className={styles.marks} aria-label={t("viewer.marks.title")}>
      {drawing.labels.map(({ mark, label }) => (
        <li key={mark.id}>
          <UnstyledButton
            className={mark.id === drawing.chosen ? styles.chosen : styles.mark}
            onClick={() => goTo(mark)}
          >
            {t(`viewer.tool.${mark.tool}`)} {label.replaceAll("\n", ", ")} ·{" "}
            {mark.plane && t(`viewer.plane.${mark.plane}`)}
          </UnstyledButton>
          {mark.id === drawing.chosen && <ChosenProfile drawing={drawing} mark={mark} />}
        </li>
      ))}
    </ul>
  );
}
