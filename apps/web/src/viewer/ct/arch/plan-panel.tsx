import { Group, NumberInput, SegmentedControl, Stack, Text } from "@mantine/core";
import { showNumber } from "../../../kernel/format.ts";
import { useTexts } from "../../../kernel/texts.ts";
import type { CtParts } from "../layout/pane-props.ts";
import { ImplantRow } from "./implant-row.tsx";
import type { Canal } from "./plan.ts";
import styles from "./plan-panel.module.css";
import { RowHead } from "./plan-row.tsx";
import { gapNames, uncheckedOf } from "./plan-warnings.ts";
import { RootRow } from "./root-row.tsx";
import { SizeFields } from "./size-fields.tsx";

export type PlanParts = Pick<CtParts, "arch" | "controls" | "drawing" | "marks">;

/** Canals and implants with their values; the size of the next implant, and the warning distances. */
export function PlanPanel(parts: PlanParts) {
  const t = useTexts("viewer");
  const { arch } = parts;
  return (
    <Stack gap="xs">
      <Text size="xs" fw={600}>
        {t("viewer.arch.implant.next")}
      </Text>
      <SizeFields size={arch.size} onSize={arch.setSize} />
      {arch.implants.map((implant, at) => (
        <ImplantRow key={implant.mark.id} {...parts} implant={implant} number={at + 1} />
      ))}
      {arch.canals.map((canal) => (
        <CanalRow key={canal.mark.id} {...parts} canal={canal} />
      ))}
      {arch.roots.map((root, at) => (
        <RootRow key={root.mark.id} {...parts} root={root} number={at + 1} />
      ))}
      {arch.implants.length > 0 && (
        <ul className={styles.unchecked} aria-label={t("viewer.arch.unchecked.title")}>
          {uncheckedOf(t, arch).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <GapFields {...parts} />
    </Stack>
  );
}

function CanalRow({ arch, controls, drawing, marks, canal }: PlanParts & { canal: Canal }) {
  const t = useTexts("viewer");
  const { mark, points, side, tube } = canal;
  const isChosen = drawing.chosen === mark.id;
  const keep = (settings: NonNullable<typeof mark.settings>) =>
    arch.alter({ ...mark, settings: { ...mark.settings, ...settings } }, true);
  return (
    <div className={isChosen ? styles.chosen : styles.row}>
      <RowHead
        name={t(`viewer.arch.canal.${side}`)}
        onChoose={() => {
          controls.setCross(points[Math.floor(points.length / 2)] ?? controls.cross);
          drawing.choose(mark.id);
        }}
        onRemove={() => marks.remove(mark.id)}
      />
      <span>
        {t("viewer.arch.canal.size", {
          diameter: showNumber(tube.radius * 2, 1),
          length: showNumber(tube.line.length, 1),
        })}
      </span>
      {isChosen && (
        <Group gap="xs" grow wrap="nowrap" align="end">
          <NumberInput
            size="xs"
            label={t("viewer.arch.implant.diameter")}
            min={0.5}
            max={8}
            step={0.1}
            value={tube.radius * 2}
            onChange={(typed) => typeof typed === "number" && typed >= 0.5 && keep({ diameter: typed })}
          />
          <SegmentedControl
            size="xs"
            aria-label={t("viewer.arch.canal.sideOf")}
            value={side}
            onChange={(value) => keep({ side: value })}
            data={(["right", "left"] as const).map((value) => ({ value, label: t(`viewer.view.${value}`) }))}
          />
        </Group>
      )}
    </div>
  );
}

function GapFields({ arch: { gaps, setGaps } }: PlanParts) {
  const t = useTexts("viewer");
  return (
    <Group gap="xs" grow wrap="nowrap" align="end">
      {gapNames.map((name) => (
        <NumberInput
          key={name}
          size="xs"
          label={t(`viewer.arch.gap.${name}`)}
          min={0.5}
          max={10}
          step={0.5}
          value={gaps[name]}
          onChange={(typed) => typeof typed === "number" && typed >= 0.5 && setGaps({ ...gaps, [name]: typed })}
        />
      ))}
    </Group>
  );
}
