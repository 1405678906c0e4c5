import { getGraphicsCapabilities } from "@arcada/imaging/gl/graphics-capabilities";
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
import type { Size } from "@arcada/imaging/view/image-view";
import { projectOntoPlane } from "@arcada/imaging/view/section-plane";
import type { ReadyMesh } from "../mesh/load-mesh.worker.ts";
import type { RenderedScene, ShownSection } from "./model-display-settings.ts";
import { RenderedModel } from "./rendered-model.ts";
import { createFrameWatch } from "./slow-frames.ts";

/** A surface and its coarse copy, either of which may not be there (yet). */
export interface DrawnMeshes {
  full: ReadyMesh | undefined;
  coarse: ReadyMesh | undefined;
}

export interface ModelRenderer {
  put: (id: string, meshes: DrawnMeshes) => void;
  remove: (id: string) => void;
  /**
   * Draws the coarse copies where there is no surface yet, or if the camera moves and the surfaces are slow. Returns
   * true if one was drawn in place of a surface.
   */
  render: (shown: RenderedScene, isMoving: boolean) => boolean;
  /** Renders the scene as an image, with `factor` pixels for each CSS pixel. */
  captureImage: (shown: RenderedScene, factor: number, background: string) => HTMLCanvasElement;
  dispose: () => void;
}

/** mm in front of and behind the middle: no dental model is larger. */
const farMm = 2000;

/** Renders models with three.js; null without WebGL 2. */
export function createModelRenderer(canvas: HTMLCanvasElement): ModelRenderer | null {
  const webglRenderer = createWebglRenderer(canvas);
  if (!webglRenderer) return null;
  webglRenderer.localClippingEnabled = true;
  const scene = new Scene();
  const lamp = new DirectionalLight("white", 2.2);
  const sheet = createSectionSheet();
  scene.add(new HemisphereLight("white", "#9a9186", 1.1), lamp, lamp.target, sheet);
  const models = new Map<string, RenderedCopies>();
  const frames = createFrameWatch(webglRenderer.getContext() as WebGL2RenderingContext);
  const remove = (id: string) => {
    for (const model of listModels(models.get(id))) {
      scene.remove(model.group, model.outlines);
      model.dispose();
    }
    models.delete(id);
  };
  const renderAt = (shown: RenderedScene, pixels: number, prefersCoarse = false) => {
    const isReplaced = updateModels(models, shown, prefersCoarse);
    placeSheet(sheet, shown);
    const camera = createCamera(shown.camera, shown.size);
    placeLamp(lamp, shown.camera);
    webglRenderer.setPixelRatio(pixels);
    webglRenderer.setSize(shown.size.width, shown.size.height, false);
    webglRenderer.render(scene, camera);
    return isReplaced;
  };
  return {
    put: (id, { full, coarse }) => {
      remove(id);
      const copies = {
        ...(full && { full: new RenderedModel(full) }),
        ...(coarse && { coarse: new RenderedModel(coarse) }),
      };
      models.set(id, copies);
      for (const model of listModels(copies)) scene.add(model.group, model.outlines);
    },
    remove,
    render: (shown, isMoving) => {
      const prefersCoarse = isMoving && frames.isSlow();
      const isReplaced = renderAt(shown, window.devicePixelRatio || 1, prefersCoarse);
      if (!prefersCoarse && [...models.values()].some(({ full, coarse }) => full && coarse)) frames.measure();
      return isReplaced;
    },
    captureImage: (shown, factor, background) => {
      renderAt(shown, factor);
      // Read in the same task: afterwards the drawing buffer may be empty.
      const copy = copyCanvas(canvas, background);
      renderAt(shown, window.devicePixelRatio || 1);
      return copy;
    },
    dispose: () => {
      for (const id of models.keys()) remove(id);
      sheet.geometry.dispose();
      sheet.material.dispose();
      webglRenderer.dispose();
      if (!webglRenderer.getContext().isContextLost()) webglRenderer.forceContextLoss();
    },
  };
}

function createWebglRenderer(canvas: HTMLCanvasElement): WebGLRenderer | null {
  try {
    // Software graphics would draw every pixel four times.
    const antialias = getGraphicsCapabilities().kind !== "software";
    return new WebGLRenderer({ canvas, antialias, alpha: true });
  } catch {
    return null;
  }
}

