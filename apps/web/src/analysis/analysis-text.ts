import { readArchPart, readCanalSide } from "@arcada/contract/analysis/arch-target";
import { parseMethodStudy } from "@arcada/contract/analysis/method-evaluation-set";
import type { TrustLevel } from "@arcada/contract/analysis/trust-levels";
import type { AnalysisRow, SeenObservation } from "@arcada/contract/analysis/analysis.calls";
import {
  codeToFinding,
  filmCodes,
  filmRegions,
  filmToothKinds,
  measurementCodes,
} from "@arcada/contract/analysis/observation";
import type { Confidence, EngineInfo, Target } from "@arcada/contract/analysis/observation";
import { severities } from "@arcada/contract/chart/chart.schema";
import type { Language } from "@arcada/contract/kernel/languages";
import { formatNumber } from "../i18n/format.ts";
import type { Translate } from "../i18n/texts.ts";

/** Requires the texts `analysis` and `chart` to be loaded. */
export function getCodeName(t: Translate, code: string): string {
  const finding = codeToFinding(code);
  if (finding) return t(`chart.finding.${finding}`);
  if (code.startsWith("CEPH_LM_")) return t("analysis.code.CEPH_LM", { id: code.slice("CEPH_LM_".length) });
  const known = namedCodes.find((one) => one === code);
  return known ? t(`analysis.code.${known}`) : code;
}

/** An engine's card in this language, as far as its maker translated it. */
export function translateCard({ translations, ...card }: EngineInfo["card"], language: Language): EngineInfo["card"] {
  const own = translations?.[language];
  if (!own) return card;
  const word = (text: string): string => own.words[text] ?? text;
  return {
    ...card,
    intendedUse: own.intendedUse,
    limits: own.limits,
    trainedOn: own.trainedOn ?? card.trainedOn,
    metrics: card.metrics.map((metric) => ({ ...metric, name: word(metric.name), set: word(metric.set) })),
  };
}

/** The observation with the name of its data set in this language, as far as the maker of the engine translated it. */
export function translateDataset(
  observation: SeenObservation,
  { translations }: EngineInfo["card"],
  language: Language,
): SeenObservation {
  const { confidence } = observation;
  const set = "set" in confidence && translations?.[language]?.words[confidence.set];
  return set ? { ...observation, confidence: { ...confidence, set } } : observation;
}

const namedCodes = [...measurementCodes, ...filmCodes, "TOOTH_BOX", "TOOTH_MISSING"] as const;

type FormatTooth = (tooth: number) => string;
export function getTargetName(
  t: Translate,
  tooth: FormatTooth,
  { code, target }: { code: string; target: Target },
): string {
  const side = readCanalSide(code, target);
  if (side) return t(`analysis.canalSide.${side}`);
  const part = readArchPart(code, target);
  if (part)
    return [t(`analysis.arch.${part.jaw}`), part.cut && t(`analysis.arch.${part.cut}`)].filter(Boolean).join(", ");
  if (target.kind === "image") return t("analysis.target.image");
  if (target.kind === "tooth") return t("analysis.target.tooth", { tooth: tooth(target.fdi) });
  if (target.kind === "landmark") return target.id;
  if (target.from === null || target.to === null) return target.name ?? t("analysis.target.image");
  return t("analysis.target.region", { from: tooth(target.from), to: tooth(target.to) });
}

export function formatValue(t: Translate, { value, unit }: Pick<SeenObservation, "value" | "unit">): string {
  if (value === null) return "";
  if (typeof value === "boolean") return t(value ? "analysis.value.yes" : "analysis.value.no");
  if (typeof value === "string") {
    const shown = [...filmRegions, ...filmToothKinds].find((one) => one === value);
    if (shown) return t(`analysis.film.${shown}`);
    const severity = severities.find((one) => one === value);
    return severity ? t(`chart.severity.${severity}`) : value;
  }
  return [formatNumber(value, getFractionDigits(value, unit)), unit].filter(Boolean).join("\u00a0");
}
/** Returns as many digits as the error justifies. */
function getFractionDigits(value: number, unit: string | null): number {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return 0;
  return Math.abs(value) >= 1 || unit === "°" || unit === "%" ? 1 : 3;
}

/** Never shows a bare percentage: the text names the reference of the share. */
export function formatConfidence(t: Translate, confidence: Confidence): string {
  if (confidence.basis === "none") return "";
  if (confidence.basis === "score") return t(`analysis.confidence.${getScoreThird(confidence.value)}`);
  if (confidence.basis === "calibrated")
    return t("analysis.confidence.calibrated", {
      percent: formatNumber(confidence.p * 100, 1),
      n: confidence.n,
      set: confidence.set,
    });
  const { plusMinus, unit } = confidence;
  const set = describeDataset(t, confidence.set);
  return t("analysis.confidence.error", {
    value: formatNumber(plusMinus, getFractionDigits(plusMinus, unit)),
    unit,
    set,
  });
}
/** The data set on which the error was measured. For engines of other makers it is the maker's own text. */
function describeDataset(t: Translate, set: string): string {
  const study = parseMethodStudy(set);
  return study ? t(`analysis.study.${study.kind}`, { count: study.count }) : set;
}
const getScoreThird = (value: number): "low" | "medium" | "high" =>
  value < 1 / 3 ? "low" : value < 2 / 3 ? "medium" : "high";

/** "B · Suggestion by a model". */
export const formatTrustLevel = (t: Translate, level: TrustLevel): string =>
  `${level} · ${t(`analysis.level.${level}`)}`;

export function getEngineName(t: Translate, { kind, id }: Pick<EngineInfo, "kind" | "id">): string {
  if (kind === "measurement") return t("analysis.engine.measurement");
  const own = ownPacks.find((name) => id === `arcada.${name}`);
  return own ? t(`analysis.arcada.${own}`) : id;
}
/** Our own packs have names in the reader's language; other makers name theirs. */
const ownPacks = ["teeth", "ceph", "film"] as const;
export const getAnalysisName = (t: Translate, { engine }: AnalysisRow): string => getEngineName(t, engine);
