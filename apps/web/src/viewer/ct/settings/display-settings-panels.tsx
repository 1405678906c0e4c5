import { IconAdjustments, IconRotate2, IconStack2 } from "@tabler/icons-react";
import { isUnrotated } from "@arcada/imaging/view/oblique-planes";
import type { PlaneName } from "@arcada/imaging/view/plane-view";
import type { Translate } from "../../../i18n/texts.ts";
import type { ViewerTool } from "../../ui/modes/viewer-tool.ts";
import { lazyForm } from "../../ui/toolbar/lazy-form.tsx";
import { slabModes } from "./slab-modes.ts";
import type { CtControls } from "../use-ct-controls.ts";
import type { VolumeStore } from "../loading/volume-store.ts";

const loadForms = () => import("./display-settings-forms.tsx");
const WindowForm = lazyForm(async () => (await loadForms()).WindowForm);
const SlabForm = lazyForm(async () => (await loadForms()).SlabForm);
const RotationForm = lazyForm(async () => (await loadForms()).RotationForm);

/** The forms for window values, slab thickness and the rotation of the planes. */
export const buildDisplayTools = (
  t: Translate,
  store: VolumeStore,
  controls: CtControls,
): [window: ViewerTool, slab: ViewerTool, rotation: ViewerTool] => [
  {
    id: "windowValues",
    label: t("viewer.window.typed"),
    icon: IconAdjustments,
    panel: <WindowForm store={store} controls={controls} />,
  },
  {
    id: "slab",
    label: t("viewer.slab.title"),
    icon: IconStack2,
    isOn: controls.displaySettings.slab > 0,
    panel: <SlabForm controls={controls} />,
  },
  {
    id: "rotation",
    label: t("viewer.turn.title"),
    icon: IconRotate2,
    isOn: !isUnrotated(controls.planes),
    panel: <RotationForm controls={controls} />,
  },
];

export const buildSlabShortcuts = ({ displaySettings: { slab, slabMode }, setSlab }: CtControls) => ({
  B: () => setSlab(slab + 1),
  "Shift+B": () => setSlab(slab - 1),
  M: () => setSlab(slab, slabModes[(slabModes.findIndex((mode) => mode === slabMode) + 1) % slabModes.length]),
});

export const buildRotationShortcuts = ({ rotate, straighten }: CtControls, name: PlaneName | null) => ({
  X: () => name && rotate(name, 1),
  Z: () => name && rotate(name, -1),
  "Shift+X": () => name && rotate(name, 10),
  "Shift+Z": () => name && rotate(name, -10),
  "Shift+R": straighten,
});