/** The models on the graphics processor of a surface and its coarse copy. */
interface RenderedCopies {
  full?: RenderedModel;
  coarse?: RenderedModel;
}

const listModels = (copies: RenderedCopies | undefined): RenderedModel[] =>
  [copies?.full, copies?.coarse].filter((model) => model !== undefined);

/** Updates the models; one of a surface and its coarse copy is drawn. Returns true if it is a copy for some surface. */
function updateModels(
  models: ReadonlyMap<string, RenderedCopies>,
  shown: RenderedScene,
  prefersCoarse: boolean,
): boolean {
  let isReplaced = false;
  const { section } = shown;
  const clipping = section ? createClippingPlanes(section) : [];
  for (const [id, { full, coarse }] of models) {
    const settings = {
      displaySettings: shown.displaySettings.get(id),
      pose: shown.poses.get(id),
      shading: shown.shading,
      clipping,
      isLineOnly: section?.side === "line",
    };
    full?.outline(section?.contours.get(id) ?? noContours, section?.plane ?? null, shown.size);
    full?.applySettings({ ...settings, tint: shown.tints.get(id) });
    // The colours of a distance map belong to the vertices of the surface itself.
    coarse?.applySettings({ ...settings, tint: undefined });
    if (!full || !coarse) continue;
    const drawsCopy = prefersCoarse && !shown.tints.has(id);
    (drawsCopy ? full : coarse).group.visible = false;
    isReplaced ||= drawsCopy;
  }
  return isReplaced;
}

const noContours: readonly [] = [];

function createClippingPlanes({ plane: { normal, offset }, side }: ShownSection): Plane[] {
  const kept = new Plane(new Vector3(...normal), -offset);
  return side === "above" ? [kept] : side === "below" ? [kept.negate()] : [];
}

const createSectionSheet = (): Mesh<PlaneGeometry, MeshBasicMaterial> => {
  const material = new MeshBasicMaterial({ color: "#6fb4ff", transparent: true, opacity: 0.12, side: DoubleSide });
  material.depthWrite = false;
  const sheet = new Mesh(new PlaneGeometry(1, 1), material);
  sheet.renderOrder = 2;
  return sheet;
};

/** Draws the plane itself as a translucent sheet around the middle of the image. */
function placeSheet(sheet: Mesh, { section, camera, size }: RenderedScene): void {
  sheet.visible = section !== null && section.side === "whole";
  if (!section) return;
  sheet.position.set(...projectOntoPlane(section.plane, camera.target));
  sheet.quaternion.copy(
    new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3(...section.plane.normal)),
  );
  sheet.scale.setScalar(Math.min(90, (0.8 * Math.max(size.width, size.height)) / camera.scale));
}

function createCamera(view: ModelCamera, { width, height }: Size): OrthographicCamera | PerspectiveCamera {
  const { right, up, eye, target, scale, hasPerspective } = view;
  const [wide, high] = [width / 2 / scale, height / 2 / scale];
  const camera = hasPerspective
    ? new PerspectiveCamera((2 * Math.atan(high / eyeDistance) * 180) / Math.PI, width / height, 5, farMm)
    : new OrthographicCamera(-wide, wide, high, -high, 0, farMm);
  const basis = new Matrix4().makeBasis(new Vector3(...right), new Vector3(...up), new Vector3(...eye));
  camera.quaternion.setFromRotationMatrix(basis);
  camera.position.set(...target).addScaledVector(new Vector3(...eye), hasPerspective ? eyeDistance : farMm / 2);
  return camera;
}

/** The light is attached to the camera: a little to the left and above. */
function placeLamp(lamp: DirectionalLight, { right, up, eye, target }: ModelCamera): void {
  lamp.position
    .set(...target)
    .addScaledVector(new Vector3(...eye), farMm / 2)
    .addScaledVector(new Vector3(...right), -farMm / 5)
    .addScaledVector(new Vector3(...up), farMm / 4);
  lamp.target.position.set(...target);
}

function copyCanvas(canvas: HTMLCanvasElement, background: string): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext("2d");
  if (!context) return copy;
  context.fillStyle = background;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  return copy;
}
