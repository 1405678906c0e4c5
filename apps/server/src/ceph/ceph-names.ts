import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import type { CephMeasureName } from "@arcada/analysis/ceph/measures";
import { nameAnalysis, nameMeasure } from "@arcada/analysis/ceph/literature-labels";
import type { TranslateIn } from "../platform/text/texts.ts";

export type Translate = TranslateIn<"ceph">;

/** Names analyses and measures by their symbols, else in the reader's language. */
export const cephNames = {
  analysis: (name: CephAnalysis, translate: Translate): string =>
    nameAnalysis(name, (one) => translate(`analysis.${one}`)),
  measure: (name: CephMeasureName, translate: Translate): string =>
    nameMeasure(name, (one) => translate(`measure.${one}`)),
};
