import { Group, NumberInput, SegmentedControl, Slider, Stack, Text } from "@mantine/core";
import { IconAdjustments, IconStack2 } from "@tabler/icons-react";
import type { SlabMode } from "@arcada/imaging/gl/volume-painter";
import { trueValue, trueWindow } from "@arcada/imaging/view/true-value";
import { useTexts } from "../../kernel/texts.ts";
import { ToolPanel } from "../frame/tool-panel.tsx";
import { thickest, type CtControls } from "./use-ct-controls.ts";
import type { VolumeStore } from "./volume-store.ts";

/** Centre and width of the window, typed in grey values. */
export function WindowPanel({ store, controls }: { store: VolumeStore; controls: CtControls }) {
  const t = useTexts("viewer");
  const { info } = store;
  const { window } = controls.look;
  const { center, width } = trueWindow(info, window);
  const set = (change: { center?: number; width?: number }) => controls.setWindow({ ...window, ...change });
  return (
    <ToolPanel label={t("viewer.window.typed")} icon={IconAdjustments}>
      <Stack gap="xs" w={200}>
        <NumberInput
          size="xs"
          label={t("viewer.window.center")}
          value={center}
          step={Math.max(1, Math.round(width / 50))}
          onChange={(typed) =>
            typeof typed === "number" && set({ center: (typed - info.valueOffset) / info.valueScale })
          }
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
          {t(`viewer.valueName.${info.valueName}`)}: {trueValue(info, info.min)} … {trueValue(info, info.max)}
        </Text>
      </Stack>
    </ToolPanel>
  );
}

const slabModes = ["max", "mean", "min"] as const satisfies readonly SlabMode[];
const marked = [0, 10, 20, 40];

/** How thick the planes are and which of the values in a slab is shown. */
export function SlabPanel({ controls }: { controls: CtControls }) {
  const t = useTexts("viewer");
  const { slab, slabMode } = controls.look;
  return (
    <ToolPanel label={t("viewer.slab.title")} icon={IconStack2} isOn={slab > 0}>
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
            max={thickest}
            step={0.5}
            thumbLabel={t("viewer.slab.title")}
            value={slab}
            onChange={(mm) => controls.setSlab(mm)}
            marks={marked.map((value) => ({ value, label: value }))}
            label={null}
          />
          <NumberInput
            size="xs"
            w={84}
            aria-label={t("viewer.slab.title")}
            min={0}
            max={thickest}
            step={0.5}
            decimalScale={1}
            value={slab}
            suffix=" mm"
            onChange={(mm) => typeof mm === "number" && controls.setSlab(mm)}
          />
        </Group>
      </Stack>
    </ToolPanel>
  );
}

export const slabKeys = ({ look: { slab, slabMode }, setSlab }: CtControls) => ({
  B: () => setSlab(slab + 1),
  "Shift+B": () => setSlab(slab - 1),
  M: () => setSlab(slab, slabModes[(slabModes.findIndex((mode) => mode === slabMode) + 1) % slabModes.length]),
});
