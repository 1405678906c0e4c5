import { Button, Group, NumberInput, SegmentedControl, Slider, Stack, Text } from "@mantine/core";
import { planeNames } from "@arcada/imaging/view/plane-view";
import { rescaleValue, rescaleWindow } from "@arcada/imaging/view/rescale-to-grey-values";
import { getLineAngle, isUnrotated } from "@arcada/imaging/view/oblique-planes";
import { useTexts } from "../../../i18n/texts.ts";
import { slabModes } from "./slab-modes.ts";
import { maxSlabMm, type CtControls } from "../use-ct-controls.ts";
import type { VolumeStore } from "../loading/volume-store.ts";
import type { SlabMode } from "@arcada/imaging/gl/volume-viewport-renderer";

/** Centre and width of the window, typed in grey values. */
export function WindowForm({ store, controls }: { store: VolumeStore; controls: CtControls }) {
  const t = useTexts("viewer");
  const { info } = store;
  const { window } = controls.displaySettings;
  const { center, width } = rescaleWindow(info, window);
  const set = (change: { center?: number; width?: number }) => controls.setWindow({ ...window, ...change });
  return (
    <Stack gap="xs" w={200}>
      <NumberInput
        size="xs"
        label={t("viewer.window.center")}
        value={center}
        step={Math.max(1, Math.round(width / 50))}
        onChange={(typed) => typeof typed === "number" && set({ center: (typed - info.valueOffset) / info.valueScale })}
      />
      <NumberInput
        size="xs"
        label={t("viewer.window.width")}
        value={width}
        min={1}
        step={Math.max(1, Math.round(width / 50))}
        onChange={(typed) => typeof typed === "number" && typed > 0 && set({ width: typed / info.valueScale })}
      />
      <Text size="xs" c="dimmed">
        {t(`viewer.valueName.${info.valueName}`)}: {rescaleValue(info, info.min)} … {rescaleValue(info, info.max)}
      </Text>
    </Stack>
  );
}

const sliderMarks = [0, 10, 20, 40];

/** Sets the thickness of the planes, in mm, and the value of a slab that is shown. */
export function SlabForm({ controls }: { controls: CtControls }) {
  const t = useTexts("viewer");
  const { slab, slabMode } = controls.displaySettings;
  return (
    <Stack gap="md" w={260}>
      <SegmentedControl<SlabMode>
        size="xs"
        fullWidth
        aria-label={t("viewer.slab.values")}
        value={slabMode}
        onChange={(mode) => controls.setSlab(slab, mode)}
        data={slabModes.map((value) => ({ value, label: t(`viewer.slab.mode.${value}`) }))}
      />
      <Group gap="md" wrap="nowrap" pb="md">
        <Slider
          flex={1}
          min={0}
          max={maxSlabMm}
          step={0.5}
          thumbLabel={t("viewer.slab.title")}
          value={slab}
          onChange={(mm) => controls.setSlab(mm)}
          marks={sliderMarks.map((value) => ({ value, label: value }))}
          label={null}
        />
        <NumberInput
          size="xs"
          w={84}
          aria-label={t("viewer.slab.title")}
          min={0}
          max={maxSlabMm}
          step={0.5}
          decimalScale={1}
          value={slab}
          suffix=" mm"
          onChange={(mm) => typeof mm === "number" && controls.setSlab(mm)}
        />
      </Group>
    </Stack>
  );
}

/** The planes' angles, typed in degrees. */
export function RotationForm({ controls }: { controls: CtControls }) {
  const t = useTexts("viewer");
  const { planes, rotate, straighten } = controls;
  const straight = isUnrotated(planes);
  return (
    <Stack gap="xs" w={200}>
      {planeNames.map((name) => {
        const angle = getLineAngle(planes, name);
        return (
          <NumberInput
            key={name}
            size="xs"
            label={t("viewer.turn.in", { plane: t(`viewer.plane.${name}`) })}
            value={Number(angle.toFixed(1))}
            min={-180}
            max={180}
            step={1}
            decimalScale={1}
            suffix="°"
            onChange={(typed) => typeof typed === "number" && rotate(name, typed - angle)}
          />
        );
      })}
      <Button size="xs" variant="light" disabled={straight} onClick={straighten}>
        {t("viewer.turn.straighten")}
      </Button>
    </Stack>
  );
}
