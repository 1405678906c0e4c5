import {
  IconBox,
  IconBoxAlignBottom,
  IconBoxAlignLeft,
  IconBoxAlignRight,
  IconBoxAlignTop,
  IconSquare,
  type Icon,
} from "@tabler/icons-react";
import { cameraViewNames, type CameraViewName } from "@arcada/imaging/view/model-camera";
import type { Translate } from "../../i18n/texts.ts";
import type { PressTool } from "../ui/modes/viewer-tool.ts";
import type { CameraControls } from "./rendering/use-model-camera.ts";

const viewIcons: Record<CameraViewName, Icon> = {
  front: IconBox,
  left: IconBoxAlignLeft,
  right: IconBoxAlignRight,
  upper: IconBoxAlignTop,
  lower: IconBoxAlignBottom,
  back: IconSquare,
};

/** The six sides from which models are seen; two cameras that move together have no current one. */
export const buildViewTools = (
  t: Translate,
  controls: Pick<CameraControls, "showView"> & { view?: CameraControls["view"] },
): PressTool[] =>
  cameraViewNames.map((name, at) => ({
    id: name,
    label: t(`viewer.view.${name}`),
    icon: viewIcons[name],
    keys: String(at + 1),
    ...(controls.view !== undefined && { isOn: controls.view === name }),
    onPress: () => controls.showView(name),
  }));
