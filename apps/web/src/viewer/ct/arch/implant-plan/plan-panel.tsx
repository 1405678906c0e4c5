import { Button, Group, NumberInput, SegmentedControl, Stack, Text } from "@mantine/core";
import { formatNumber } from "../../../../i18n/format.ts";
import { useTexts } from "../../../../i18n/texts.ts";
import { ImplantRow } from "./implant-row.tsx";
import type { Canal } from "./implant-plan.ts";
import styles from "./plan-panel.module.css";
import { PlanRowHeader } from "./plan-row-header.tsx";
import { listUnchecked } from "./plan-warnings.ts";
import { RootRow } from "./tooth-root-row.tsx";
import { ImplantSizeFields } from "./implant-size-fields.tsx";
import { ParallelismRows } from "./parallelism-rows.tsx";
import { PlanDocuments } from "./plan-report/plan-documents.tsx";
import { SafetyDistanceFields } from "./safety-distance-fields.tsx";
import { SinusRow } from "./sinus-row.tsx";
import type { CtViewerState } from "../../layout/viewport-props.ts";
import type { PlanParts } from "./plan-props.ts";

/** The panel also makes documents, for which it needs the volume itself. */
type PlanPanelParts = PlanParts & Pick<CtViewerState, "store" | "series">;

/** Canals and implants with their values; the size of the next implant, and the warning distances. */
export function PlanPanel(parts: PlanPanelParts) {
  const t = useTexts("viewer", "implant");
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
      {arch.sinuses.map((sinus) => (
        <SinusRow key={sinus.annotation.id} {...parts} sinus={sinus} />
      ))}
      {arch.roots.map((root, at) => (
        <RootRow key={root.annotation.id} {...parts} root={root} number={at + 1} />
      ))}
      {arch.implants.length > 0 && (
        <ul className={styles.unchecked} aria-label={t("viewer.arch.unchecked.title")}>
          {listUnchecked(t, arch, arch.up).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      <Group>
        <Button size="compact-xs" variant="light" onClick={() => parts.controls.setTool("sinus")}>
          {t("implant.sinus.draw")}
        </Button>
      </Group>
      <ParallelismRows {...parts} />
      <SafetyDistanceFields {...parts} />
      {arch.implants.length > 0 && <PlanDocuments {...parts} />}
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
