import { Button, Group, NumberInput, SegmentedControl, Text } from "@mantine/core";
import { useId } from "react";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { CanalTraceNote } from "../canal/canal-trace-note.tsx";
import type { Canal } from "./implant-plan.ts";
import styles from "./plan-panel.module.css";
import { PlanRowHeader } from "./plan-row-header.tsx";
import { listUnchecked } from "./plan-warnings.ts";
import { SuggestedRows } from "./suggestions/suggested-rows.tsx";
import { RootRow } from "./tooth-root-row.tsx";
import type { PlanParts } from "./plan-props.ts";

/** Canals, sinus floors and roots, and what was not checked since nobody has drawn it. */
export function DrawnStructures(parts: PlanParts) {
  const t = useTexts("viewer", "implant");
  const { arch, controls } = parts;
  const uncheckedId = useId();
  return (
    <>
      <SuggestedRows {...parts} />
      {arch.canals.map((canal) => (
        <CanalRow key={canal.annotation.id} {...parts} canal={canal} />
      ))}
      {arch.sinuses.map((sinus) => (
        <SinusRow key={sinus.annotation.id} {...parts} sinus={sinus} />
      ))}
      {arch.roots.map((root, at) => (
        <RootRow key={root.annotation.id} {...parts} root={root} number={at + 1} />
      ))}
      {arch.implants.length > 0 && (
        <div>
          <Text size="xs" fw={600} id={uncheckedId}>
            {t("implant.unchecked.title")}
          </Text>
          <ul className={styles.unchecked} aria-labelledby={uncheckedId}>
            {listUnchecked(t, arch, arch.up).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      <Group>
        <Button size="compact-xs" variant="light" onClick={() => controls.setTool("sinus")}>
          {t("implant.sinus.draw")}
        </Button>
      </Group>
    </>
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

/** A drawn floor of a maxillary sinus. */
function SinusRow({ controls, drawing, annotations, sinus }: PlanParts & { sinus: Canal }) {
  const t = useTexts("implant");
  const { annotation, points, side, tube } = sinus;
  return (
    <div className={drawing.chosen === annotation.id ? styles.chosen : styles.row}>
      <PlanRowHeader
        name={t(`implant.sinus.${side}`)}
        onChoose={() => {
          controls.setCrosshair(points[Math.floor(points.length / 2)] ?? controls.crosshair);
          drawing.choose(annotation.id);
        }}
        onRemove={() => annotations.remove(annotation.id)}
      />
      <span>{t("implant.sinus.length", { length: formatNumber(tube.line.length, 1) })}</span>
    </div>
  );
}
