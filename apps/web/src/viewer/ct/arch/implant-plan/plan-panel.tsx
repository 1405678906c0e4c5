import { Group, NumberInput, SegmentedControl, Stack, Text } from "@mantine/core";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { CanalTraceNote } from "../canal/canal-trace-note.tsx";
import { ImplantRow } from "./implant-row.tsx";
import type { Canal } from "./implant-plan.ts";
import styles from "./plan-panel.module.css";
import { PlanRowHeader } from "./plan-row-header.tsx";
import { safetyDistanceKinds, listUnchecked } from "./plan-warnings.ts";
import { RootRow } from "./tooth-root-row.tsx";
import { ImplantSizeFields } from "./implant-size-fields.tsx";
import type { PlanParts } from "./plan-props.ts";

/** Canals and implants with their values; the size of the next implant, and the warning distances. */
export function PlanPanel(parts: PlanParts) {
  const t = useTexts("viewer");
  const { arch } = parts;
  return (
    <Stack gap="xs">
      <Text size="xs" fw={600}>
        {t("viewer.arch.implant.next")}
      </Text>
      <ImplantSizeFields size={arch.size} onSize={arch.setSize} />
      {arch.implants.map((implant, at) => (
        <ImplantRow key={implant.annotation.id} {...parts} implant={implant} number={at + 1} />
      ))}
      {arch.canals.map((canal) => (
        <CanalRow key={canal.annotation.id} {...parts} canal={canal} />
      ))}
      {arch.roots.map((root, at) => (
        <RootRow key={root.annotation.id} {...parts} root={root} number={at + 1} />
      ))}
      {arch.implants.length > 0 && (
        <ul className={styles.unchecked} aria-label={t("viewer.arch.unchecked.title")}>
          {listUnchecked(t, arch).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <SafetyDistanceFields {...parts} />
    </Stack>
  );
}

function CanalRow({ arch, controls, drawing, annotations, canal }: PlanParts & { canal: Canal }) {
  const t = useTexts("viewer");
  const { annotation, points, side, tube } = canal;
  const isChosen = drawing.chosen === annotation.id;
  const saveSettings = (settings: NonNullable<typeof annotation.settings>) =>
    arch.alter({ ...annotation, settings: { ...annotation.settings, ...settings } }, true);
  return (
    <div className={isChosen ? styles.chosen : styles.row}>
      <PlanRowHeader
        name={t(`viewer.arch.canal.${side}`)}
        onChoose={() => {
          controls.setCrosshair(points[Math.floor(points.length / 2)] ?? controls.crosshair);
          drawing.choose(annotation.id);
        }}
        onRemove={() => annotations.remove(annotation.id)}
      />
      <span>
        {t("viewer.arch.canal.size", {
          diameter: formatNumber(tube.radius * 2, 1),
          length: formatNumber(tube.line.length, 1),
        })}
      </span>
      <CanalTraceNote arch={arch} canal={canal} />
      {isChosen && (
        <Group gap="xs" grow wrap="nowrap" align="end">
          <NumberInput
            size="xs"
            label={t("viewer.arch.implant.diameter")}
            min={0.5}
            max={8}
            step={0.1}
            value={tube.radius * 2}
            onChange={(typed) => typeof typed === "number" && typed >= 0.5 && saveSettings({ diameter: typed })}
          />
          <SegmentedControl
            size="xs"
            aria-label={t("viewer.arch.canal.sideOf")}
            value={side}
            onChange={(value) => saveSettings({ side: value })}
            data={(["right", "left"] as const).map((value) => ({ value, label: t(`viewer.view.${value}`) }))}
          />
        </Group>
      )}
    </div>
  );
}

function SafetyDistanceFields({ arch: { safetyDistances, setSafetyDistances } }: PlanParts) {
  const t = useTexts("viewer");
  return (
    <Group gap="xs" grow wrap="nowrap" align="end">
      {safetyDistanceKinds.map((name) => (
        <NumberInput
          key={name}
          size="xs"
          label={t(`viewer.arch.gap.${name}`)}
          min={0.5}
          max={10}
          step={0.5}
          value={safetyDistances[name]}
          onChange={(typed) =>
            typeof typed === "number" && typed >= 0.5 && setSafetyDistances({ ...safetyDistances, [name]: typed })
          }
        />
      ))}
    </Group>
  );
}
