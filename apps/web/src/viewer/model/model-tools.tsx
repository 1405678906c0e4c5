import { Button } from "@mantine/core";
import { IconHandStop, IconRotate3d, IconRuler2, IconSun } from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import { useShortcuts, type Keys } from "../frame/shortcuts.ts";
import { Tool, ToolGap, Toolbar } from "../frame/toolbar.tsx";
import { ToolChoice, toolKeys, type ToolRow } from "../frame/toolbar-choice.tsx";
import { ZoomTools, zoomKeys } from "../frame/zoom-tools.tsx";
import { viewNames } from "@arcada/imaging/view/model-camera";
import { MarkTools, markKeys } from "../marks/mark-tools.tsx";
import type { Marks } from "../marks/use-marks.ts";
import type { ModelControls } from "./use-model-camera.ts";
import type { ModelDrawing } from "./use-model-marks.ts";

export type ModelTool = "turn" | "pan" | "length";

const tools: ToolRow<ModelTool> = [
  { name: "turn", icon: IconRotate3d, keys: "T" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  { name: "length", icon: IconRuler2, keys: "L" },
];

interface Props {
  tool: ModelTool;
  onTool: (tool: ModelTool) => void;
  controls: ModelControls;
  marks: Marks;
  drawing: ModelDrawing;
  isLight: boolean;
  onLight: () => void;
}

export function ModelTools({ tool, onTool, controls, marks, drawing, isLight, onLight }: Props) {
  const t = useTexts("viewer");
  useShortcuts({ ...toolKeys(tools, onTool), ...cameraKeys(controls), ...markKeys(marks, drawing), B: onLight });
  return (
    <Toolbar>
      <ToolChoice rows={tools} now={tool} onTool={onTool} />
      <ToolGap />
      <ViewButtons controls={controls} />
      <ToolGap />
      <ZoomTools zoom={controls.zoom} fit={controls.fit} />
      <Tool label={t("viewer.lightGround")} icon={IconSun} keys="B" isOn={isLight} onPress={onLight} />
      <ToolGap />
      <MarkTools marks={marks} drawing={drawing} />
    </Toolbar>
  );
}

function ViewButtons({ controls }: { controls: ModelControls }) {
  const t = useTexts("viewer");
  return viewNames.map((name, at) => {
    const isOn = controls.view === name;
    return (
      <Button
        key={name}
        size="compact-sm"
        variant={isOn ? "filled" : "subtle"}
        color={isOn ? undefined : "gray"}
        aria-pressed={isOn}
        aria-keyshortcuts={String(at + 1)}
        onClick={() => controls.look(name)}
      >
        {t(`viewer.view.${name}`)}
      </Button>
    );
  });
}

const step = 24;

const cameraKeys = (controls: ModelControls): Keys => ({
  ...Object.fromEntries(viewNames.map((name, at) => [String(at + 1), () => controls.look(name)])),
  ArrowLeft: () => controls.orbit([-step, 0]),
  ArrowRight: () => controls.orbit([step, 0]),
  ArrowUp: () => controls.orbit([0, -step]),
  ArrowDown: () => controls.orbit([0, step]),
  "Shift+ArrowLeft": () => controls.pan([-step, 0]),
  "Shift+ArrowRight": () => controls.pan([step, 0]),
  "Shift+ArrowUp": () => controls.pan([0, -step]),
  "Shift+ArrowDown": () => controls.pan([0, step]),
  ",": () => controls.roll(-Math.PI / 12),
  ".": () => controls.roll(Math.PI / 12),
  ...zoomKeys(controls),
  R: () => controls.look("front"),
});
