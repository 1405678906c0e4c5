import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../kernel/texts.ts";
import { FormProblem } from "./form-problem.tsx";

interface Props {
  problem: string | undefined;
  /** The label of the submit button. */
  send: ReactNode;
  busy: boolean;
  onClose: () => void;
}

/** The foot of a form in a dialog: the error message, the cancel button and the submit button. */
export function FormFoot({ problem, send, busy, onClose }: Props) {
  const t = useTexts();
  return (
    <>
      <FormProblem text={problem} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button type="submit" loading={busy}>
          {send}
        </Button>
      </Group>
    </>
  );
}
