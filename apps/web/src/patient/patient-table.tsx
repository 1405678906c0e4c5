import { Text } from "@mantine/core";
import { patientSorts, usualWay } from "@arcada/contract/patient/patient.calls";
import type { PatientRow } from "@arcada/contract/patient/patient.calls";
import { showAgo, showDay, showMinute } from "../kernel/format.ts";
import { ScreenLink, useGo, useSetSearch } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Age } from "./patient-facts.tsx";
import type { PatientFilter } from "./use-patients.ts";
import classes from "./patient-table.module.css";

export interface PatientRows {
  patients: readonly PatientRow[];
  filter: PatientFilter;
}

export function PatientTable({ patients, filter: { sort, way } }: PatientRows) {
  const t = useTexts("patient");
  const go = useGo();
  const setSearch = useSetSearch();
  return (
    <DataTable
      label={t("patient.title")}
      columns={columnsIn(t)}
      rows={patients}
      rowKey={({ id }) => id}
      onOpen={({ id }) => go("patientDetail", { id })}
      sort={{ by: sort, down: way === "down" }}
      onSort={(by) => setSearch(by === sort ? turned({ sort, way }) : sortedBy(by))}
    />
  );
}

/** Returns the search parameters of another sort order; the default needs none. */
export function sortedBy(by: string): { sort: string | undefined; way: undefined } {
  const sort = patientSorts.find((one) => one === by);
  return { sort: sort === "recentVisitAt" ? undefined : sort, way: undefined };
}
function turned({ sort, way }: Pick<PatientFilter, "sort" | "way">) {
  const other = way === "up" ? "down" : "up";
  return { way: other === usualWay[sort] ? undefined : other };
}

const columnsIn = (t: Translate): Column<PatientRow>[] => [
  {
    key: "name",
    title: t("patient.field.name"),
    sort: "name",
    show: ({ id, name }) => (
      <ScreenLink screen="patientDetail" search={{ id }} className={classes.name}>
        {name}
      </ScreenLink>
    ),
  },
  { key: "number", title: t("patient.field.number"), show: (patient) => <Numbers of={patient} /> },
  { key: "sex", title: t("patient.field.sex"), show: ({ sex }) => t(`common.sex.${sex}`), width: 84 },
  { key: "age", title: t("patient.field.age"), sort: "age", show: (patient) => <Age of={patient} /> },
  {
    key: "phone",
    title: t("patient.field.phone"),
    show: ({ phone }) => <span className="arcada-figures">{phone ?? "–"}</span>,
  },
  {
    key: "recentVisitAt",
    title: t("patient.field.recentVisitAt"),
    sort: "recentVisitAt",
    show: (patient) => <LastVisit of={patient} />,
  },
  {
    key: "studies",
    title: t("patient.field.studies"),
    align: "end",
    width: 84,
    show: ({ studies }) => <Count of={studies} />,
  },
  {
    key: "orders",
    title: t("patient.field.orders"),
    align: "end",
    width: 84,
    show: ({ orders }) => <Count of={orders} />,
  },
];

function Numbers({ of }: { of: PatientRow }) {
  const t = useTexts("patient");
  return (
    <>
      <Text size="sm" span display="block" className="arcada-figures">
        {of.number}
      </Text>
      {of.entryNumber && (
        <Text size="xs" c="dimmed" span display="block" title={t("patient.field.entryNumber")}>
          {of.entryNumber}
        </Text>
      )}
    </>
  );
}

function LastVisit({ of: { recentVisitAt } }: { of: PatientRow }) {
  if (recentVisitAt === null) return "–";
  return (
    <time dateTime={recentVisitAt} title={showMinute(recentVisitAt)}>
      {showDay(recentVisitAt)}
      <Text size="xs" c="dimmed" span display="block">
        {showAgo(recentVisitAt)}
      </Text>
    </time>
  );
}

function Count({ of }: { of: number }) {
  return (
    <Text size="sm" span className="arcada-figures" {...(of === 0 && { c: "dimmed" })}>
      {of}
    </Text>
  );
}
