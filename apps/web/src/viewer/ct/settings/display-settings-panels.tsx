import { IconAdjustments, IconStack2 } from "@tabler/icons-react";
import { lazy } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { ToolPanel } from "../../ui/toolbar/tool-panel.tsx";
import { slabModes } from "./slab-modes.ts";
import type { CtControls } from "../use-ct-controls.ts";
import type { VolumeStore } from "../loading/volume-store.ts";

const WindowForm = lazy(async () => ({ default: (await import("./display-settings-forms.tsx")).WindowForm }));
const SlabForm = lazy(async () => ({ default: (await import("./display-settings-forms.tsx")).SlabForm }));

export function WindowPanel(parts: { store: VolumeStore; controls: CtControls }) {
  const t = useTexts("viewer");
  return (
    <ToolPanel label={t("viewer.window.typed")} icon={IconAdjustments}>
      <WindowForm {...parts} />
    </ToolPanel>
  );
}

export function SlabPanel({ controls }: { controls: CtControls }) {
  const t = useTexts("viewer");
  return (
    <ToolPanel label={t("viewer.slab.title")} icon={IconStack2} isOn={controls.displaySettings.slab > 0}>
      <SlabForm controls={controls} />
    </ToolPanel>
  );
}

export const buildSlabShortcuts = ({ displaySettings: { slab, slabMode }, setSlab }: CtControls) => ({
  B: () => setSlab(slab + 1),
  "Shift+B": () => setSlab(slab - 1),
  M: () => setSlab(slab, slabModes[(slabModes.findIndex((mode) => mode === slabMode) + 1) % slabModes.length]),
});
