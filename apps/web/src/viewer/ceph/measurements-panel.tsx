import { Select, Stack, Table, Text, Tooltip } from "@mantine/core";
import type { CephOpened } from "@arcada/contract/ceph/ceph.calls";
import { cephPopulations } from "@arcada/contract/ceph/ceph.schema";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { cephSources } from "@arcada/analysis/ceph/norms";
import { createCephReport, type CephRow } from "@arcada/analysis/ceph/ceph-report";
import { landmarkLabel, nameMeasure } from "@arcada/analysis/ceph/literature-labels";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts, type Translate } from "../../i18n/texts.ts";
import { toNonBreakingRanges } from "../../i18n/non-breaking.ts";
import styles from "./ceph.module.css";
import { DeviationChart } from "./deviation-chart.tsx";
import { CalibrationText } from "./calibration-text.tsx";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  tracing: Tracing;
  record: CephOpened;
  analysis: CephAnalysis;
}

/** The measurements of one analysis beside the norms of one population. */
export function MeasurementsPanel({ tracing, record, analysis }: Props) {
  const t = useTexts("ceph", "viewer");
  const { content } = tracing;
  const { rows } = createCephReport(content, record.subject, analysis);
  const implausibleLandmarks = [...new Set(rows.flatMap(({ implausible }) => implausible))];
  return (
    <Stack gap="xs">
      <DeviationChart rows={rows} />
      <MeasurementTable rows={rows} />
      <Select
        size="xs"
        label={t("ceph.population.title")}
        description={formatSubject(t, record.subject)}
        value={content.population}
        allowDeselect={false}
        readOnly={!tracing.maySave}
        comboboxProps={{ withinPortal: false }}
        onChange={(population) => tracing.change({ population: population as typeof content.population })}
        data={cephPopulations.map((name) => ({ value: name, label: t(`ceph.population.${name}`) }))}
      />
      {tracing.maySave && (
        <Text size="xs" c="dimmed">
          {t("ceph.population.byCountry")}
        </Text>
      )}
      {rows.some(({ norm }) => norm?.isOtherAge) && (
        <Text size="xs" c="yellow">
          {t("ceph.otherAge")}
        </Text>
      )}
      {implausibleLandmarks.length > 0 && (
        <Text size="xs" c="yellow" role="status">
          {t("ceph.implausible", { signs: implausibleLandmarks.map(landmarkLabel).join(", ") })}
        </Text>
      )}
      <CalibrationText calibration={content.calibration} />
      {record.isLossy && rows.some(({ value }) => value !== null) && (
        <Text size="xs">{t("viewer.lossy.measured")}</Text>
      )}
      <Text size="xs" c="dimmed">
        {t("ceph.reference")}
      </Text>
    </Stack>
  );
}

function MeasurementTable({ rows }: { rows: readonly CephRow[] }) {
  const t = useTexts("ceph");
  return (
    <Table.ScrollContainer minWidth={360} type="native" tabIndex={0}>
      <Table className={styles.figures} verticalSpacing={3} horizontalSpacing={6} fz="xs">
        <Table.Thead>
          <Table.Tr>
            {(["measure", "value", "norm", "difference", "place"] as const).map((name) => (
              <Table.Th key={name}>{t(`ceph.column.${name}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <MeasurementRow key={row.measure} row={row} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const units = { degrees: "°", mm: "\u00a0mm", percent: "\u00a0%" } as const;

function MeasurementRow({ row }: { row: CephRow }) {
  const t = useTexts("ceph");
  const { measure, unit, value, error, norm, difference } = row;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={500}>
        <bdi>{nameMeasure(measure, (name) => t(`ceph.measure.${name}`))}</bdi>
      </Table.Th>
      {value === null ? (
        <Table.Td colSpan={norm ? 1 : 4} c="dimmed">
          {t("ceph.notMeasured")}: {formatMissingReason(t, row)}
        </Table.Td>
      ) : (
        <Table.Td>
          <bdi>
            {formatNumber(value, 1)}
            {error !== null && ` ± ${formatNumber(error, 1)}`}
            {units[unit]}
          </bdi>
        </Table.Td>
      )}
      {(value !== null || norm) && (
        <>
          <Table.Td>{norm && <NormText norm={norm} />}</Table.Td>
          <Table.Td>
            <bdi>{difference !== null && `${difference > 0 ? "+" : ""}${formatNumber(difference, 1)}`}</bdi>
          </Table.Td>
          <Table.Td>
            <NormComparison row={row} />
          </Table.Td>
        </>
      )}
    </Table.Tr>
  );
}

const NormText = ({ norm }: { norm: NonNullable<CephRow["norm"]> }) => (
  <Tooltip label={cephSources[norm.source]}>
    <bdi>
      {norm.range
        ? toNonBreakingRanges(norm.range.map((end) => formatNumber(end, 1)).join("–"))
        : formatNumber(norm.mean, 1)}
      {norm.sd !== null && ` (${formatNumber(norm.sd, 1)})`}
    </bdi>
  </Tooltip>
);

const maxDots = 5;

/** Within, above or below the norm, with a dot for each whole standard deviation; the text states the same. */
function NormComparison({ row: { place, deviations, isBorderline, implausible } }: { row: CephRow }) {
  const t = useTexts("ceph");
  if (implausible.length > 0)
    return <span>{t("ceph.place.implausible", { signs: implausible.map(landmarkLabel).join(", ") })}</span>;
  if (place === null) return null;
  return (
    <>
      <span>
        {t(`ceph.place.${place}`)}
        {isBorderline && ` (${t("ceph.borderline")})`}
      </span>
      {deviations !== null && deviations > 0 && (
        <>
          {" "}
          <span className={styles.dots} role="img" aria-label={t("ceph.deviations", { count: deviations })}>
            {"●".repeat(Math.min(maxDots, deviations))}
            {deviations > maxDots && "+"}
          </span>
        </>
      )}
    </>
  );
}

function formatMissingReason(t: Translate, { lack }: CephRow): string {
  if (lack?.reason === "landmarks")
    return t("ceph.lack.landmarks", { signs: lack.landmarks.map(landmarkLabel).join(", ") });
  return lack ? t(`ceph.lack.${lack.reason}`) : "";
}

function formatSubject(t: Translate, { sex, age }: CephOpened["subject"]): string {
  if (sex === null && age === null) return t("ceph.subject.unknown");
  return t("ceph.subject.of", {
    sex: t(`ceph.sex.${sex ?? "other"}`),
    age: age === null ? t("ceph.print.unknown") : t("ceph.subject.years", { years: Math.floor(age) }),
  });
}
