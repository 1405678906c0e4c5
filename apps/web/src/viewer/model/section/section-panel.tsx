import { Button, Group, SegmentedControl, Slider, Stack, Text } from "@mantine/core";
import { sectionSides, type SectionSide, type ShownSection } from "../rendering/model-display-settings.ts";
import { formatNumber } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useShortcuts } from "../../ui/input/shortcuts.ts";
import { formatMeasurement } from "../../annotations/labels/format-measurement.ts";
import styles from "../side-panel.module.css";
import { times } from "@arcada/imaging/geometry/vector";
import type { SceneModel } from "../scene-model.ts";
import type { CameraControls } from "../rendering/use-model-camera.ts";
import type { ModelDisplayControls } from "../rendering/use-model-display-settings.ts";
import { sectionDirections, type Section } from "./use-section.ts";

interface Props {
  section: Section;
  models: readonly SceneModel[];
  displaySettings: ModelDisplayControls;
  controls: CameraControls;
}

/** A section plane through the models: its position, the part that is left, and the length of its lines. */
export function SectionPanel({ section, models, displaySettings, controls }: Props) {
  const t = useTexts("viewer");
  const { shown, direction } = section;
  return (
    <Stack gap="xs">
      <Group gap={4}>
        {sectionDirections.map((name) => (
          <Button
            key={name}
            size="xs"
            variant={direction === name ? "filled" : "default"}
            aria-pressed={direction === name}
            onClick={() => section.begin(name)}
          >
            {t(`viewer.model.section.way.${name}`)}
          </Button>
        ))}
      </Group>
      {shown ? (
        <>
          <PlaneForm section={section} shown={shown} controls={controls} />
          <LineLengths section={section} models={models} displaySettings={displaySettings} />
        </>
      ) : (
        <Text className={styles.note ?? ""}>{t("viewer.model.section.help")}</Text>
      )}
    </Stack>
  );
}

function PlaneForm({ section, shown, controls }: Omit<Props, "models" | "displaySettings"> & { shown: ShownSection }) {
  const t = useTexts("viewer");
  const { plane, side } = shown;
  const { least, most } = section.reach;
  const acts = [
    ["flip", section.flip],
    // Turns the camera to the side that was cut away, so that the cut is visible.
    [
      "face",
      () =>
        controls.camera &&
        controls.faceDirection(controls.camera.target, times(plane.normal, side === "above" ? -1 : 1)),
    ],
    ["end", section.end],
  ] as const;
  return (
    <>
      <Text className={styles.label ?? ""}>
        {t("viewer.model.section.place", { mm: formatNumber(plane.offset - least, 1) })}
      </Text>
      <Slider
        size="sm"
        min={least}
        max={most}
        step={0.1}
        value={plane.offset}
        label={null}
        thumbLabel={t("viewer.model.section.move")}
        onChange={section.moveTo}
      />
      <Text className={styles.label ?? ""}>{t("viewer.model.section.keep")}</Text>
      <SegmentedControl
        size="sm"
        orientation="vertical"
        fullWidth
        aria-label={t("viewer.model.section.keep")}
        value={side}
        onChange={(name) => section.setSide(name as SectionSide)}
        data={sectionSides.map((value) => ({ value, label: t(`viewer.model.section.side.${value}`) }))}
      />
      <Group gap={4}>
        {acts.map(([name, act]) => (
          <Button key={name} size="xs" variant="default" onClick={act}>
            {t(`viewer.model.section.${name}`)}
          </Button>
        ))}
      </Group>
    </>
  );
}

/** `[` and `]` move the plane by half a millimetre, with shift by five. */
export function SectionKeys({ section }: { section: Section }) {
  const { shown } = section;
  const by = (mm: number) => (shown ? () => section.moveBy(mm) : undefined);
  useShortcuts({
    X: () => (shown ? section.end() : section.begin("up")),
    "[": by(-0.5),
    "]": by(0.5),
    "{": by(-5),
    "}": by(5),
  });
  return null;
}

function LineLengths({ section, models, displaySettings }: Omit<Props, "controls">) {
  const t = useTexts("viewer");
  const rows = models.flatMap(({ id, name }) => {
    const lines = section.shown?.contours.get(id) ?? [];
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    return lines.length > 0 && displaySettings.get(id).isVisible
      ? [{ id, name, length, isClosed: lines.every(({ isClosed }) => isClosed) }]
      : [];
  });
  if (rows.length === 0) return <Text className={styles.note ?? ""}>{t("viewer.model.section.misses")}</Text>;
  return (
    <Stack gap={2}>
      <Text className={styles.label ?? ""}>{t("viewer.model.section.lengths")}</Text>
      {rows.map(({ id, name, length, isClosed }) => (
        <div key={id} className={styles.row}>
          <span className={styles.sign} style={{ background: displaySettings.get(id).line }} aria-hidden />
          <span className={styles.name} title={name}>
            {name}
          </span>
          <span>
            {formatMeasurement(t, { value: length, unit: "mm" })} ·{" "}
            {t(`viewer.model.section.${isClosed ? "closed" : "open"}`)}
          </span>
        </div>
      ))}
      <Text className={styles.note ?? ""}>{t("viewer.model.section.measure")}</Text>
    </Stack>
  );
}
