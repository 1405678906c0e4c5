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
import { useTexts } from "../../i18n/texts.ts";
import { useShortcuts, type Shortcuts } from "../ui/input/shortcuts.ts";
import { ToolButton, ToolbarGap, ToolMenu, Toolbar } from "../ui/toolbar/toolbar.tsx";
import { ToolButtons, buildToolShortcuts, type ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { ZoomTools, buildZoomShortcuts } from "../ui/toolbar/zoom-tools.tsx";
import { cameraViewNames } from "@arcada/imaging/view/model-camera";
import { AnnotationTools, annotationShortcuts, annotationToolRows } from "../annotations/annotation-tools.tsx";
import type { AnnotationStore } from "../annotations/store/use-annotations.ts";
import { shadings, type Shading } from "./rendering/model-display-settings.ts";
import type { CameraControls } from "./rendering/use-model-camera.ts";
import { modelAnnotationTools, type ModelDrawing, type ModelAnnotationTool } from "./use-model-annotations.ts";

export type ModelTool = "turn" | "pan" | "pin" | "cut" | "align" | ModelAnnotationTool;

const tools: ToolItems<Exclude<ModelTool, "align">> = [
  { name: "turn", icon: IconRotate3d, keys: "T" },
  { name: "pan", icon: IconHandStop, keys: "H" },
  ...annotationToolRows(modelAnnotationTools),
  { name: "pin", icon: IconMapPin, keys: "N" },
  { name: "cut", icon: IconSlice, keys: "C" },
];

export interface SceneSwitches {
  shading: Shading;
  setShading: (shading: Shading) => void;
  isLight: boolean;
  toggleLight: () => void;
  saveImage: (withAnnotations: boolean) => void;
}

interface Props {
  tool: ModelTool;
  onTool: (tool: ModelTool) => void;
  controls: CameraControls;
  annotations: AnnotationStore;
  drawing: ModelDrawing;
  switches: SceneSwitches;
}

export function ModelToolbar({ tool, onTool, controls, annotations, drawing, switches }: Props) {
  const t = useTexts("viewer");
  const { shading, setShading, isLight, toggleLight, saveImage } = switches;
  const next = shadings[(shadings.indexOf(shading) + 1) % shadings.length] ?? "smooth";
  useShortcuts({
    ...buildToolShortcuts(tools, onTool),
    ...buildCameraShortcuts(controls),
    ...annotationShortcuts(annotations, drawing),
    B: toggleLight,
    W: () => setShading(next),
    P: () => saveImage(true),
    "Shift+P": () => saveImage(false),
  });
  return (
    <Toolbar>
      <ToolButtons rows={tools} now={tool} onTool={onTool} />
      <ToolbarGap />
      <ViewButtons controls={controls} />
      <ToolbarGap />
      <ZoomTools zoom={controls.zoom} fit={controls.fit} />
      <ToolButton
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
      <ToolButton label={t("viewer.lightGround")} icon={IconSun} keys="B" isOn={isLight} onPress={toggleLight} />
      <ToolMenu
        label={t("viewer.model.picture")}
        icon={IconCamera}
        items={[
          { key: "with", label: t("viewer.model.pictureWith"), keys: "P", onPress: () => saveImage(true) },
          { key: "without", label: t("viewer.model.pictureWithout"), keys: "Shift+P", onPress: () => saveImage(false) },
        ]}
      />
      <ToolbarGap />
      <AnnotationTools annotations={annotations} drawing={drawing} />
    </Toolbar>
  );
}

function ViewButtons({ controls }: { controls: CameraControls }) {
  const t = useTexts("viewer");
  return cameraViewNames.map((name, at) => {
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
        onClick={() => controls.showView(name)}
      >
        {t(`viewer.view.${name}`)}
      </Button>
    );
  });
}

const step = 24;

const buildCameraShortcuts = (controls: CameraControls): Shortcuts => ({
  ...Object.fromEntries(cameraViewNames.map((name, at) => [String(at + 1), () => controls.showView(name)])),
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
  ...buildZoomShortcuts(controls),
  O: controls.togglePerspective,
  R: () => controls.showView("front"),
});
