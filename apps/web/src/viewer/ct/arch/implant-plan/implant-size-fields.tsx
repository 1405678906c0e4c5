import { Autocomplete, Group, SegmentedControl, Select, Text } from "@mantine/core";
import type { SystemChoice } from "@arcada/contract/implant/implant-library.schema";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { useImplantSystems } from "../../../../session/use-implant-systems.ts";
import { findSystem } from "./attachments/generic-parts.ts";
import { commonDiameters, commonLengths, type ImplantSize } from "./implant-plan.ts";

/** The system and the size of an implant. Sizes that the library states are offered; any other may be typed. */
export function ImplantSizeFields({ size, onSize }: { size: ImplantSize; onSize: (size: ImplantSize) => void }) {
  const t = useTexts("viewer", "implant");
  const systems = useImplantSystems();
  const system = findSystem(systems, size.system ?? null);
  const sizes = system?.sizes ?? [];
  const lengths = sizes.find(({ diameter }) => diameter === size.diameter)?.lengths ?? [];
  const isListed = sizes.length === 0 || lengths.includes(size.length);
  const put = (change: Partial<ImplantSize>) => onSize(withTip({ ...size, ...change }, system));
  const mm = (name: "diameter" | "length", offered: readonly number[], most: number) => (
    <Autocomplete
      size="xs"
      label={t(`viewer.arch.implant.${name}`)}
      inputMode="decimal"
      comboboxProps={{ withinPortal: false }}
      data={offered.map((value) => formatNumber(value, 2))}
      filter={({ options }) => options}
      defaultValue={formatNumber(size[name], 2)}
      key={size[name]}
      onBlur={(event) => {
        const typed = Number(event.currentTarget.value.replace(",", "."));
        if (typed >= 1 && typed <= most && typed !== size[name]) put({ [name]: typed });
      }}
      onOptionSubmit={(value) => put({ [name]: Number(value.replace(",", ".")) })}
    />
  );
  return (
    <>
      <SystemSelect
        systems={systems}
        value={size.system ?? null}
        onChoose={(name) => onSize(fitToSystem(size, findSystem(systems, name)))}
      />
      <Group gap="xs" grow wrap="nowrap" align="end">
        {mm("diameter", sizes.length > 0 ? sizes.map(({ diameter }) => diameter) : commonDiameters, 10)}
        {mm("length", lengths.length > 0 ? lengths : commonLengths, 60)}
      </Group>
      {system && sizes.length === 0 && (
        <Text size="xs" c="dimmed">
          {t("implant.typedSizes")}
        </Text>
      )}
      {!isListed && (
        <Text size="xs" c="orange.3">
          {t("implant.sizesUnlisted")}
        </Text>
      )}
      {!system && (
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label={t("viewer.arch.implant.form")}
          value={size.isCone ? "cone" : "cylinder"}
          onChange={(form) => onSize({ ...size, isCone: form === "cone" })}
          data={(["cylinder", "cone"] as const).map((value) => ({ value, label: t(`viewer.arch.implant.${value}`) }))}
        />
      )}
    </>
  );
}

function SystemSelect({
  systems,
  value,
  onChoose,
}: {
  systems: readonly SystemChoice[];
  value: string | null;
  onChoose: (name: string | null) => void;
}) {
  const t = useTexts("implant");
  const names = systems.map(({ name }) => name);
  // A plan keeps the name of a system whose library was removed.
  const data = value !== null && !names.includes(value) ? [value, ...names] : names;
  return (
    <Select
      size="xs"
      searchable
      clearable
      label={t("implant.system")}
      placeholder={t("implant.generic")}
      limit={60}
      maxDropdownHeight={220}
      comboboxProps={{ withinPortal: false }}
      value={value}
      data={data}
      onChange={onChoose}
    />
  );
}

/** The nearest size that the system has. */
function fitToSystem(size: ImplantSize, system: SystemChoice | undefined): ImplantSize {
  if (!system) return { ...size, tip: undefined, system: null };
  const nearest = findNearest(system.sizes, size.diameter, ({ diameter }) => diameter);
  const length = nearest && findNearest(nearest.lengths, size.length, (one) => one);
  return withTip(
    {
      diameter: nearest?.diameter ?? size.diameter,
      length: length ?? size.length,
      isCone: system.system.shape === "cone",
      system: system.name,
    },
    system,
  );
}

/** The tip's diameter that a library states belongs to one diameter of the shoulder. */
const withTip = (size: ImplantSize, system: SystemChoice | undefined): ImplantSize => ({
  ...size,
  tip: system?.sizes.find(({ diameter }) => diameter === size.diameter)?.tip,
});

const findNearest = <T,>(all: readonly T[], wanted: number, read: (one: T) => number): T | undefined =>
  all.toSorted((one, other) => Math.abs(read(one) - wanted) - Math.abs(read(other) - wanted))[0];
