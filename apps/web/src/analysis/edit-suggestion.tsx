import { Button, Group, Modal, MultiSelect, Select, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { findingRules } from "@arcada/contract/chart/chart.rules";
import { getSurfaceName } from "@arcada/contract/chart/surface-name";
import { findingNames, severities, surfaces } from "@arcada/contract/chart/chart.schema";
import type { SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import { codeToFinding } from "@arcada/contract/analysis/observation";
import { allTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Choice, ChosenFinding } from "./review-decisions.ts";

interface Props {
  one: SeenObservation;
  onClose: () => void;
  onUse: (choice: Choice) => void;
}

/** The dialog to correct a suggestion: another tooth, finding, surfaces or severity. */
export function EditSuggestion({ one, onClose, onUse }: Props) {
  const t = useTexts("analysis");
  const [finding, set] = useState<ChosenFinding>(() => getInitialFinding(one));
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("analysis.review.editTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md">
        <Fields finding={finding} onChange={(change) => set({ ...finding, ...change })} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button onClick={() => onUse({ action: "edit", finding: keepValidFields(finding) })}>
            {t("analysis.review.use")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface FieldsProps {
  finding: ChosenFinding;
  onChange: (change: Partial<ChosenFinding>) => void;
}
function Fields({ finding, onChange }: FieldsProps) {
  const t = useTexts("analysis", "chart");
  const teeth = useToothNames();
  const rules = findingRules[finding.code];
  return (
    <>
      <Select
        label={t("analysis.review.tooth")}
        data-autofocus
        // An open list would cover the other fields as soon as the dialog appears.
        openOnFocus={false}
        searchable
        allowDeselect={false}
        value={String(finding.fdi)}
        onChange={(fdi) => fdi && onChange({ fdi: Number(fdi) })}
        data={allTeeth.map((tooth) => ({ value: String(tooth), label: teeth.name(tooth) }))}
      />
      <Select
        label={t("analysis.review.finding")}
        allowDeselect={false}
        value={finding.code}
        onChange={(code) => onChange({ code: findingNames.find((known) => known === code) ?? finding.code })}
        data={findingNames.map((code) => ({ value: code, label: t(`chart.finding.${code}`) }))}
      />
      {rules.severity && (
        <Select
          label={t("analysis.review.severity")}
          clearable
          value={finding.severity ?? null}
          onChange={(severity) => onChange({ severity: severities.find((known) => known === severity) ?? null })}
          data={severities.map((severity) => ({ value: severity, label: t(`chart.severity.${severity}`) }))}
        />
      )}
      {rules.surfaces && (
        <MultiSelect
          label={t("analysis.review.surfaces")}
          value={finding.surfaces ?? []}
          onChange={(chosen) => onChange({ surfaces: surfaces.filter((known) => chosen.includes(known)) })}
          data={surfaces.map((surface) => ({
            value: surface,
            label: t(`chart.surface.${getSurfaceName(finding.fdi, surface)}`),
          }))}
        />
      )}
      <Textarea
        label={t("analysis.review.remark")}
        maxLength={500}
        autosize
        minRows={2}
        value={finding.remark ?? ""}
        onChange={(event) => onChange({ remark: event.currentTarget.value || null })}
      />
    </>
  );
}

/** Removes the properties that such a finding does not have. */
const keepValidFields = (finding: ChosenFinding): ChosenFinding => ({
  ...finding,
  surfaces: findingRules[finding.code].surfaces ? (finding.surfaces ?? []) : [],
  severity: findingRules[finding.code].severity ? (finding.severity ?? null) : null,
});

const getInitialFinding = ({ code, target, value }: SeenObservation): ChosenFinding => ({
  fdi: target.kind === "tooth" ? target.fdi : 11,
  code: codeToFinding(code) ?? "caries",
  surfaces: [],
  severity: severities.find((one) => one === value) ?? null,
  remark: null,
});
