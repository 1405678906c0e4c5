import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { FormError } from "./form-error.tsx";

interface Props {
  problem: string | undefined;
  /** The label of the submit button. */
  submitLabel: ReactNode;
  busy: boolean;
  onClose: () => void;
}

/** The foot of a form in a dialog: the error message, the cancel button and the submit button. */
export function FormFooter({ problem, submitLabel, busy, onClose }: Props) {
  const t = useTexts();
  return (
    <>
      <FormError text={problem} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button type="submit" loading={busy}>
          {submitLabel}
        </Button>
      </Group>
    </>
  );
}
