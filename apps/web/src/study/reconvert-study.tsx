import { Button, Menu } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { conversionCalls } from "@arcada/contract/study/conversion.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";

/** Recreates the derived files for viewing, if they were removed or their creation failed. */
export function ReconvertButton({ study: { id } }: { study: Pick<StudyRow, "id"> }) {
  const t = useTexts("study");
  const command = useCommand(conversionCalls.convert);
  if (!useCanAccess(conversionCalls.convert)) return null;
  return (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={command.busy}
      onClick={() => void command.run({ id })}
    >
      {t("study.prepareAgain")}
    </Button>
  );
}

/** The same as a menu item of a card. */
export function ReconvertMenuItem({ study: { id, state } }: { study: Pick<StudyRow, "id" | "state"> }) {
  const t = useTexts("study");
  const command = useCommand(conversionCalls.convert);
  const may = useCanAccess(conversionCalls.convert);
  if (!may || (state !== "unconverted" && state !== "failed")) return null;
  return (
    <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => void command.run({ id })}>
      {t("study.prepareAgain")}
    </Menu.Item>
  );
}
