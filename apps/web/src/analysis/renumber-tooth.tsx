import { Button, Group, Modal, Select, Stack } from "@mantine/core";
import { useState } from "react";
import type { SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Choice } from "./review-decisions.ts";

interface Props {
  one: SeenObservation;
  onClose: () => void;
  onUse: (choice: Choice) => void;
}

/** The dialog to give a tooth that an engine found another number. */
export function RenumberTooth({ one: { target }, onClose, onUse }: Props) {
  const t = useTexts("analysis");
  const teeth = useToothNames();
  const [fdi, set] = useState(target.kind === "tooth" ? target.fdi : 11);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("analysis.review.editTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md">
        <Select
          label={t("analysis.review.tooth")}
          data-autofocus
          openOnFocus={false}
          searchable
          allowDeselect={false}
          value={String(fdi)}
          onChange={(value) => value && set(Number(value))}
          data={allTeeth.map((tooth) => ({ value: String(tooth), label: teeth.name(tooth) }))}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button onClick={() => onUse({ action: "renumber", fdi })}>{t("analysis.review.use")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
