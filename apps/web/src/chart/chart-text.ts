import { isConfirmedFinding } from "@arcada/contract/chart/chart.rules";
import type { ChartTooth, Finding } from "@arcada/contract/chart/chart.schema";
import { formatList } from "../i18n/format.ts";
import type { Translate } from "../i18n/texts.ts";
import { getSurfaceName } from "@arcada/contract/chart/surface-name";

/** A finding in words: caries, deep (mesial, occlusal). */
export function describeFinding(t: Translate, tooth: number, { code, severity, surfaces }: Finding): string {
  const details = [
    ...(severity ? [t(`chart.severity.${severity}`)] : []),
    ...surfaces.map((one) => t(`chart.surface.${getSurfaceName(tooth, one)}`)),
  ];
  return details.length > 0 ? `${t(`chart.finding.${code}`)} (${formatList(details)})` : t(`chart.finding.${code}`);
}

/** Returns all data of a tooth in one line. */
export function describeTooth(t: Translate, { fdi, presence, crown, findings }: ChartTooth): string {
  const open = findings.filter(isConfirmedFinding).map((one) => describeFinding(t, fdi, one));
  const state = presence === "present" && crown !== null ? [] : [t(`chart.presence.${presence}`)];
  return formatList([...state, ...(crown === null ? [] : [t(`chart.crown.${crown}`)]), ...open]);
}
