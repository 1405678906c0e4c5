import { Button, Group, Text } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";
import { FormError } from "../form/form-error.tsx";
import classes from "./sections.module.css";

interface SaveBarProps {
  isBusy: boolean;
  problem: string | undefined;
  onSave: () => void;
  onDiscard: () => void;
}

/** Floats at the foot of the window while a page of settings has unsaved changes. */
export function SaveBar({ isBusy, problem, onSave, onDiscard }: SaveBarProps) {
  const t = useTexts("shell");
  return (
    <section className={classes.saveBar} aria-label={t("shell.unsaved.text")}>
      {problem && (
        <div className={classes.problem}>
          <FormError text={problem} />
        </div>
      )}
      <Text size="sm" fw={600} role="status">
        {t("shell.unsaved.text")}
      </Text>
      <Group gap="sm" wrap="nowrap">
        <Button variant="default" disabled={isBusy} onClick={onDiscard}>
          {t("shell.unsaved.discard")}
        </Button>
        <Button loading={isBusy} onClick={onSave}>
          {t("common.save")}
        </Button>
      </Group>
    </section>
  );
}
