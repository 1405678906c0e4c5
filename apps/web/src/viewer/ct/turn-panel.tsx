import { IconRotate2 } from "@tabler/icons-react";
import { lazy } from "react";
import type { planeNames } from "@arcada/imaging/view/plane";
import { isStraight } from "@arcada/imaging/view/turned-planes";
import { useTexts } from "../../kernel/texts.ts";
import { ToolPanel } from "../frame/tool-panel.tsx";
import type { CtControls } from "./use-ct-controls.ts";

const TurnForm = lazy(async () => ({ default: (await import("./look-forms.tsx")).TurnForm }));

export function TurnPanel({ controls }: { controls: CtControls }) {
  const t = useTexts("viewer");
  return (
    <ToolPanel label={t("viewer.turn.title")} icon={IconRotate2} isOn={!isStraight(controls.planes)}>
      <TurnForm controls={controls} />
    </ToolPanel>
  );
}

export const turnKeys = ({ turn, straighten }: CtControls, name: (typeof planeNames)[number] | null) => ({
  X: () => name && turn(name, 1),
  Z: () => name && turn(name, -1),
  "Shift+X": () => name && turn(name, 10),
  "Shift+Z": () => name && turn(name, -10),
  "Shift+R": straighten,
});
