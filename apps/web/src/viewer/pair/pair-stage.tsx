import { Button } from "@mantine/core";
import { IconLink, IconLinkOff } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTexts } from "../../kernel/texts.ts";
import { viewNames } from "@arcada/imaging/view/model-camera";
import { useShortcuts } from "../frame/shortcuts.ts";
import { Failed, Loading } from "../frame/states.tsx";
import { Tool, ToolGap, Toolbar } from "../frame/toolbar.tsx";
import { useGestures } from "../frame/use-gestures.ts";
import { ZoomTools, zoomKeys } from "../frame/zoom-tools.tsx";
import { OrientationMenu } from "../model/orientation/orientation-menu.tsx";
import { OrientationNotice } from "../model/orientation/orientation-notice.tsx";
import { SceneSides } from "../model/orientation/scene-sides.tsx";
import { lookingAgain } from "../model/orientation/use-orientation.ts";
import type { ModelAddresses, SceneModel } from "../model/scene-model.ts";
import { useModelCamera, type ModelControls, type Subject } from "../model/use-model-camera.ts";
import styles from "./pair.module.css";
import { usePairPainting, usePairView, type PairView } from "./use-pair-side.ts";

export interface PairSide {
  label: string;
  models: readonly SceneModel[];
}

interface Props {
  left: PairSide;
  right: PairSide;
  renew: (id: string) => Promise<ModelAddresses | null>;
}

/** Two canvases under one camera, or each under its own. */
export function PairStage({ left, right, renew }: Props) {
  const t = useTexts("viewer");
  const [one, other] = [usePairView(left.models, renew), usePairView(right.models, renew)];
  const [isLinked, link] = useState(true);
  const both = useMemo(() => aroundBoth(one.subject, other.subject), [one.subject, other.subject]);
  const first = useModelCamera(isLinked ? both : one.subject, one.size);
  const second = useModelCamera(isLinked ? both : other.subject, other.size);
  const toggle = () => {
    // Each continues from the shared camera.
    if (isLinked && first.camera) for (const controls of [first, second]) controls.take(first.camera);
    link(!isLinked);
  };
  const hands = isLinked ? [first] : [first, second];
  return (
    <>
      <PairTools controls={all(hands)} isLinked={isLinked} onLink={toggle} />
      <div className={styles.panes}>
        <Pane side={left} view={one} controls={first} />
        <Pane side={right} view={other} controls={isLinked ? first : second} />
      </div>
      <p className={styles.help}>{t("viewer.pair.help")}</p>
    </>
  );
}

type Moving = Pick<ModelControls, "look" | "orbit" | "pan" | "zoom" | "fit">;

/** Buttons and keys move both sides. */
const all = (hands: readonly ModelControls[]): Moving => ({
  look: (view) => hands.forEach((hand) => hand.look(view)),
  orbit: (by) => hands.forEach((hand) => hand.orbit(by)),
  pan: (by) => hands.forEach((hand) => hand.pan(by)),
  zoom: (factor) => hands.forEach((hand) => hand.zoom(factor)),
  fit: () => hands.forEach((hand) => hand.fit()),
});

interface ToolsProps {
  controls: Moving;
  isLinked: boolean;
  onLink: () => void;
}

const step = 24;

function PairTools({ controls, isLinked, onLink }: ToolsProps) {
  const t = useTexts("viewer");
  useShortcuts({
    ...Object.fromEntries(viewNames.map((name, at) => [String(at + 1), () => controls.look(name)])),
    ArrowLeft: () => controls.orbit([-step, 0]),
    ArrowRight: () => controls.orbit([step, 0]),
    ArrowUp: () => controls.orbit([0, -step]),
    ArrowDown: () => controls.orbit([0, step]),
    L: onLink,
    ...zoomKeys(controls),
  });
  return (
    <Toolbar>
      {viewNames.map((name, at) => (
        <Button
          key={name}
          size="compact-sm"
          mih={36}
          variant="subtle"
          color="gray"
          aria-keyshortcuts={String(at + 1)}
          title={String(at + 1)}
          onClick={() => controls.look(name)}
        >
          {t(`viewer.view.${name}`)}
        </Button>
      ))}
      <ToolGap />
      <ZoomTools zoom={controls.zoom} fit={controls.fit} />
      <ToolGap />
      <Tool
        label={t("viewer.pair.link")}
        icon={isLinked ? IconLink : IconLinkOff}
        keys="L"
        isOn={isLinked}
        onPress={onLink}
      />
    </Toolbar>
  );
}

function Pane({ side, view, controls }: { side: PairSide; view: PairView; controls: ModelControls }) {
  const t = useTexts("viewer");
  const { pane, host, meshes, orientation } = view;
  const painting = usePairPainting(view, side.models, controls.camera);
  useGestures(pane, {
    drag: (_, by, button) => (button === 1 || button === 2 ? controls.pan(by) : controls.orbit(by)),
    pinch: (at, factor, by) => controls.zoom(factor, at, by),
    wheel: (at, notches) => controls.zoom(Math.exp(-notches * 0.2), at),
  });
  const loads = [...meshes.loads.values()];
  const failed = loads.find((load) => load.state === "failed");
  const isWaiting = side.models.length > 0 && !loads.some(({ state }) => state !== "loading");
  return (
    <figure className={styles.side}>
      <figcaption className={styles.label}>{side.label}</figcaption>
      <div ref={pane} className={styles.pane} role="group" aria-label={side.label} tabIndex={0}>
        <div ref={host} className={styles.host} aria-hidden />
        {controls.camera && <SceneSides camera={controls.camera} orientation={orientation} onView={controls.look} />}
        <OrientationMenu orientation={lookingAgain(orientation, controls)} />
        <OrientationNotice orientation={lookingAgain(orientation, controls)} />
        {painting === "absent" && <Failed label={t("viewer.no3d")} />}
        {isWaiting && painting !== "absent" && (
          <div className={styles.cover}>
            <Loading label={t("viewer.loading.models")} />
          </div>
        )}
        {failed && (
          <p className={styles.fault} role="alert">
            {t(`viewer.failed.${failed.reason}`)}
          </p>
        )}
      </div>
    </figure>
  );
}

/** One box around the models of both sides, so that a millimetre has the same length on both. */
function aroundBoth(one: Subject | null, other: Subject | null): Subject | null {
  if (!one || !other) return one ?? other;
  const side = (axis: 0 | 1 | 2, end: "min" | "max") => Math[end](one.box[end][axis], other.box[end][axis]);
  return {
    ...one,
    box: {
      min: [side(0, "min"), side(1, "min"), side(2, "min")],
      max: [side(0, "max"), side(1, "max"), side(2, "max")],
    },
  };
}
