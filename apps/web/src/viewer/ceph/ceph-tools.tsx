import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconContrast2,
  IconContrastFilled,
  IconDeviceFloppy,
  IconFlipHorizontal,
  IconHandStop,
  IconMoodNeutral,
  IconRefresh,
  IconRotateClockwise,
  IconTag,
  IconTarget,
  IconVectorSpline,
  IconZoomScan,
  type Icon,
} from "@tabler/icons-react";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { useTexts } from "../../kernel/texts.ts";
import { useShortcuts } from "../frame/shortcuts.ts";
import { Tool, ToolGap, Toolbar } from "../frame/toolbar.tsx";
import { ZoomTools, zoomKeys } from "../frame/zoom-tools.tsx";
import type { LoadedPicture, PictureFile } from "../picture/load-picture.ts";
import { LookPanel } from "../picture/look-panel.tsx";
import type { PictureControls } from "../picture/use-picture-view.ts";
import { CephExits } from "./ceph-exits.tsx";
import type { Guide } from "./use-guide.ts";
import type { Tracing } from "./use-tracing.ts";

export type CephTool = "place" | "window" | "pan";
export interface Shows {
  labels: boolean;
  lines: boolean;
  lens: boolean;
  profile: boolean;
}

interface Props {
  tool: CephTool;
  onTool: (tool: CephTool) => void;
  controls: PictureControls;
  loaded: LoadedPicture;
  file: PictureFile | null;
  tracing: Tracing;
  guide: Guide;
  film: { studyId: string; instanceId: string };
  analysis: CephAnalysis;
  shows: Shows;
  onShow: (change: Partial<Shows>) => void;
  hasProfile: boolean;
  placeLikely: () => void;
}

export function CephTools(props: Props) {
  const t = useTexts("ceph", "viewer");
  const { tool, onTool, controls, loaded, file, tracing, film, analysis, shows, onShow, hasProfile } = props;
  const flip = (name: keyof Shows) => () => onShow({ [name]: !shows[name] });
  useCephKeys(props, flip);
  const choice = (name: CephTool, label: string, icon: Icon, keys: string) => (
    <Tool label={t(label)} icon={icon} keys={keys} isOn={tool === name} onPress={() => onTool(name)} />
  );
  return (
    <Toolbar>
      {tracing.maySave && choice("place", "ceph.tool.place", IconTarget, "P")}
      {choice("window", "viewer.tool.window", IconContrastFilled, "W")}
      {choice("pan", "viewer.tool.pan", IconHandStop, "H")}
      <ToolGap />
      {tracing.maySave && <SaveTools tracing={tracing} />}
      <Tool label={t("ceph.tool.lines")} icon={IconVectorSpline} keys="T" isOn={shows.lines} onPress={flip("lines")} />
      <Tool label={t("ceph.tool.labels")} icon={IconTag} keys="L" isOn={shows.labels} onPress={flip("labels")} />
      {hasProfile && (
        <Tool label={t("ceph.tool.profile")} icon={IconMoodNeutral} isOn={shows.profile} onPress={flip("profile")} />
      )}
      <Tool label={t("viewer.tool.lens")} icon={IconZoomScan} keys="M" isOn={shows.lens} onPress={flip("lens")} />
      <ToolGap />
      <LookPanel controls={controls} loaded={loaded} file={file} />
      <ViewTools controls={controls} />
      <ToolGap />
      <CephExits film={film} tracing={tracing} analysis={analysis} />
    </Toolbar>
  );
}

function useCephKeys(
  { onTool, controls, tracing, guide, placeLikely }: Props,
  flip: (name: keyof Shows) => () => void,
): void {
  useShortcuts({
    ...zoomKeys({ zoom: controls.zoomBy, fit: controls.fit }),
    W: () => onTool("window"),
    H: () => onTool("pan"),
    L: flip("labels"),
    T: flip("lines"),
    M: flip("lens"),
    I: controls.invert,
    R: () => controls.turn(1),
    F: controls.mirror,
    Home: controls.reset,
    ...(tracing.maySave && {
      P: () => onTool("place"),
      N: guide.next,
      Enter: placeLikely,
      Delete: () => guide.active && tracing.remove(guide.active),
      "Ctrl+S": () => void tracing.save(),
      "Ctrl+Z": tracing.undo,
      "Ctrl+Shift+Z": tracing.redo,
      "Ctrl+Y": tracing.redo,
    }),
  });
}

function ViewTools({ controls }: Pick<Props, "controls">) {
  const t = useTexts("viewer");
  const { look, invert, zoomBy, fit, isFitted, turn, mirror, reset } = controls;
  return (
    <>
      <Tool label={t("viewer.invert")} icon={IconContrast2} keys="I" isOn={look.inverted} onPress={invert} />
      <ZoomTools zoom={zoomBy} fit={fit} isFitted={isFitted} />
      <Tool label={t("viewer.turnRight")} icon={IconRotateClockwise} keys="R" onPress={() => turn(1)} />
      <Tool label={t("viewer.mirror")} icon={IconFlipHorizontal} keys="F" onPress={mirror} />
      <Tool label={t("viewer.reset")} icon={IconRefresh} keys="Home" onPress={reset} />
    </>
  );
}

function SaveTools({ tracing }: { tracing: Tracing }) {
  const t = useTexts("ceph", "viewer");
  const { undo, redo, canUndo, canRedo, save, isChanged, isSaving } = tracing;
  return (
    <>
      <Tool
        label={t("ceph.tool.save")}
        icon={IconDeviceFloppy}
        keys="Ctrl+S"
        disabled={!isChanged || isSaving}
        onPress={() => void save()}
      />
      <Tool label={t("viewer.undo")} icon={IconArrowBackUp} keys="Ctrl+Z" disabled={!canUndo} onPress={undo} />
      <Tool label={t("viewer.redo")} icon={IconArrowForwardUp} keys="Ctrl+Shift+Z" disabled={!canRedo} onPress={redo} />
      <ToolGap />
    </>
  );
}
