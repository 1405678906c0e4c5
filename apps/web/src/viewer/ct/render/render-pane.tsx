import { Button, Slider } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { RenderShown } from "@arcada/imaging/gl/render-view";
import { firstAbove, highestAlong } from "@arcada/imaging/surface/pick";
import type { Spot } from "@arcada/imaging/view/measure";
import { sightOf, toScreen, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import { planeNames, type PlaneName } from "@arcada/imaging/view/plane";
import { renderRays } from "@arcada/imaging/view/render-rays";
import { trueValue } from "@arcada/imaging/view/true-value";
import { plus, times, type Vector } from "@arcada/imaging/view/vector";
import { useTexts } from "../../../kernel/texts.ts";
import { OrientationCube } from "../../frame/orientation-cube.tsx";
import { SideLetters } from "../../frame/side-letters.tsx";
import { useSize } from "../../frame/use-size.ts";
import type { PaneProps } from "../layout/pane-props.ts";
import { PlaneScale } from "../plane-words.tsx";
import { RoughNote } from "../rough-note.tsx";
import { coarser } from "../texture-size.ts";
import { PlanInSpace } from "../arch/plan-in-space.tsx";
import type { Arch } from "../arch/use-arch.ts";
import type { CtControls } from "../use-ct-controls.ts";
import type { VolumeStore } from "../volume-store.ts";
import { PairSpots } from "./pair-spots.tsx";
import { renderLookOf, thresholdOf } from "./presets.ts";
import styles from "./render-pane.module.css";
import { RenderBar } from "./render-bar.tsx";
import { useRendering, type Rendering } from "./render-room.tsx";
import { boxOf, renderCamera, renderViewOf } from "./render-views.ts";
import { ScanPane } from "./scan-pane.tsx";
import { ScanStrip } from "./scan-strip.tsx";
import { useRenderHand } from "./use-render-hand.ts";

/** The volume rendering, with the scan beside it while points are picked on both. */
export function RenderPane(props: PaneProps) {
  const { scan } = useRendering();
  return (
    <div className={styles.room}>
      <div className={styles.halves}>
        {scan.isPicking && <ScanPane {...props} />}
        <VolumePane {...props} />
      </div>
      {/* Placed under both while points are picked: over the volume it would cover teeth. */}
      {scan.isPicking && <ScanStrip scan={scan} />}
    </div>
  );
}

function VolumePane(props: PaneProps) {
  const { place, store, controls, panes, isActive, arch } = props;
  const t = useTexts("viewer");
  const element = useRef<HTMLDivElement>(null);
  const size = useSize(element);
  const rendering = useRendering();
  const { isAsked, matter, scan } = rendering;
  const camera = rendering.camera ?? (size && renderCamera(rendering.view ?? "front", store.info, size));
  const pick = (at: Spot) => {
    const point = camera && size && pickedAt(store, rendering, camera, size, at);
    if (!point) return;
    controls.setCross(point);
    if (scan.isPicking) scan.pick("volume", point);
  };
  const { orbit, zoom, onKeyDown } = useRenderHand(element, {
    camera,
    turn: rendering.turn,
    look: rendering.look,
    size,
    box: boxOf(store.info),
    isPanning: controls.tool === "pan",
    onPick: pick,
    onPress: () => controls.activate(place),
    onDouble: () => controls.toggleLarge(place),
  });
  useEffect(() => {
    if (!element.current) return;
    const shown = (pane: Size) => (isAsked ? renderShown(store, rendering, camera, pane) : null);
    panes.set(place, {
      element: element.current,
      shown,
      hand: { zoom: (factor) => zoom(factor), step: (count) => orbit([0, 12 * count]) },
    });
  });
  useEffect(() => () => panes.delete(place), [panes, place]);

  return (
    <div
      ref={element}
      className={`${styles.pane} ${isActive ? (styles.active ?? "") : ""}`}
      role="group"
      aria-label={t("viewer.pane.render")}
      tabIndex={0}
      onFocus={() => controls.activate(place)}
      onKeyDown={onKeyDown}
    >
      {isAsked && size && camera && <Over {...{ rendering, controls, camera, size, arch }} />}
      {!isAsked && <Asked rendering={rendering} />}
      <RenderBar {...props} />
      {!scan.isPicking && <ScanStrip scan={scan} />}
      {isAsked && matter && <Threshold store={store} rendering={rendering} />}
      <RoughNote panes={panes} place={place} />
    </div>
  );
}

/** Overlays of the image that let the pointer through. */
function Over({
  rendering: { scan, look },
  controls,
  camera,
  size,
  arch,
}: {
  arch: Arch;
  rendering: Rendering;
  controls: CtControls;
  camera: ModelCamera;
  size: Size;
}) {
  return (
    <>
      <CrossPoint controls={controls} at={(point) => toScreen(camera, size, point)} size={size} />
      <SideLetters plane={{ right: camera.right, down: times(camera.up, -1) }} />
      <PlaneScale view={{ middle: [0, 0], scale: camera.scale }} size={size} />
      <PlanInSpace arch={arch} camera={camera} size={size} />
      {scan.isPicking && <PairSpots spots={scan.pairs.map(({ volume }) => volume && toScreen(camera, size, volume))} />}
      <OrientationCube camera={camera} onView={(name) => look(renderViewOf(name))} />
    </>
  );
}

function Asked({ rendering }: { rendering: Rendering }) {
  const t = useTexts("viewer");
  return (
    <div className={styles.asked} data-holds-press>
      <span>{t("viewer.render.askHelp")}</span>
      <Button size="xs" variant="light" onClick={rendering.ask}>
        {t("viewer.render.ask")}
      </Button>
    </div>
  );
}

function renderShown(
  store: VolumeStore,
  { choice, matter, clip, meshes }: Rendering,
  camera: ModelCamera | null,
  pane: Size,
): RenderShown | null {
  if (!camera || !matter) return null;
  const { preview } = store;
  const full = coarser(store.info, store.factor);
  return {
    kind: "render",
    name: "volume",
    rays: renderRays(full, preview?.info ?? null, camera, pane, clip),
    camera,
    pane: { width: pane.width, height: pane.height },
    look: renderLookOf(choice, matter),
    hasMatter: true,
    meshes: meshes.filter(({ isShown }) => isShown),
    steps: {
      full: 0.7 * Math.min(...full.spacing),
      preview: 0.5 * Math.min(...(preview?.info ?? full).spacing),
    },
  };
}

/** Returns the patient point under a point of the viewport, from the values as stored. */
export function pickedAt(
  store: VolumeStore,
  { choice, matter, clip }: Rendering,
  camera: ModelCamera,
  size: Size,
  at: Spot,
): Vector | null {
  const { grid } = store;
  if (!grid || !matter) return null;
  const ray = sightOf(camera, size, at, 1000);
  const { mode, ramp } = renderLookOf(choice, matter);
  return mode === "matter" ? firstAbove(grid, ray, clip, ramp[0]) : highestAlong(grid, ray, clip);
}

function Threshold({ store, rendering: { choice, choose, matter } }: { store: VolumeStore; rendering: Rendering }) {
  const t = useTexts("viewer");
  if (!matter || choice.preset === "max") return null;
  const value = thresholdOf(choice, matter);
  const least = Math.round(matter.soft - (matter.hard - matter.soft));
  return (
    <div className={styles.threshold} data-holds-press>
      <span>{t("viewer.render.from", { value: trueValue(store.info, value) })}</span>
      <Slider
        className={styles.slider}
        size="sm"
        label={null}
        thumbLabel={t("viewer.render.threshold")}
        min={least}
        max={Math.max(least + 1, Math.round(1.3 * matter.dense - 0.3 * matter.hard))}
        value={value}
        onChange={(threshold) => choose({ threshold })}
      />
    </div>
  );
}

const arm = 14;

/** The crosshair: the directions in which two planes meet, in the colour of the third. */
function CrossPoint({ controls, at, size }: { controls: CtControls; at: (point: Vector) => Spot; size: Size }) {
  const { cross, planes } = controls;
  const [x, y] = at(cross);
  if (x < 0 || y < 0 || x > size.width || y > size.height) return null;
  const line = (name: PlaneName): string => {
    const ends = [-arm, arm].map((mm) => at(plus(cross, times(planes[name].away, mm))).join(" "));
    return `M${ends.join("L")}`;
  };
  const colours = { axial: styles.crossAxial, coronal: styles.crossCoronal, sagittal: styles.crossSagittal };
  return (
    <svg className={styles.layer} aria-hidden>
      {planeNames.map((name) => (
        <path key={name} className={`${styles.cross} ${colours[name]}`} d={line(name)} />
      ))}
      <circle className={`${styles.cross} ${styles.crossAxial}`} cx={x} cy={y} r={4} />
    </svg>
  );
}
