import { Group, NumberInput, Select } from "@mantine/core";
import { plus, times } from "@arcada/imaging/geometry/vector";
import { lowerTeeth, toothName, upperTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { formatNumber } from "../../../../i18n/format.ts";
import { useAppearance } from "../../../../browser/appearance.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import type { DrawnRoot } from "./implant-plan.ts";
import styles from "./plan-panel.module.css";
import { PlanRowHeader } from "./plan-row-header.tsx";
import { formatRootName } from "./tooth-root-shape.tsx";
import type { PlanParts } from "./plan-props.ts";

/** A drawn root: its tooth, and its diameters at both ends. */
export function RootRow({
  arch,
  controls,
  drawing,
  annotations,
  root,
  number,
}: PlanParts & { root: DrawnRoot; number: number }) {
  const t = useTexts("viewer");
  const { teeth } = useAppearance();
  const { annotation } = root;
  const { neck, apex, wide, thin } = root.root;
  const isChosen = drawing.chosen === annotation.id;
  return (
    <div className={isChosen ? styles.chosen : styles.row}>
      <PlanRowHeader
        name={formatRootName(t, root, number, teeth)}
        onChoose={() => {
          controls.setCrosshair(times(plus(neck, apex), 0.5));
          drawing.choose(annotation.id);
        }}
        onRemove={() => annotations.remove(annotation.id)}
      />
      <span>{t("viewer.arch.root.size", { neck: formatNumber(wide * 2, 1), apex: formatNumber(thin * 2, 1) })}</span>
      {isChosen && <RootFields arch={arch} root={root} />}
    </div>
  );
}

function RootFields({ arch, root: { annotation, tooth, root } }: Pick<PlanParts, "arch"> & { root: DrawnRoot }) {
  const t = useTexts("viewer");
  const { teeth } = useAppearance();
  const { wide, thin } = root;
  return (
    <>
      <Select
        size="xs"
        searchable
        clearable
        comboboxProps={{ withinPortal: false }}
        label={t("viewer.arch.root.tooth")}
        value={tooth === null ? null : String(tooth)}
        onChange={(value) => arch.alter({ ...annotation, text: value }, true)}
        data={[...upperTeeth, ...lowerTeeth].map((fdi) => ({ value: String(fdi), label: toothName(fdi, teeth) }))}
      />
      <Group gap="xs" grow wrap="nowrap" align="end">
        {(
          [
            ["diameter", "neckWidth", wide],
            ["tip", "apexWidth", thin],
          ] as const
        ).map(([setting, label, radius]) => (
          <NumberInput
            key={setting}
            size="xs"
            label={t(`viewer.arch.root.${label}`)}
            min={0.5}
            max={12}
            step={0.5}
            value={radius * 2}
            onChange={(typed) =>
              typeof typed === "number" &&
              typed >= 0.5 &&
              arch.alter({ ...annotation, settings: { ...annotation.settings, [setting]: typed } }, true)
            }
          />
        ))}
      </Group>
    </>
  );
}
