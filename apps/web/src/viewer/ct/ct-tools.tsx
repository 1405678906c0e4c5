import {
  IconArrowsVertical,
  IconContrast2,
  IconContrastFilled,
  IconCrosshair,
  IconHandStop,
  IconLayoutGrid,
  IconRefresh,
  IconSparkles,
  IconStack2,
} from "@tabler/icons-react";
import { useTexts, type Translate } from "../../kernel/texts.ts";
import { useShortcuts, type Keys } from "../frame/shortcuts.ts";
import { Tool, ToolGap, Toolbar, ToolMenu, type MenuRow } from "../frame/toolbar.tsx";
import { ToolChoice, toolKeys, type ToolRow } from "../frame/toolbar-choice.tsx";
import { ZoomTools, zoomKeys } from "../frame/zoom-tools.tsx";
import { planeNames } from "@arcada/imaging/view/plane";
import { MarkTools, markKeys, markRows } from "../marks/mark-tools.tsx";
import type { Marks } from "../marks/use-marks.ts";
import { presetNames, presetWindow } from "./presets.ts";
import type { CtControls, CtTool } from "./use-ct-controls.ts";
import type { PlaneDrawing } from "./use-plane-marks.ts";
import type { VolumeStore } from "./volume-store.ts";

const tools: ToolRow<CtTool> = [
  { name: "cross", icon: IconCrosshair, keys: "C" },
  { name: "window", icon: IconContrastFilled, keys: "W" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  { name: "scroll", icon: IconArrowsVertical, keys: "S" },
  ...markRows(["length", "angle"]),
];

interface Props {
  store: VolumeStore;
  controls: CtControls;
  marks: Marks;
  drawing: PlaneDrawing;
}

export function CtTools({ store, controls, marks, drawing }: Props) {
  const t = useTexts("viewer");
  const presets = presetNames.map((name, at) => ({
    key: name,
    label: t(`viewer.window.${name}`),
    keys: String(at + 1),
    onPress: () => controls.setWindow(presetWindow(name, store)),
  }));
  useShortcuts({
    ...toolKeys(tools, controls.setTool),
    ...Object.fromEntries(presets.map(({ keys, onPress }) => [keys, onPress])),
    ...planeKeys(controls),
    ...markKeys(marks, drawing),
  });
  return (
    <Toolbar>
      <ToolChoice rows={tools} now={controls.tool} onTool={controls.setTool} />
      <ToolGap />
      <ToolMenu label={t("viewer.window.presets")} icon={IconSparkles} items={presets} />
      <Tool
        label={t("viewer.invert")}
        icon={IconContrast2}
        keys="I"
        isOn={controls.look.inverted}
        onPress={controls.invert}
      />
      <ToolMenu label={t("viewer.slab.title")} icon={IconStack2} items={slabRows(t, controls)} />
      <ToolGap />
      <ViewTools controls={controls} />
      <ToolGap />
      <MarkTools marks={marks} drawing={drawing} />
    </Toolbar>
  );
}

function ViewTools({ controls }: { controls: CtControls }) {
  const t = useTexts("viewer");
  const { active, large } = controls;
  return (
    <>
      <ZoomTools {...zooming(controls)} />
      <Tool
        label={t("viewer.onePlane")}
        icon={IconLayoutGrid}
        keys="V"
        isOn={large !== null}
        onPress={() => controls.toggleLarge(large ?? active)}
      />
      <Tool label={t("viewer.reset")} icon={IconRefresh} keys="R" onPress={controls.reset} />
    </>
  );
}

/** Buttons and keys zoom the plane that is worked on, around its middle. */
const zooming = ({ active, zoom, fit }: CtControls) => ({
  zoom: (factor: number) => zoom(active, null, factor, [0, 0]),
  fit,
});

const slabs = [2, 5, 10, 20] as const;

function slabRows(t: Translate, { look, setSlab }: CtControls): MenuRow[] {
  const off = { key: "off", label: t("viewer.slab.off"), isOn: look.slab === 0, onPress: () => setSlab(0, "max") };
  const thick = (["max", "mean"] as const).flatMap((mode) =>
    slabs.map((mm) => ({
      key: `${mode}${mm}`,
      label: t(`viewer.slab.${mode}`, { mm }),
      isOn: look.slab === mm && look.slabMode === mode,
      onPress: () => setSlab(mm, mode),
    })),
  );
  return [off, ...thick];
}

function planeKeys(controls: CtControls): Keys {
  const { active } = controls;
  const step = (slices: number) => () => controls.scroll(active, slices, () => {});
  return {
    ...zoomKeys(zooming(controls)),
    I: controls.invert,
    R: controls.reset,
    V: () => controls.toggleLarge(controls.large ?? active),
    P: () => controls.activate(planeNames[(planeNames.indexOf(active) + 1) % planeNames.length] ?? "axial"),
    ArrowUp: step(-1),
    ArrowDown: step(1),
    PageUp: step(-10),
    PageDown: step(10),
    Home: step(-100_000),
    End: step(100_000),
  };
}
