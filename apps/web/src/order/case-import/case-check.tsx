import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import type { FoundCase } from "@arcada/exchange/scan-folder/read-cases";
import { formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { getToday } from "../../i18n/time-zone.ts";
import type { FileRole } from "../form/order-draft.ts";
import { CaseFiles } from "./case-files.tsx";
import type { CaseImportProps } from "./case-import.tsx";
import { CasePatientField } from "./case-patient-field.tsx";
import { CaseRemarks } from "./case-remarks.tsx";
import { CaseWork } from "./case-work.tsx";
import { fillFromCase } from "../form/fill-from-case.ts";
import type { useDroppedCase } from "./use-dropped-case.ts";
import classes from "./case-import.module.css";

interface CaseCheckProps extends CaseImportProps {
  found: FoundCase;
  unpack: ReturnType<typeof useDroppedCase>["unpack"];
  onClose: () => void;
  onFilled: () => void;
}

/** One case in the words of an order, to be checked by a person. Nothing is sent to the server before that. */
export function CaseCheck({ found, draft, isPatientFixed, files, unpack, onFill, onClose, onFilled }: CaseCheckProps) {
  const t = useTexts("labCase", "order");
  const { content } = found;
  const [patientId, setPatientId] = useState(draft.patientId);
  const [roles, setRoles] = useState(() => new Map(found.files.map(({ path, role }) => [path, role])));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOpen = [...roles.values()].includes(null);
  const fill = async () => {
    setBusy(true);
    const unpacked = await unpack([...roles.keys()]);
    setBusy(false);
    if ("problem" in unpacked) return setProblem(t(`labCase.problem.${unpacked.problem}`));
    onFill({
      ...fillFromCase(draft, content, getToday()),
      ...(!isPatientFixed && patientId !== draft.patientId && { patientId, studies: [] }),
      ...(roles.size > 0 && { noDigitalFiles: false }),
    });
    files.add(unpacked.files.map(({ path, file }) => ({ path, file, role: roles.get(path) as FileRole })));
    onFilled();
  };
  return (
    <>
      <Text size="sm" c="dimmed">
        {[t(`labCase.program.${content.program}`), content.name].filter(Boolean).join(" · ")}
      </Text>
      {found.problem && (
        <Alert color="red" role="alert" title={t(`labCase.problem.${found.problem}`)}>
          {t("labCase.problem.goOn")}
        </Alert>
      )}
      <div className={classes.parts}>
        <Part title={t("labCase.part.patient")}>
          <CasePatientField
            named={content.patient}
            fixedId={isPatientFixed ? draft.patientId : null}
            chosenId={patientId}
            onChosen={setPatientId}
          />
        </Part>
        <Part title={t("labCase.part.work")}>
          <CaseWork items={content.items} replaces={draft.items.some(({ teeth }) => teeth.length > 0)} />
        </Part>
        {content.remarks.length > 0 && (
          <Part title={t("labCase.part.check")}>
            <CaseRemarks remarks={content.remarks} />
          </Part>
        )}
        <Part title={t("labCase.part.files")}>
          <CaseFiles found={found} roles={roles} onChange={setRoles} />
        </Part>
        <MoreFacts found={found} />
      </div>
      {problem && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <Group justify="flex-end" gap="sm" className={classes.foot}>
        {isOpen && (
          <Text size="xs" c="var(--mantine-color-error)" flex="1 1 200px">
            {t("labCase.files.open")}
          </Text>
        )}
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button loading={busy} disabled={isOpen} onClick={() => void fill()}>
          {t("labCase.import.fill")}
        </Button>
      </Group>
    </>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.part}>
    <Text component="h3" fw={600} size="sm" className={classes.title!}>
      {title}
    </Text>
    <Stack gap="xs" miw={0}>
      {children}
    </Stack>
  </section>
);

/** The rest of what the order is filled with. */
function MoreFacts({ found: { content } }: { found: FoundCase }) {
  const t = useTexts("labCase");
  const { notes, orderNumber, dueDate } = content;
  const isWanted = dueDate !== null && dueDate > getToday();
  if (!notes && !orderNumber && !isWanted) return null;
  return (
    <Part title={t("labCase.part.more")}>
      {notes && (
        <Text size="sm" className={classes.notes!}>
          {t("labCase.more.notes", { notes })}
        </Text>
      )}
      {orderNumber && <Text size="sm">{t("labCase.more.orderNumber", { number: orderNumber })}</Text>}
      {isWanted && <Text size="sm">{t("labCase.more.dueDate", { day: formatDay(dueDate) })}</Text>}
    </Part>
  );
}
