import { Button, Group, Text } from "@mantine/core";
import { IconChecks } from "@tabler/icons-react";
import { isDocumentKind, studyRules } from "@arcada/contract/study/study.rules";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import classes from "./study-collection.module.css";

/** Confirms all guessed types at once, where each picture with its type is in view. */
export function ConfirmGuessedKinds({ studies, patientId }: { studies: readonly StudyRow[]; patientId: string }) {
  const t = useTexts("study");
  const may = useCanAccess(studyCalls.confirmKinds);
  const confirm = useCommand(studyCalls.confirmKinds);
  const guessed = studies.flatMap(({ id, kind, kindCertain }) =>
    kindCertain || isDocumentKind(kind) ? [] : [{ id, kind }],
  );
  if (!may || guessed.length === 0) return null;
  return (
    <Group gap="sm" justify="space-between" className={classes.guessed}>
      <Text size="sm">{t("study.guessedKinds", { count: guessed.length })}</Text>
      <Button
        size="xs"
        variant="default"
        loading={confirm.busy}
        leftSection={<IconChecks size={15} aria-hidden />}
        onClick={() => void confirm.run({ patientId, studies: guessed.slice(0, studyRules.maxConfirmedKinds) })}
      >
        {t(guessed.length === 1 ? "study.kindRight" : "study.allKindsRight")}
      </Button>
    </Group>
  );
}
