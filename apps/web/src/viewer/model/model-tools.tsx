import { Button } from "@mantine/core";
import {
  IconCamera,
  IconCube,
  IconCube3dSphere,
  IconHandStop,
  IconMapPin,
  IconRotate3d,
  IconSlice,
  IconSun,
} from "@tabler/icons-react";
import { useTexts } from "../../kernel/texts.ts";
import { useShortcuts, type Keys } from "../frame/shortcuts.ts";
import { Tool, ToolGap, ToolMenu, Toolbar } from "../frame/toolbar.tsx";
import { ToolChoice, toolKeys, type ToolRow } from "../frame/toolbar-choice.tsx";
import { ZoomTools, zoomKeys } from "../frame/zoom-tools.tsx";
import { viewNames } from "@arcada/imaging/view/model-camera";
import { MarkTools, markKeys, markRows } from "../marks/mark-tools.tsx";
import type { Marks } from "../marks/use-marks.ts";
import { shadings, type Shading } from "./model-look.ts";
import type { ModelControls } from "./use-model-camera.ts";
import { modelMarks, type ModelDrawing, type ModelMark } from "./use-model-marks.ts";

export type ModelTool = "turn" | "pan" | "pin" | "cut" | "align" | ModelMark;

const tools: ToolRow<ModelTool> = [
  { name: "turn", icon: IconRotate3d, keys: "T" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  ...markRows(modelMarks),
  { name: "pin", icon: IconMapPin, keys: "N" },
  { name: "cut", icon: IconSlice, keys: "C" },
];

export interface SceneSwitches {
  shading: Shading;
  setShading: (shading: Shading) => void;
  isLight: boolean;
  toggleLight: () => void;
  picture: (withMarks: boolean) => void;
}

interface Props {
  tool: ModelTool;
  onTool: (tool: ModelTool) => void;
  controls: ModelControls;
  marks: Marks;
  drawing: ModelDrawing;
  switches: SceneSwitches;
}

export function ModelTools({ tool, onTool, controls, marks, drawing, switches }: Props) {
  const t = useTexts("viewer");
  const { shading, setShading, isLight, toggleLight, picture } = switches;
  const next = shadings[(shadings.indexOf(shading) + 1) % shadings.length] ?? "smooth";
  useShortcuts({
    ...toolKeys(tools, onTool),
    ...cameraKeys(controls),
    ...markKeys(marks, drawing),
    B: toggleLight,
    W: () => setShading(next),
    P: () => picture(true),
    "Shift+P": () => picture(false),
  });
  return (
    <Toolbar>
      <ToolChoice rows={tools} now={tool} onTool={onTool} />
      <ToolGap />
      <ViewButtons controls={controls} />
      <ToolGap />
      <ZoomTools zoom={controls.zoom} fit={controls.fit} />
      <Tool
        label={t("viewer.model.perspective")}
        icon={IconCube}
        keys="O"
        isOn={controls.camera?.hasPerspective ?? false}
        onPress={controls.togglePerspective}
      />
      <ToolMenu
        label={t("viewer.model.shading")}
        icon={IconCube3dSphere}
        items={shadings.map((name) => ({
          key: name,
          label: t(`viewer.model.shadingName.${name}`),
          isOn: name === shading,
          onPress: () => setShading(name),
          ...(name === next && { keys: "W" }),
        }))}
      />
      <Tool label={t("viewer.lightGround")} icon={IconSun} keys="B" isOn={isLight} onPress={toggleLight} />
      <ToolMenu
        label={t("viewer.model.picture")}
        icon={IconCamera}
        items={[
          { key: "with", label: t("viewer.model.pictureWith"), keys: "P", onPress: () => picture(true) },
          { key: "without", label: t("viewer.model.pictureWithout"), keys: "Shift+P", onPress: () => picture(false) },
        ]}
      />
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
        mih={36}
        variant={isOn ? "filled" : "subtle"}
        color={isOn ? undefined : "gray"}
        aria-pressed={isOn}
        aria-keyshortcuts={String(at + 1)}
        title={String(at + 1)}
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
  O: controls.togglePerspective,
  R: () => controls.look("front"),
});
