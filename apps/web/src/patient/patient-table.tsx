import { Text } from "@mantine/core";
import { patientSorts, defaultDirection } from "@arcada/contract/patient/patient.calls";
import type { PatientRow } from "@arcada/contract/patient/patient.calls";
import { formatTimeAgo, formatDay, formatDateTime } from "../i18n/format.ts";
import { ScreenLink, useOpenScreen, useSetSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Age } from "./patient-age.tsx";
import type { PatientFilter } from "./use-filtered-patients.ts";
import classes from "./patient-table.module.css";

export interface PatientListProps {
  patients: readonly PatientRow[];
  filter: PatientFilter;
}

export function PatientTable({ patients, filter: { sort, way } }: PatientListProps) {
  const t = useTexts("patient");
  const go = useOpenScreen();
  const setSearch = useSetSearchParams();
  return (
    <DataTable
      label={t("patient.title")}
      columns={buildColumns(t)}
      rows={patients}
      rowKey={({ id }) => id}
      onOpen={({ id }) => go("patientDetail", { id })}
      sort={{ by: sort, down: way === "down" }}
      onSort={(by) => setSearch(by === sort ? toReversedSearch({ sort, way }) : toSortSearch(by))}
    />
  );
}

/** Returns the search parameters of another sort order; the default needs none. */
export function toSortSearch(by: string): { sort: string | undefined; way: undefined } {
  const sort = patientSorts.find((one) => one === by);
  return { sort: sort === "recentVisitAt" ? undefined : sort, way: undefined };
}
function toReversedSearch({ sort, way }: Pick<PatientFilter, "sort" | "way">) {
  const other = way === "up" ? "down" : "up";
  return { way: other === defaultDirection[sort] ? undefined : other };
}

const buildColumns = (t: Translate): Column<PatientRow>[] => [
  {
    key: "name",
    title: t("patient.field.name"),
    sort: "name",
    opens: "link",
    show: ({ id, name }) => (
      <ScreenLink screen="patientDetail" search={{ id }} className={classes.name}>
        {name}
      </ScreenLink>
    ),
  },
  { key: "number", title: t("patient.field.number"), show: (patient) => <NumberCell value={patient} /> },
  { key: "sex", title: t("patient.field.sex"), show: ({ sex }) => t(`common.sex.${sex}`), width: 84 },
  { key: "age", title: t("patient.field.age"), sort: "age", show: (patient) => <Age patient={patient} /> },
  {
    key: "phone",
    title: t("patient.field.phone"),
    show: ({ phone }) => <span className="arcada-figures">{phone ?? "–"}</span>,
  },
  {
    key: "recentVisitAt",
    title: t("patient.field.recentVisitAt"),
    sort: "recentVisitAt",
    show: (patient) => <LastVisitCell value={patient} />,
  },
  {
    key: "studies",
    title: t("patient.field.studies"),
    align: "end",
    width: 84,
    show: ({ studies }) => <CountCell value={studies} />,
  },
  {
    key: "orders",
    title: t("patient.field.orders"),
    align: "end",
    width: 84,
    show: ({ orders }) => <CountCell value={orders} />,
  },
];

function NumberCell({ value }: { value: PatientRow }) {
  const t = useTexts("patient");
  return (
    <>
      <Text size="sm" span display="block" className="arcada-figures">
        {value.number}
      </Text>
      {value.entryNumber && (
        <Text size="xs" c="dimmed" span display="block" title={t("patient.field.entryNumber")}>
          {value.entryNumber}
        </Text>
      )}
    </>
  );
}

function LastVisitCell({ value: { recentVisitAt } }: { value: PatientRow }) {
  if (recentVisitAt === null) return "–";
  return (
    <time dateTime={recentVisitAt} title={formatDateTime(recentVisitAt)}>
      {formatDay(recentVisitAt)}
      <Text size="xs" c="dimmed" span display="block">
        {formatTimeAgo(recentVisitAt)}
      </Text>
    </time>
  );
}

function CountCell({ value }: { value: number }) {
  return (
    <Text size="sm" span className="arcada-figures" {...(value === 0 && { c: "dimmed" })}>
      {value}
    </Text>
  );
}
