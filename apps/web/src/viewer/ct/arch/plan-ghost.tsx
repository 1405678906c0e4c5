import type { Annotation } from "@arcada/contract/study/annotation";
import { minus, plus, times, type Vector } from "@arcada/imaging/geometry/vector";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { AnnotationDraft } from "../../annotations/drawing/annotation-draft.ts";
import type { CtTool } from "../use-ct-controls.ts";
import styles from "./arch-overlays.module.css";
import { buildPlan, completeImplant, defaultRootSize } from "./implant-plan/implant-plan.ts";
import type { PlanProjection } from "./implant-plan/plan-projection.ts";
import type { Arch } from "./use-arch.ts";

interface Props {
  controls: { tool: CtTool };
  drawing: { draft: AnnotationDraft<Vector> | null };
  /** The point below the pointer in this viewport. */
  hoveredPoint: Vector | null;
  arch: Pick<Arch, "size" | "jaw" | "up">;
  view: Pick<PlanProjection, "outline" | "rootOutline">;
}

/**
 * The implant or root that the next click would place, in its true size: it follows the pointer, and after the first
 * click it turns with it in all viewports.
 */
export function PlanGhost(props: Props) {
  const outline = buildGhostOutline(props);
  if (outline.length < 3) return null;
  return (
    <svg className={styles.layer} aria-hidden data-ghost>
      <path className={styles.ghost} d={`M${outline.map((point) => point.join(",")).join(" ")}Z`} />
    </svg>
  );
}

function buildGhostOutline({ controls: { tool }, drawing: { draft }, hoveredPoint, arch, view }: Props): Point2D[] {
  const drawn = draft?.tool === tool ? draft.points : null;
  const points = drawn ?? (hoveredPoint && [hoveredPoint, hoveredPoint]);
  if (!points) return [];
  const ghost: Annotation = {
    id: "ghost",
    tool: "implant",
    instanceId: null,
    plane: "volume",
    points: points.map((point) => [...point]),
    text: null,
    settings: {},
  };
  if (tool === "implant") {
    const [implant] = buildPlan([completeImplant(ghost, arch.size, arch.jaw, arch.up)]).implants;
    if (!implant) return [];
    // The pointer is exactly at the shoulder, where rounding would decide if the shown plane still cuts the body.
    const { head, apex } = implant.body;
    return view.outline({ ...implant.body, head: plus(head, times(minus(head, apex), 0.01)) });
  }
  // A root has no length of its own before its second point.
  if (tool !== "root" || !drawn) return [];
  const [root] = buildPlan([{ ...ghost, tool: "root", settings: { ...defaultRootSize } }]).roots;
  return root ? view.rootOutline(root.root) : [];
}
