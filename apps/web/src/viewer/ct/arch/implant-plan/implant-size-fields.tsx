import { Autocomplete, Group, SegmentedControl } from "@mantine/core";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { commonDiameters, commonLengths, type ImplantSize } from "./implant-plan.ts";

export function ImplantSizeFields({ size, onSize }: { size: ImplantSize; onSize: (size: ImplantSize) => void }) {
  const t = useTexts("viewer");
  const mm = (name: "diameter" | "length", common: readonly number[], most: number) => (
    <Autocomplete
      size="xs"
      label={t(`viewer.arch.implant.${name}`)}
      inputMode="decimal"
      comboboxProps={{ withinPortal: false }}
      data={common.map((value) => formatNumber(value, 2))}
      filter={({ options }) => options}
      defaultValue={formatNumber(size[name], 2)}
      key={size[name]}
      onBlur={(event) => {
        const typed = Number(event.currentTarget.value.replace(",", "."));
        if (typed >= 1 && typed <= most && typed !== size[name]) onSize({ ...size, [name]: typed });
      }}
      onOptionSubmit={(value) => onSize({ ...size, [name]: Number(value.replace(",", ".")) })}
    />
  );
  return (
    <>
      <Group gap="xs" grow wrap="nowrap">
        {mm("diameter", commonDiameters, 10)}
        {mm("length", commonLengths, 30)}
      </Group>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("viewer.arch.implant.form")}
        value={size.isCone ? "cone" : "cylinder"}
        onChange={(form) => onSize({ ...size, isCone: form === "cone" })}
        data={(["cylinder", "cone"] as const).map((value) => ({ value, label: t(`viewer.arch.implant.${value}`) }))}
      />
    </>
  );
}
