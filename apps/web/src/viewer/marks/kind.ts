import type { Icon } from "@tabler/icons-react";
import type { Mark, MarkTool } from "@arcada/contract/study/mark";
import type { Measured, Spot } from "@arcada/imaging/view/measure";
import type { Translate } from "../../kernel/texts.ts";
import { angle } from "./kinds/angle.ts";
import { length } from "./kinds/length.ts";

/** How a viewer measures between its own points: pixels of a picture with their spacing, or patient mm. */
export interface Ruler {
  length: (a: readonly number[], b: readonly number[]) => Measured;
  /** The angle at `corner`, 0 to 180 degrees. */
  angle: (a: readonly number[], corner: readonly number[], b: readonly number[]) => Measured;
}

/** A mark as far as it is drawn: its points in the viewer's own coordinates. */
export type Drawn = Pick<Mark, "points" | "text" | "settings">;

/** What one tool draws and says. One tool, one file in `kinds`; its name, label and number of points are told by the contract and `viewer.tool`. */
export interface MarkKind {
  icon: Icon;
  keys: string;
  label: (t: Translate, drawn: Drawn, ruler: Ruler) => string;
  /** The lines between its points on the screen; without it one line through all of them. */
  lines?: (points: readonly Spot[]) => readonly (readonly Spot[])[];
  /** Which of its points the words stand beside; without it the last. */
  labelAt?: number;
}

/** The tools that are drawn by points alike in every viewer. */
export const markKinds = { length, angle } as const satisfies Partial<Record<MarkTool, MarkKind>>;
export type DrawnTool = keyof typeof markKinds;

export const kindOf = (tool: DrawnTool): MarkKind => markKinds[tool];
export const isDrawn = (tool: string): tool is DrawnTool => tool in markKinds;
