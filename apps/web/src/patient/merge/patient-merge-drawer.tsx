import { Badge, Button, Divider, Drawer, Group, Stack, Text } from "@mantine/core";
import { IconArrowBackUp, IconColumns2 } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { patientMergeCalls } from "@arcada/contract/patient/patient-merge.calls";
import type { PatientMerge } from "@arcada/contract/patient/patient-merge.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { Patient, PatientRow } from "@arcada/contract/patient/patient.calls";
import { formatDay, formatTimestamp } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { SearchBox } from "../../ui/form/search-box.tsx";
import { MergeComparison } from "./merge-comparison.tsx";
import { formatAge } from "../patient-age.tsx";
import classes from "../patient-form.module.css";

/** Merges records that may be of the same person, and separates merged ones again. */
export function PatientMergeDrawer({ patient, onClose }: { patient: Patient; onClose: () => void }) {
  const t = useTexts("patient");
  const [otherId, setOtherId] = useState<string | null>(null);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={760}
      title={t("patient.merge.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      classNames={{ title: classes.title }}
    >
      {otherId ? (
        <MergeComparison
          firstId={patient.id}
          secondId={otherId}
          onBack={() => setOtherId(null)}
          onMerged={() => {
            setOtherId(null);
            onClose();
          }}
        />
      ) : (
        <Stack gap="lg">
          <MergeHistory patientId={patient.id} />
          <DuplicateCandidates patientId={patient.id} onChoose={setOtherId} />
          <OtherPatients patientId={patient.id} onChoose={setOtherId} />
        </Stack>
      )}
    </Drawer>
  );
}

interface PatientPickProps {
  patientId: string;
  onChoose: (id: string) => void;
}

function DuplicateCandidates({ patientId, onChoose }: PatientPickProps) {
  const t = useTexts("patient");
  const query = useCall(patientMergeCalls.duplicates, { id: patientId });
  return (
    <section aria-label={t("patient.merge.candidates")}>
      <Text fw={600} mb={4}>
        {t("patient.merge.candidates")}
      </Text>
      <QueryResult
        of={query}
        empty={
          <Text size="sm" c="dimmed">
            {t("patient.merge.none")}
          </Text>
        }
      >
        {(rows) => (
          <ul className={classes.rows}>
            {rows.map((row) => (
              <SelectableRow key={row.id} row={row} onChoose={onChoose}>
                <Badge variant="light" color={row.reason === "name" ? "gray" : "yellow"} className={classes.badge}>
                  {t(`patient.merge.reason.${row.reason}`)}
                </Badge>
              </SelectableRow>
            ))}
          </ul>
        )}
      </QueryResult>
    </section>
  );
}

/** Another patient, who is not among the similar ones. */
function OtherPatients({ patientId, onChoose }: PatientPickProps) {
  const t = useTexts("patient");
  const [search, setSearch] = useState("");
  const found = useCall(patientCalls.list, { search, pageSize: 6 }, { enabled: search !== "", keepPrevious: true });
  const rows = search === "" ? [] : (found.data?.list.filter(({ id }) => id !== patientId) ?? []);
  return (
    <section aria-label={t("patient.merge.others")}>
      <Divider mb="md" />
      <SearchBox label={t("patient.merge.others")} value="" onSearch={setSearch} />
      <ul className={classes.rows}>
        {rows.map((row) => (
          <SelectableRow key={row.id} row={row} onChoose={onChoose} />
        ))}
      </ul>
    </section>
  );
}

interface SelectableRowProps {
  row: PatientRow;
  onChoose: (id: string) => void;
  children?: ReactNode;
}
function SelectableRow({ row, onChoose, children }: SelectableRowProps) {
  const t = useTexts("patient");
  const facts = [
    row.number,
    t(`common.sex.${row.sex}`),
    formatAge(t, row),
    row.birthDate && formatDay(row.birthDate),
    row.phone,
  ];
  return (
    <li className={classes.candidate}>
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={600} span className={classes.who}>
            {row.name}
          </Text>
          {children}
        </Group>
        <Text size="xs" c="dimmed" span>
          {facts.filter(Boolean).join(" · ")}
        </Text>
      </Stack>
      <Button
        variant="default"
        size="xs"
        flex="none"
        leftSection={<IconColumns2 size={15} aria-hidden />}
        aria-label={t("patient.merge.compareWith", { name: row.name, number: row.number })}
        onClick={() => onChoose(row.id)}
      >
        {t("patient.merge.compare")}
      </Button>
    </li>
  );
}

/** Records that were merged into this one. */
function MergeHistory({ patientId }: { patientId: string }) {
  const t = useTexts("patient");
  const merges = useCall(patientMergeCalls.merges, { id: patientId }).data ?? [];
  if (merges.length === 0) return null;
  return (
    <section aria-label={t("patient.merge.done")}>
      <Text fw={600} mb={4}>
        {t("patient.merge.done")}
      </Text>
      <ul className={classes.rows}>
        {merges.map((merge) => (
          <MergeRow key={merge.id} merge={merge} />
        ))}
      </ul>
    </section>
  );
}

function MergeRow({ merge }: { merge: PatientMerge }) {
  const t = useTexts("patient");
  const undo = useCommand(patientMergeCalls.unmerge);
  const undoMerge = async () => {
    if (await undo.run({ id: merge.id })) toast("success", t("patient.merge.undone", { number: merge.number }));
  };
  return (
    <li className={classes.candidate}>
      <Stack gap={2} miw={0}>
        <Text size="sm" fw={600} span className={classes.who}>
          {merge.name} · {merge.number}
        </Text>
        <Text size="xs" c="dimmed" span>
          {t("patient.merge.by", { name: merge.by || t("common.unknown"), time: formatTimestamp(merge.at) })}
          {merge.until && ` · ${t("patient.merge.until", { day: formatDay(merge.until) })}`}
        </Text>
      </Stack>
      {merge.until && (
        <Button
          variant="default"
          size="xs"
          flex="none"
          loading={undo.busy}
          leftSection={<IconArrowBackUp size={15} aria-hidden />}
          onClick={() => void undoMerge()}
        >
          {t("patient.merge.undo")}
        </Button>
      )}
    </li>
  );
}
