import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useTexts } from "../kernel/texts.ts";
import { FormProblem } from "./form-problem.tsx";

interface Props {
  problem: string | undefined;
  /** On the button that sends the form. */
  send: ReactNode;
  busy: boolean;
  onClose: () => void;
}

/** How a form in a dialog ends: what went wrong, the way out and the way on. */
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
