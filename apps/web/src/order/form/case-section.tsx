import { Checkbox, Group, SegmentedControl, Select, SimpleGrid, Stack, Textarea, useMatches } from "@mantine/core";
import { jaws } from "@arcada/contract/kernel/tooth-numbers";
import { antagonists } from "@arcada/contract/order/prescription.choices";
import { caseTypes, orderRules, workKinds } from "@arcada/contract/order/order.rules";
import type { CaseType } from "@arcada/contract/order/order.rules";
import { useTexts } from "../../i18n/texts.ts";
import { Section } from "../../ui/page.tsx";
import { hasItems, changeCaseType } from "./order-draft.ts";
import { ImplantFields } from "./implant-fields.tsx";
import type { FormSectionProps } from "./form-section-props.ts";

/** The type of the case, and the fields of that type besides the teeth. */
export function CaseSection(part: FormSectionProps) {
  const t = useTexts("order");
  const { draft, change } = part;
  const orientation = useMatches({ base: "vertical" as const, xs: "horizontal" as const });
  // In a column the controls are larger, for touch.
  const size = orientation === "vertical" ? "md" : "sm";
  return (
    <Section title={t("order.form.case")}>
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          orientation={orientation}
          size={size}
          aria-label={t("order.form.caseType")}
          data={caseTypes.map((value) => ({ value, label: t(`order.caseType.${value}`) }))}
          value={draft.caseType}
          onChange={(value) => change(changeCaseType(draft, value as CaseType))}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <WorkKinds {...part} />
          {draft.caseType === "orthodontics" && <Jaws {...part} />}
          {draft.caseType === "implant" && <ImplantFields {...part} />}
          {hasItems(draft.caseType) && <Antagonist {...part} />}
        </SimpleGrid>
      </Stack>
    </Section>
  );
}

/** Free-text instructions for everything that has no field of its own. */
export function NotesSection(part: FormSectionProps) {
  const t = useTexts("order");
  const { draft, change } = part;
  return (
    <Section title={t("order.form.instructions")}>
      <Stack gap="md">
        <Instructions {...part} />
        <Checkbox
          label={t("order.form.scheme")}
          description={t("order.form.schemeText")}
          checked={draft.schemeRequired}
          onChange={(event) => change({ schemeRequired: event.currentTarget.checked })}
        />
      </Stack>
    </Section>
  );
}

function WorkKinds({ draft, change, error }: FormSectionProps) {
  const t = useTexts("order");
  return (
    <Checkbox.Group
      label={t("order.form.workKinds")}
      value={draft.workKinds}
      onChange={(chosen) => change({ workKinds: workKinds.filter((kind) => chosen.includes(kind)) })}
      error={error("workKinds")}
    >
      <Group gap="lg" mt={8}>
        {workKinds.map((kind) => (
          <Checkbox key={kind} value={kind} label={t(`order.workKind.${kind}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

function Jaws({ draft, change, error }: FormSectionProps) {
  const t = useTexts("order");
  return (
    <Checkbox.Group
      label={t("order.form.jaws")}
      value={draft.jaws}
      onChange={(chosen) => change({ jaws: jaws.filter((jaw) => chosen.includes(jaw)) })}
      error={error("jaws")}
    >
      <Group gap="lg" mt={8}>
        {jaws.map((jaw) => (
          <Checkbox key={jaw} value={jaw} label={t(`order.jaw.${jaw}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

function Antagonist({ draft, change }: FormSectionProps) {
  const t = useTexts("order");
  return (
    <Select
      label={t("order.form.antagonist")}
      placeholder={t("order.form.optional")}
      clearable
      allowDeselect={false}
      data={antagonists.map((value) => ({ value, label: t(`order.antagonist.${value}`) }))}
      value={draft.antagonist}
      onChange={(antagonist) => change({ antagonist })}
    />
  );
}

function Instructions({ draft, change, error }: FormSectionProps) {
  const t = useTexts("order");
  return (
    <Textarea
      aria-label={t("order.form.instructions")}
      placeholder={t("order.form.instructionsHint")}
      {...(draft.caseType === "other" && {
        description: t("order.form.instructionsLeast", { count: orderRules.minOtherTextLength }),
      })}
      autosize
      minRows={3}
      maxRows={12}
      maxLength={4000}
      value={draft.instructions ?? ""}
      onChange={(event) => change({ instructions: event.currentTarget.value || null })}
      error={error("instructions")}
    />
  );
}
