import { Select, Stack, Switch } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";
import type { FormSectionProps } from "../form/form-section-props.ts";

const choices = ["agreed", "yes", "no"] as const;
const valueByChoice = { agreed: null, yes: true, no: false } as const;

/** Permissions of the lab: to forward the work to another lab, and to show the order by links. */
export function ForwardFields({ draft, change }: FormSectionProps) {
  const t = useTexts("forward");
  const chosen = choices.find((choice) => valueByChoice[choice] === draft.mayForward) ?? "agreed";
  return (
    <Stack gap="sm">
      <Select
        label={t("forward.may")}
        data={choices.map((value) => ({ value, label: t(`forward.mayChoice.${value}`) }))}
        value={chosen}
        allowDeselect={false}
        onChange={(value) => {
          const choice = choices.find((one) => one === value) ?? "agreed";
          change({ mayForward: valueByChoice[choice] });
        }}
      />
      {chosen !== "no" && !draft.maskName && (
        <Switch
          label={t("forward.namePasses")}
          description={t("forward.namePassesText")}
          checked={draft.namePasses}
          onChange={(event) => change({ namePasses: event.currentTarget.checked })}
        />
      )}
      <Switch
        label={t("forward.labShares")}
        description={t("forward.labSharesText")}
        checked={draft.labShares}
        onChange={(event) => change({ labShares: event.currentTarget.checked })}
      />
    </Stack>
  );
}
