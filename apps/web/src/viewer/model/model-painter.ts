import {
  BufferAttribute,
  BufferGeometry,
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  OrthographicCamera,
  Ray,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { MeshBVH } from "three-mesh-bvh";
import type { Spot } from "@arcada/imaging/view/measure";
import { sightOf, type ModelCamera } from "@arcada/imaging/view/model-camera";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { Vector } from "@arcada/imaging/view/vector";
import type { ReadyMesh } from "./mesh.worker.ts";

export interface ModelLook {
  isVisible: boolean;
  /** CSS colour of the whole model. */
  colour: string;
  /** 0 to 1. */
  opacity: number;
  /** Shows the scan's own colours, where it has any. */
  ownColours: boolean;
}

export interface Picked {
  id: string;
  point: Vector;
}

export interface ModelPainter {
  put: (id: string, mesh: ReadyMesh) => void;
  remove: (id: string) => void;
  paint: (camera: ModelCamera, size: Size, looks: ReadonlyMap<string, ModelLook>) => void;
  /** The nearest visible surface under a point of the pane. */
  pick: (camera: ModelCamera, size: Size, at: Spot) => Picked | null;
  dispose: () => void;
}

interface Shown {
  mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  /** Fills the depth before glass is drawn: of a transparent model only its nearest surface is seen, not its inside. */
  veil: Mesh<BufferGeometry, MeshBasicMaterial>;
  bvh: MeshBVH;
}

/** mm before and behind the middle: no dental model is larger. */
const far = 2000;

/** Draws models with three; null where WebGL 2 is absent. */
export function modelPainter(canvas: HTMLCanvasElement): ModelPainter | null {
  const renderer = rendererOn(canvas);
  if (!renderer) return null;
  const scene = new Scene();
  const camera = new OrthographicCamera();
  const lamp = new DirectionalLight("white", 2.2);
  scene.add(new HemisphereLight("white", "#9a9186", 1.1), lamp, lamp.target);
  const models = new Map<string, Shown>();
  const remove = (id: string) => {
    const model = models.get(id);
    if (!model) return;
    scene.remove(model.mesh, model.veil);
    model.mesh.geometry.dispose();
    model.mesh.material.dispose();
    model.veil.material.dispose();
    models.delete(id);
  };
  return {
    put: (id, ready) => {
      remove(id);
      const model = shownOf(ready);
      models.set(id, model);
      scene.add(model.veil, model.mesh);
    },
    remove,
    paint: (view, size, looks) => {
      for (const [id, model] of models) dress(model, looks.get(id));
      aim(camera, lamp, view, size);
      renderer.setPixelRatio(window.devicePixelRatio || 1);
      renderer.setSize(size.width, size.height, false);
      renderer.render(scene, camera);
    },
    pick: (view, size, at) => nearest(models, view, size, at),
    dispose: () => {
      for (const id of models.keys()) remove(id);
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

function shownOf({ positions, indices, normals, colours, bvh }: ReadyMesh): Shown {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  if (colours) geometry.setAttribute("color", new BufferAttribute(colours, 3, true));
  geometry.setIndex(new BufferAttribute(indices, 1));
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ roughness: 0.55, metalness: 0, side: DoubleSide }));
  const veil = new Mesh(geometry, new MeshBasicMaterial({ colorWrite: false, side: DoubleSide }));
  // Opaque models come first: they are seen through the glass.
  veil.renderOrder = 1;
  return { mesh, veil, bvh: MeshBVH.deserialize(bvh, geometry, { setIndex: false }) };
}

function dress({ mesh, veil }: Shown, look: ModelLook | undefined): void {
  mesh.visible = veil.visible = look?.isVisible ?? false;
  if (!look) return;
  const { material } = mesh;
  const hasOwn = look.ownColours && mesh.geometry.hasAttribute("color");
  const isGlass = look.opacity < 1;
  if (material.vertexColors !== hasOwn || material.transparent !== isGlass) material.needsUpdate = true;
  material.vertexColors = hasOwn;
  material.color.set(hasOwn ? "white" : look.colour);
  material.transparent = isGlass;
  material.opacity = look.opacity;
  veil.visible = mesh.visible && isGlass;
}

function aim(
  camera: OrthographicCamera,
  lamp: DirectionalLight,
  { right, up, eye, target, scale }: ModelCamera,
  { width, height }: Size,
): void {
  const basis = new Matrix4().makeBasis(new Vector3(...right), new Vector3(...up), new Vector3(...eye));
  camera.quaternion.setFromRotationMatrix(basis);
  camera.position.set(...target).addScaledVector(new Vector3(...eye), far / 2);
  [camera.left, camera.right, camera.top, camera.bottom] = [
    -width / 2 / scale,
    width / 2 / scale,
    height / 2 / scale,
    -height / 2 / scale,
  ];
  [camera.near, camera.far] = [0, far];
  camera.updateProjectionMatrix();
  // The lamp is held beside the head of who looks: a little to the left and above.
  lamp.position
    .copy(camera.position)
    .addScaledVector(new Vector3(...right), -far / 5)
    .addScaledVector(new Vector3(...up), far / 4);
  lamp.target.position.set(...target);
}

function nearest(models: ReadonlyMap<string, Shown>, camera: ModelCamera, size: Size, at: Spot): Picked | null {
  const { origin, direction } = sightOf(camera, size, at, far / 2);
  const ray = new Ray(new Vector3(...origin), new Vector3(...direction));
  let best: (Picked & { distance: number }) | null = null;
  for (const [id, { mesh, bvh }] of models) {
    if (!mesh.visible) continue;
    const hit = bvh.raycastFirst(ray, DoubleSide);
    if (hit && (!best || hit.distance < best.distance))
      best = { id, distance: hit.distance, point: [hit.point.x, hit.point.y, hit.point.z] };
  }
  return best;
}
