import type { ToolItems } from "../ui/toolbar/tool-buttons.tsx";
import { annotationKindOf, type DrawingTool } from "./annotation-kind-registry.ts";

/** Annotation tools for a viewer's toolbar. */
export const annotationToolRows = <N extends DrawingTool>(names: readonly N[]): ToolItems<N> =>
  names.map((name) => ({ name, icon: annotationKindOf(name).icon, keys: annotationKindOf(name).keys }));
