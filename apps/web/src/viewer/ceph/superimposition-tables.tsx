import { Table, Text } from "@mantine/core";
import type { CephFilm, CephTracing } from "@arcada/contract/ceph/ceph.calls";
import { createCephReport, type CephRow } from "@arcada/analysis/ceph/ceph-report";
import { cephAnalysisNames } from "@arcada/analysis/ceph/analyses";
import { landmarkLabel, nameMeasure } from "@arcada/analysis/ceph/literature-labels";
import type { Superimposition } from "@arcada/analysis/ceph/superimpose";
import { formatNumber } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import styles from "./ceph.module.css";

const units = { degrees: "°", mm: "\u00a0mm", percent: "\u00a0%" } as const;

/** The displacement of each landmark. */
export function DisplacementTable({ superimposition: { moved } }: { superimposition: Superimposition }) {
  const t = useTexts("ceph");
  return (
    <>
      <Text fw={600} size="sm">
        {t("ceph.over.moved")}
      </Text>
      <Table className={styles.figures} fz="xs" verticalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            {(["landmark", "forward", "down", "distance"] as const).map((name) => (
              <Table.Th key={name}>{t(`ceph.over.${name}`)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {moved.map(({ landmark, forward, down, distance }) => (
            <Table.Tr key={landmark}>
              <Table.Th scope="row">{landmarkLabel(landmark)}</Table.Th>
              {[forward, down, distance].map((value, at) => (
                <Table.Td key={at}>
                  <bdi>{`${formatNumber(value, 1)}${units.mm}`}</bdi>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

type TracedRadiograph = CephFilm & { tracing: CephTracing };

/** The values that can be measured on both radiographs, before and after. */
export function MeasurementChangeTable({
  radiographs: [earlier, later],
}: {
  radiographs: readonly [TracedRadiograph, TracedRadiograph];
}) {
  const t = useTexts("ceph");
  const [before, after] = [indexMeasurements(earlier), indexMeasurements(later)];
  const rows = [...before].flatMap(([measure, row]) => {
    const other = after.get(measure);
    return other ? [{ row, other }] : [];
  });
  return (
    <>
      <Text fw={600} size="sm">
        {t("ceph.over.changes")}
      </Text>
      <Table className={styles.figures} fz="xs" verticalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("ceph.column.measure")}</Table.Th>
            <Table.Th>{t("ceph.over.first")}</Table.Th>
            <Table.Th>{t("ceph.over.second")}</Table.Th>
            <Table.Th>{t("ceph.column.difference")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ row, other }) => (
            <Table.Tr key={row.measure}>
              <Table.Th scope="row">
                <bdi>{nameMeasure(row.measure, (name) => t(`ceph.measure.${name}`))}</bdi>
              </Table.Th>
              {[row.value, other.value, other.value - row.value].map((value, at) => (
                <Table.Td key={at}>
                  <bdi>{`${formatNumber(value, 1)}${units[row.unit]}`}</bdi>
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

type MeasuredRow = CephRow & { value: number };

function indexMeasurements({ tracing, subject }: TracedRadiograph): Map<string, MeasuredRow> {
  const rows = cephAnalysisNames.flatMap((analysis) => createCephReport(tracing.content, subject, analysis).rows);
  return new Map(rows.filter((row): row is MeasuredRow => row.value !== null).map((row) => [row.measure, row]));
}
