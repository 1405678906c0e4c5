import { isOpen } from "@arcada/contract/chart/chart.rules";
import type { ChartTooth, Finding } from "@arcada/contract/chart/chart.shape";
import { showList } from "../kernel/format.ts";
import type { Translate } from "../kernel/texts.ts";
import { surfaceName } from "./surface-fields.ts";

/** A finding in words: caries, deep (mesial, occlusal). */
export function findingWords(t: Translate, tooth: number, { code, severity, surfaces }: Finding): string {
  const said = [
    ...(severity ? [t(`chart.severity.${severity}`)] : []),
    ...surfaces.map((one) => t(`chart.surface.${surfaceName(tooth, one)}`)),
  ];
  return said.length > 0 ? `${t(`chart.finding.${code}`)} (${showList(said)})` : t(`chart.finding.${code}`);
}

/** Returns all data of a tooth in one line. */
export function toothWords(t: Translate, { fdi, presence, crown, findings }: ChartTooth): string {
  const open = findings.filter(isOpen).map((one) => findingWords(t, fdi, one));
  const state = presence === "present" && crown !== null ? [] : [t(`chart.presence.${presence}`)];
  return showList([...state, ...(crown === null ? [] : [t(`chart.crown.${crown}`)]), ...open]);
}
