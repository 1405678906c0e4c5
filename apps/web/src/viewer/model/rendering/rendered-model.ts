import type { Contour } from "@arcada/imaging/mesh/contour";
import { identityTransform, type RigidTransform } from "@arcada/imaging/geometry/rigid-transform";
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Sphere,
  Vector3,
  type Plane,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { SectionPlane } from "@arcada/imaging/view/section-plane";
import type { ReadyMesh } from "../mesh/load-mesh.worker.ts";
import type { ModelDisplaySettings, Shading } from "./model-display-settings.ts";
import { triangulateCap } from "../section/section-cap.ts";

export interface RenderedModelSettings {
  displaySettings: ModelDisplaySettings | undefined;
  pose: RigidTransform | undefined;
  shading: Shading;
  tint: Uint16Array | undefined;
  /** The planes behind which the model is cut away. */
  clipping: Plane[];
  /** True if only the section's line is shown. */
  isLineOnly: boolean;
}

/** One model on the graphics processor. */
export class RenderedModel {
  readonly group = new Group();
  /** The section's lines and the areas that they enclose, in the scene's space: added beside the group. */
  readonly outlines = new Group();
  readonly #lines: LineSegments2;
  readonly #cap: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  // Fills the depth buffer before a transparent model is drawn: only its nearest surface is seen, not its inside.
  readonly #veil: Mesh<BufferGeometry, MeshBasicMaterial>;
  readonly #own: Uint16Array | null;
  #tint: Uint16Array | null = null;
  #contours: readonly Contour[] = [];

  constructor({ positions, indices, normals, colours, bounds: { min, max } }: ReadyMesh) {
    const geometry = new BufferGeometry();
    // Around the box, which is known: three would ask every vertex before the first picture.
    geometry.boundingSphere = new Sphere(
      new Vector3(...min).lerp(new Vector3(...max), 0.5),
      new Vector3(...min).distanceTo(new Vector3(...max)) / 2,
    );
    geometry.setAttribute("position", new BufferAttribute(positions, 3));
    geometry.setAttribute("normal", new BufferAttribute(normals, 3));
    if (colours) geometry.setAttribute("color", new BufferAttribute(colours.slice(), 3, true));
    geometry.setIndex(new BufferAttribute(indices, 1));
    this.#own = colours;
    this.#mesh = new Mesh(geometry, new MeshStandardMaterial({ roughness: 0.55, metalness: 0, side: DoubleSide }));
    this.#veil = new Mesh(geometry, new MeshBasicMaterial({ colorWrite: false, side: DoubleSide }));
    // Opaque models are drawn first: they are seen through transparent ones.
    this.#veil.renderOrder = 1;
    this.group.matrixAutoUpdate = false;
    this.group.add(this.#veil, this.#mesh);
    this.#lines = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ linewidth: 2.5, depthTest: false }));
    this.#lines.renderOrder = 3;
    this.#cap = new Mesh(new BufferGeometry(), new MeshBasicMaterial({ side: DoubleSide }));
    this.outlines.visible = false;
    this.outlines.add(this.#cap, this.#lines);
  }

  applySettings({ displaySettings, pose, shading, tint, clipping, isLineOnly }: RenderedModelSettings): void {
    this.group.visible = (displaySettings?.isVisible ?? false) && !isLineOnly;
    this.outlines.visible = (displaySettings?.isVisible ?? false) && this.#contours.length > 0;
    if (!displaySettings) return;
    const [a, b, c, x, d, e, f, y, g, h, i, z] = pose ?? identityTransform;
    this.group.matrix.set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1);
    this.#colour(tint ?? null);
    const { material } = this.#mesh;
    const hasColours = tint !== undefined || (displaySettings.ownColours && this.#own !== null);
    const isGlass = displaySettings.opacity < 1 && shading !== "wire";
    const isFlat = shading === "flat";
    if (material.vertexColors !== hasColours || material.transparent !== isGlass || material.flatShading !== isFlat)
      material.needsUpdate = true;
    material.vertexColors = hasColours;
    material.transparent = isGlass;
    material.flatShading = isFlat;
    material.wireframe = shading === "wire";
    material.color.set(hasColours ? "white" : displaySettings.colour);
    material.opacity = displaySettings.opacity;
    this.#veil.visible = isGlass;
    material.clippingPlanes = this.#veil.material.clippingPlanes = clipping;
    this.#lines.material.color.set(displaySettings.line);
    // A cap is visible only if something has been cut away.
    this.#cap.visible = clipping.length > 0 || isLineOnly;
    this.#cap.material.color.set(displaySettings.colour).multiplyScalar(0.6);
  }

  /** The lines of a section in the scene's space. */
  outline(contours: readonly Contour[], plane: SectionPlane | null, size: { width: number; height: number }): void {
    this.#lines.material.resolution.set(size.width, size.height);
    if (contours === this.#contours) return;
    this.#contours = contours;
    this.#lines.geometry.dispose();
    this.#lines.geometry = new LineSegmentsGeometry();
    this.#cap.geometry.dispose();
    this.#cap.geometry = new BufferGeometry();
    if (contours.length === 0 || !plane) return;
    this.#lines.geometry.setPositions(segmentsOf(contours));
    this.#cap.geometry.setAttribute("position", new BufferAttribute(triangulateCap(contours, plane.normal), 3));
  }

  dispose(): void {
    this.#mesh.geometry.dispose();
    this.#mesh.material.dispose();
    this.#veil.material.dispose();
    for (const part of [this.#lines, this.#cap]) {
      part.geometry.dispose();
      part.material.dispose();
    }
  }

  /** Always writes to the same buffer: a replaced one stays on the graphics processor as long as the model. */
  #colour(tint: Uint16Array | null): void {
    if (tint === this.#tint) return;
    this.#tint = tint;
    const { geometry } = this.#mesh;
    const wanted = tint ?? this.#own;
    if (!wanted) return;
    if (!geometry.hasAttribute("color"))
      geometry.setAttribute("color", new BufferAttribute(new Uint16Array(wanted.length), 3, true));
    const colours = geometry.getAttribute("color") as BufferAttribute;
    colours.copyArray(wanted);
    colours.needsUpdate = true;
  }
}

function segmentsOf(contours: readonly Contour[]): Float32Array {
  const pieces = contours.reduce((sum, { points, isClosed }) => sum + points.length - (isClosed ? 0 : 1), 0);
  const segments = new Float32Array(6 * pieces);
  let at = 0;
  for (const { points, isClosed } of contours) {
    points.forEach((point, index) => {
      const next = points[index + 1] ?? (isClosed ? points[0] : undefined);
      if (!next) return;
      segments.set(point, at);
      segments.set(next, at + 3);
      at += 6;
    });
  }
  return segments;
}
