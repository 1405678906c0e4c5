import type { AnnotationTool } from "@arcada/contract/study/annotation";
import type { AnnotationKind } from "./annotation-kind-types.ts";
import { angle } from "./kinds/angle.ts";
import { arch } from "./kinds/arch.ts";
import { arrow } from "./kinds/arrow.ts";
import { calibration } from "./kinds/calibration.ts";
import { canal } from "./kinds/canal.ts";
import { cobb } from "./kinds/cobb.ts";
import { ellipse } from "./kinds/ellipse.ts";
import { implant } from "./kinds/implant.ts";
import { length } from "./kinds/length.ts";
import { path } from "./kinds/path.ts";
import { profile } from "./kinds/profile.ts";
import { ratio } from "./kinds/ratio.ts";
import { rectangle } from "./kinds/rectangle.ts";
import { root } from "./kinds/root.ts";
import { sinus } from "./kinds/sinus.ts";
import { surface } from "./kinds/surface-path.ts";
import { text } from "./kinds/text.ts";
import { thickness } from "./kinds/thickness.ts";
import { tooth } from "./kinds/tooth.ts";

/** The tools that are drawn by points in the same way in every viewer. */
const annotationKinds = {
  length,
  path,
  angle,
  cobb,
  ratio,
  profile,
  ellipse,
  rectangle,
  calibration,
  arrow,
  text,
  tooth,
  surface,
  thickness,
  arch,
  canal,
  implant,
  root,
  sinus,
} as const satisfies Partial<Record<AnnotationTool, AnnotationKind>>;
export type DrawingTool = keyof typeof annotationKinds;

export const annotationKindOf = (tool: DrawingTool): AnnotationKind => annotationKinds[tool];
export const isDrawingTool = (tool: string): tool is DrawingTool => tool in annotationKinds;
