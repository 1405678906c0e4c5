import { useEffect, useMemo, useRef, useState } from "react";
import type { RenderShown } from "@arcada/imaging/gl/render-view";
import { atRest } from "@arcada/imaging/surface/movement";
import { firstHit } from "@arcada/imaging/surface/mesh-hit";
import type { Spot } from "@arcada/imaging/view/measure";
import { sightOf, toScreen, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import { renderRays, unclipped } from "@arcada/imaging/view/render-rays";
import { useTexts } from "../../../kernel/texts.ts";
import { useSize } from "../../frame/use-size.ts";
import { SceneSides } from "../../model/orientation/scene-sides.tsx";
import type { PaneProps } from "../layout/pane-props.ts";
import type { VolumeStore } from "../volume-store.ts";
import { PairSpots } from "./pair-spots.tsx";
import { renderLookOf } from "./presets.ts";
import styles from "./render-pane.module.css";
import { useRendering, type Rendering } from "./render-room.tsx";
import { renderViewOf, scanCamera, scanOrientation, type RenderView } from "./render-views.ts";
import { useRenderHand } from "./use-render-hand.ts";
import type { ScanControls } from "./use-scan.ts";

/** The scan beside the volume, to pick the same points on both. */
export function ScanPane({ place, store, panes, controls }: PaneProps) {
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useSize(element);
  const rendering = useRendering();
  const { scan } = rendering;
  const { mesh, model } = scan;
  const [turned, turn] = useState<ModelCamera | null>(null);
  const [view, setView] = useState<RenderView>("top");
  // Seen from the side of the crowns.
  const named: RenderView = view === "top" && model?.jaw === "upper" ? "bottom" : view;
  const orientation = useMemo(() => mesh && scanOrientation(mesh, model?.jaw ?? null), [mesh, model?.jaw]);
  const camera = turned ?? (mesh && orientation && size && scanCamera(named, mesh, orientation.frame, size));
  const look = (name: RenderView) => {
    setView(name);
    turn(null);
  };
  const { zoom, orbit, onKeyDown } = useRenderHand(element, {
    camera,
    turn,
    look,
    size,
    box: mesh?.bounds ?? { min: [0, 0, 0], max: [1, 1, 1] },
    isPanning: controls.tool === "pan",
    onPick: (at) => camera && size && pickOn(scan, camera, size, at),
    onPress: () => {},
    onDouble: () => {},
  });
  const name = `${place}Scan`;
  useEffect(() => {
    if (!element.current) return;
    const shown = (pane: Size) => scanShown(store, rendering, camera, pane);
    panes.set(name, {
      element: element.current,
      shown,
      hand: { zoom: (factor) => zoom(factor), step: (count) => orbit([0, 12 * count]) },
    });
  });
  useEffect(() => () => panes.delete(name), [panes, name]);
  return (
    <div
      ref={element}
      className={styles.pane}
      role="group"
      aria-label={t("viewer.render.scan.pane")}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      {!mesh && (
        <div className={styles.asked} role="status">
          {t(scan.hasFailed ? "viewer.render.scan.failed" : "viewer.render.scan.loading")}
        </div>
      )}
      {camera && orientation && (
        <SceneSides camera={camera} orientation={orientation} onView={(name) => look(renderViewOf(name))} />
      )}
      {camera && size && <PairSpots spots={scan.pairs.map(({ scan: point }) => toScreen(camera, size, point))} />}
    </div>
  );
}

function scanShown(
  store: VolumeStore,
  { scan: { own }, matter, choice }: Rendering,
  camera: ModelCamera | null,
  pane: Size,
): RenderShown | null {
  if (!camera || !own || !matter) return null;
  return {
    kind: "render",
    name: "scan",
    rays: renderRays(store.info, null, camera, pane, unclipped),
    camera,
    pane: { width: pane.width, height: pane.height },
    look: { ...renderLookOf(choice, matter), mode: "matter" },
    hasMatter: false,
    meshes: [{ mesh: own, movement: atRest, colour: [0.9, 0.86, 0.78], opacity: 1 }],
    steps: { full: 1, preview: 1 },
  };
}

function pickOn({ mesh, pick }: ScanControls, camera: ModelCamera, size: Size, at: Spot): void {
  const sight = sightOf(camera, size, at, 1000);
  const point = mesh && firstHit(mesh, sight.origin, sight.direction);
  if (point) pick("scan", point);
}
