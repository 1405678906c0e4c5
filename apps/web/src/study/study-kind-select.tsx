import { Button, Group, Select, Text } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { chosenKinds, isFixedKind } from "@arcada/contract/study/study.rules";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import { isKind } from "./study-kinds.ts";
import classes from "./study-kind-select.module.css";

/** The kind of a study: certain from its files, or a guess that a person confirms or corrects. */
export function StudyKindSelect({
  study,
  bare = false,
}: {
  study: Pick<StudyRow, "id" | "kind" | "kindCertain">;
  bare?: boolean;
}) {
  const t = useTexts("study");
  const may = useCanAccess(studyCalls.attach);
  const attach = useCommand(studyCalls.attach);
  const { kind: currentKind } = study;
  if (!may || isFixedKind(currentKind)) return <Text size="sm">{t(`study.kind.${study.kind}`)}</Text>;
  return (
    <div>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <Select
          className={classes.select}
          size={bare ? "xs" : "sm"}
          {...(bare ? { "aria-label": t("study.kindLabel") } : { label: t("study.kindLabel") })}
          allowDeselect={false}
          disabled={attach.busy}
          data={chosenKinds.map((kind) => ({ value: kind, label: t(`study.kind.${kind}`) }))}
          value={study.kind}
          onChange={(kind) => isKind(kind) && kind !== study.kind && void attach.run({ id: study.id, kind })}
        />
        {!study.kindCertain && (
          <Button
            variant="default"
            size={bare ? "xs" : "sm"}
            loading={attach.busy}
            leftSection={<IconCheck size={15} aria-hidden />}
            onClick={() => void attach.run({ id: study.id, kind: currentKind })}
          >
            {t("study.kindRight")}
          </Button>
        )}
      </Group>
      {!study.kindCertain && !bare && (
        <Text size="xs" mt={4} className={classes.guess}>
          {t("study.guessHint")}
        </Text>
      )}
    </div>
  );
}
