import { Table, UnstyledButton } from "@mantine/core";
import type { Series } from "@arcada/contract/study/study.schema";
import { useTexts, translateDynamic } from "../../i18n/texts.ts";
import { rescaleValue } from "@arcada/imaging/view/rescale-to-grey-values";
import { getGraphicsCapabilities } from "@arcada/imaging/gl/graphics-capabilities";
import { toVector } from "@arcada/imaging/geometry/vector";
import { ProfileChart } from "../annotations/profile-chart.tsx";
import type { DrawnAnnotation } from "../annotations/drawing/use-drawing.ts";
import { findLinkedPlane, readAnnotationPlane } from "./annotations/annotation-plane.ts";
import styles from "./ct-details.module.css";
import type { CtViewerState } from "./layout/viewport-props.ts";
import { detailSections } from "./layout/extension-points.ts";
import type { VolumeLoad } from "./loading/use-volume.ts";

/** The panel beside the viewports: measurements, plan and airway, and last the volume's facts and their fidelity. */
export function CtDetails(parts: CtViewerState) {
  const { load, series, drawing, controls } = parts;
  const t = useTexts("viewer");
  // Focusable, so that a user can scroll it by keys.
  const regionProps = { tabIndex: 0, role: "region", "aria-label": t("viewer.details") };
  return (
    <div className={styles.data} {...regionProps}>
      <AnnotationList drawing={drawing} controls={controls} />
      {detailSections.map((Section, at) => (
        <Section key={at} {...parts} />
      ))}
      <VolumeFacts series={series} load={load} />
    </div>
  );
}

function VolumeFacts({ series, load: { store } }: { series: Series; load: VolumeLoad }) {
  const t = useTexts("viewer");
  const { fullInfo: info } = store;
  // The badge already shows lossy compression.
  const shownProblems = series.problems.filter(({ code }) => code !== "lossy");
  const rows = [
    ["series", series.description ?? series.modality ?? "–"],
    ["size", `${info.columns} × ${info.rows} × ${info.slices}`],
    ["spacing", `${info.spacing.map((mm) => mm.toFixed(3)).join(" × ")}\u00a0mm`],
    [
      "field",
      `${[info.columns, info.rows, info.slices].map((count, axis) => (count * (info.spacing[axis] ?? 0)).toFixed(0)).join(" × ")}\u00a0mm`,
    ],
    ["range", `${rescaleValue(info, info.min)} … ${rescaleValue(info, info.max)}`],
    ["values", t(`viewer.valueName.${info.valueName}`)],
    ...(getGraphicsCapabilities().kind === "software" ? ([["drawnBy", t("viewer.software")]] as const) : []),
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
        {shownProblems.map(({ code, detail }) => (
          <Table.Tr key={code}>
            <Table.Th scope="row">{t("viewer.data.problem")}</Table.Th>
            <Table.Td>{translateDynamic(t, `viewer.problem.${code}`, detail || code, { detail })}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ChosenProfile({ drawing, annotation }: Pick<CtViewerState, "drawing"> & { annotation: DrawnAnnotation }) {
  const profile = drawing.getProfile(annotation);
  return profile && <ProfileChart profile={profile} />;
}

function AnnotationList({ drawing, controls }: Pick<CtViewerState, "drawing" | "controls">) {
  const t = useTexts("viewer");
  if (drawing.labels.length === 0) return <p className={styles.hint}>{t("viewer.marks.none")}</p>;
  const goTo = (annotation: DrawnAnnotation) => {
    const point = toVector(annotation.points[0] ?? []);
    const name = findLinkedPlane(annotation.plane);
    if (name) controls.alignPlane(name, readAnnotationPlane(annotation), point);
    else controls.setCrosshair(point);
    drawing.choose(annotation.id);
  };
  return (
    <ul className={styles.marks} aria-label={t("viewer.marks.title")}>
      {drawing.labels.map(({ annotation, label }) => (
        <li key={annotation.id}>
          <UnstyledButton
            className={annotation.id === drawing.chosen ? styles.chosen : styles.mark}
            onClick={() => goTo(annotation)}
          >
            {t(`viewer.tool.${annotation.tool}`)} {label.replaceAll("\n", ", ")} ·{" "}
            {annotation.plane && t(`viewer.plane.${annotation.plane}`)}
          </UnstyledButton>
          {annotation.id === drawing.chosen && <ChosenProfile drawing={drawing} annotation={annotation} />}
        </li>
      ))}
    </ul>
  );
}
