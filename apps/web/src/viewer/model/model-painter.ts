import {
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  PlaneGeometry,
  Quaternion,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { eyeDistance, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import { footOn } from "@arcada/imaging/view/section-plane";
import type { ReadyMesh } from "./mesh.worker.ts";
import type { ShownScene, ShownSection } from "./model-look.ts";
import { PaintedModel } from "./painted-model.ts";

export interface ModelPainter {
  put: (id: string, mesh: ReadyMesh) => void;
  remove: (id: string) => void;
  paint: (shown: ShownScene) => void;
  /** Renders the scene as an image, with `factor` pixels for each CSS pixel. */
  picture: (shown: ShownScene, factor: number, ground: string) => HTMLCanvasElement;
  dispose: () => void;
}

/** mm in front of and behind the middle: no dental model is larger. */
const far = 2000;

/** Renders models with three.js; null without WebGL 2. */
export function modelPainter(canvas: HTMLCanvasElement): ModelPainter | null {
  const renderer = rendererOn(canvas);
  if (!renderer) return null;
  renderer.localClippingEnabled = true;
  const scene = new Scene();
  const lamp = new DirectionalLight("white", 2.2);
  const sheet = sheetOfSection();
  scene.add(new HemisphereLight("white", "#9a9186", 1.1), lamp, lamp.target, sheet);
  const models = new Map<string, PaintedModel>();
  const remove = (id: string) => {
    const model = models.get(id);
    if (!model) return;
    scene.remove(model.group, model.outlines);
    model.dispose();
    models.delete(id);
  };
  const paintAt = (shown: ShownScene, pixels: number) => {
    dressAll(models, shown);
    lay(sheet, shown);
    const camera = aimed(shown.camera, shown.size);
    hold(lamp, shown.camera);
    renderer.setPixelRatio(pixels);
    renderer.setSize(shown.size.width, shown.size.height, false);
    renderer.render(scene, camera);
  };
  return {
    put: (id, ready) => {
      remove(id);
      const model = new PaintedModel(ready);
      models.set(id, model);
      scene.add(model.group, model.outlines);
    },
    remove,
    paint: (shown) => paintAt(shown, window.devicePixelRatio || 1),
    picture: (shown, factor, ground) => {
      paintAt(shown, factor);
      // Read in the same task: afterwards the drawing buffer may be empty.
      const copy = copied(canvas, ground);
      paintAt(shown, window.devicePixelRatio || 1);
      return copy;
    },
    dispose: () => {
      for (const id of models.keys()) remove(id);
      sheet.geometry.dispose();
      sheet.material.dispose();
      renderer.dispose();
      if (!renderer.getContext().isContextLost()) renderer.forceContextLoss();
    },
  };
}

function rendererOn(canvas: HTMLCanvasElement): WebGLRenderer | null {
  try {
    return new WebGLRenderer({ canvas, antialias: true, alpha: true });
  } catch {
    return null;
  }
}

function dressAll(models: ReadonlyMap<string, PaintedModel>, shown: ShownScene): void {
  const { section } = shown;
  const clipping = section ? clippingOf(section) : [];
  for (const [id, model] of models) {
    model.outline(section?.contours.get(id) ?? nothing, section?.plane ?? null, shown.size);
    model.dress({
      look: shown.looks.get(id),
      pose: shown.poses.get(id),
      shading: shown.shading,
      tint: shown.tints.get(id),
      clipping,
      isLineOnly: section?.side === "line",
    });
  }
}

const nothing: readonly [] = [];

function clippingOf({ plane: { normal, offset }, side }: ShownSection): Plane[] {
  const kept = new Plane(new Vector3(...normal), -offset);
  return side === "above" ? [kept] : side === "below" ? [kept.negate()] : [];
}

const sheetOfSection = (): Mesh<PlaneGeometry, MeshBasicMaterial> => {
  const material = new MeshBasicMaterial({ color: "#6fb4ff", transparent: true, opacity: 0.12, side: DoubleSide });
  material.depthWrite = false;
  const sheet = new Mesh(new PlaneGeometry(1, 1), material);
  sheet.renderOrder = 2;
  return sheet;
};

/** Draws the plane itself as a translucent sheet around the middle of the image. */
function lay(sheet: Mesh, { section, camera, size }: ShownScene): void {
  sheet.visible = section !== null && section.side === "whole";
  if (!section) return;
  sheet.position.set(...footOn(section.plane, camera.target));
  sheet.quaternion.copy(
    new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...section.plane.normal)),
  );
  sheet.scale.setScalar(Math.min(90, (0.8 * Math.max(size.width, size.height)) / camera.scale));
}

function aimed(view: ModelCamera, { width, height }: Size): OrthographicCamera | PerspectiveCamera {
  const { right, up, eye, target, scale, hasPerspective } = view;
  const [wide, high] = [width / 2 / scale, height / 2 / scale];
  const camera = hasPerspective
    ? new PerspectiveCamera((2 * Math.atan(high / eyeDistance) * 180) / Math.PI, width / height, 5, far)
    : new OrthographicCamera(-wide, wide, high, -high, 0, far);
  const basis = new Matrix4().makeBasis(new Vector3(...right), new Vector3(...up), new Vector3(...eye));
  camera.quaternion.setFromRotationMatrix(basis);
  camera.position.set(...target).addScaledVector(new Vector3(...eye), hasPerspective ? eyeDistance : far / 2);
  return camera;
}

/** The light is attached to the camera: a little to the left and above. */
function hold(lamp: DirectionalLight, { right, up, eye, target }: ModelCamera): void {
  lamp.position
    .set(...target)
    .addScaledVector(new Vector3(...eye), far / 2)
    .addScaledVector(new Vector3(...right), -far / 5)
    .addScaledVector(new Vector3(...up), far / 4);
  lamp.target.position.set(...target);
}

function copied(canvas: HTMLCanvasElement, ground: string): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const brush = copy.getContext("2d");
  if (!brush) return copy;
  brush.fillStyle = ground;
  brush.fillRect(0, 0, copy.width, copy.height);
  brush.drawImage(canvas, 0, 0);
  return copy;
}
