import { IconRotate2 } from "@tabler/icons-react";
import { lazy } from "react";
import type { planeNames } from "@arcada/imaging/view/plane-view";
import { isUnrotated } from "@arcada/imaging/view/oblique-planes";
import { useTexts } from "../../../i18n/texts.ts";
import { ToolPanel } from "../../ui/toolbar/tool-panel.tsx";
import type { CtControls } from "../use-ct-controls.ts";

const RotationForm = lazy(async () => ({ default: (await import("./display-settings-forms.tsx")).RotationForm }));

export function RotationPanel({ controls }: { controls: CtControls }) {
  const t = useTexts("viewer");
  return (
    <ToolPanel label={t("viewer.turn.title")} icon={IconRotate2} isOn={!isUnrotated(controls.planes)}>
      <RotationForm controls={controls} />
    </ToolPanel>
  );
}

export const buildRotationShortcuts = (
  { rotate, straighten }: CtControls,
  name: (typeof planeNames)[number] | null,
) => ({
  X: () => name && rotate(name, 1),
  Z: () => name && rotate(name, -1),
  "Shift+X": () => name && rotate(name, 10),
  "Shift+Z": () => name && rotate(name, -10),
  "Shift+R": straighten,
});
