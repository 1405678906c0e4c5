import { Autocomplete, Group, NumberInput, Radio, Select } from "@mantine/core";
import { fixTypes, gingivaSources, torqueRange } from "@arcada/contract/order/prescription.choices";
import { useTexts } from "../../i18n/texts.ts";
import { useImplantSystems } from "../../session/use-implant-systems.ts";
import type { FormSectionProps } from "./form-section-props.ts";

/** The fields of an implant case besides its teeth. Optional ones have a placeholder that says so. */
export function ImplantFields(part: FormSectionProps) {
  const t = useTexts("order");
  const { draft, change } = part;
  return (
    <>
      <SystemField {...part} />
      <RetentionField {...part} />
      <NumberInput
        label={t("order.form.torque")}
        placeholder={t("order.form.optional")}
        min={torqueRange.min}
        max={torqueRange.max}
        allowDecimal={false}
        clampBehavior="blur"
        value={draft.torque ?? ""}
        onChange={(value) => change({ torque: typeof value === "number" ? toTorque(value) : null })}
      />
      <Select
        label={t("order.form.gingiva")}
        placeholder={t("order.form.optional")}
        clearable
        allowDeselect={false}
        data={gingivaSources.map((value) => ({ value, label: t(`order.gingiva.${value}`) }))}
        value={draft.gingiva}
        onChange={(gingiva) => change({ gingiva })}
      />
    </>
  );
}

/** A number that is still being typed is not yet a valid torque. */
const toTorque = (value: number): number | null =>
  value >= torqueRange.min && value <= torqueRange.max ? value : null;

/** The systems of the libraries to choose from, the clinic's own first. Others can be typed. */
function SystemField({ draft, change, error }: FormSectionProps) {
  const t = useTexts("order");
  const systems = useImplantSystems();
  return (
    <Autocomplete
      label={t("order.form.implantSystem")}
      placeholder={t("order.form.implantHint")}
      maxLength={80}
      limit={40}
      data={systems.map(({ name }) => name)}
      value={draft.implantSystem ?? ""}
      onChange={(system) => change({ implantSystem: system || null })}
      error={error("implantSystem")}
    />
  );
}

function RetentionField({ draft, change, error }: FormSectionProps) {
  const t = useTexts("order");
  return (
    <Radio.Group
      label={t("order.form.fixType")}
      value={draft.fixType}
      onChange={(value) => change({ fixType: fixTypes.find((type) => type === value) ?? null })}
      error={error("fixType")}
    >
      <Group gap="lg" mt={8}>
        {fixTypes.map((type) => (
          <Radio key={type} value={type} label={t(`order.fixType.${type}`)} />
        ))}
      </Group>
    </Radio.Group>
  );
}
