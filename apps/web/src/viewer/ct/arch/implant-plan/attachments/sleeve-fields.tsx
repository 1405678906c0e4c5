import { NumberInput, Select, SimpleGrid } from "@mantine/core";
import type { DrillSleeve } from "@arcada/contract/implant/implant-library.schema";
import { useTexts } from "../../../../../i18n/texts.ts";
import type { Implant } from "../implant-plan.ts";
import type { PlanParts } from "../plan-props.ts";
import { putAttachments, type Sleeve } from "./implant-attachments.ts";

const [none, custom] = ["none", "custom"];
const measures = [
  ["inner", 1, 15],
  ["outer", 1.5, 20],
  ["height", 1, 20],
  ["offset", 0, 30],
] as const;

/** The drill sleeve of an implant: one of the system's, whose measures may be changed. */
export function SleeveFields({
  arch,
  implant: { annotation, attachments },
  sleeves,
}: Pick<PlanParts, "arch"> & { implant: Implant; sleeves: readonly DrillSleeve[] }) {
  const t = useTexts("implant");
  const { sleeve } = attachments;
  const put = (next: Sleeve | null) => arch.alter(putAttachments(annotation, { sleeve: next }), true);
  const known = sleeve && sleeves.find((one) => isSame(one, sleeve));
  const choose = (value: string | null) => {
    const chosen = sleeves.find(({ name }) => name === value);
    if (value === none) put(null);
    else if (chosen)
      put({ inner: chosen.inner, outer: chosen.outer, height: chosen.height, offset: chosen.offsets[0] ?? 4 });
  };
  return (
    <>
      <Select
        size="xs"
        label={t("implant.sleeve.title")}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        value={sleeve ? (known?.name ?? custom) : none}
        data={[
          { value: none, label: t("implant.sleeve.none") },
          ...sleeves.map(({ name }) => ({ value: name, label: name })),
          ...(sleeve && !known ? [{ value: custom, label: t("implant.sleeve.custom") }] : []),
        ]}
        onChange={choose}
      />
      {sleeve && (
        <SimpleGrid cols={2} spacing="xs" verticalSpacing={4}>
          {measures.map(([name, min, max]) => (
            <NumberInput
              key={name}
              size="xs"
              label={t(`implant.sleeve.${name}`)}
              {...{ min, max }}
              step={0.5}
              value={sleeve[name]}
              onChange={(typed) => {
                const next = { ...sleeve, [name]: typed };
                if (typeof typed === "number" && typed >= min && typed <= max && next.inner < next.outer) put(next);
              }}
            />
          ))}
        </SimpleGrid>
      )}
    </>
  );
}

const isSame = (one: DrillSleeve, { inner, outer, height }: Sleeve): boolean =>
  one.inner === inner && one.outer === outer && one.height === height;
