import { findTooth } from "@arcada/contract/chart/chart.rules";
import { severities } from "@arcada/contract/chart/chart.schema";
import type { ChartContent, ChartTooth, CrownCode, FindingCode, Presence } from "@arcada/contract/chart/chart.schema";
import {
  editTooth,
  findLastWith,
  withChanged,
  withConfirmation,
  withCrown,
  withFinding,
  withoutFinding,
  withPresence,
  withToggledSurface,
} from "./chart-edit.ts";
import type { ToothSurface } from "@arcada/contract/chart/chart.schema";
import type { ChartAuthor } from "./chart-edit.ts";

// Keys by their position on the keyboard, so that every layout and input method has the same ones.
export const presenceKeys: Record<Exclude<Presence, "unknown">, string> = {
  present: "Y",
  missing: "X",
  unerupted: "U",
  impacted: "I",
  implant: "T",
  pontic: "P",
  root: "R",
};
export const findingKeys: Record<FindingCode, string> = {
  caries: "C",
  periapicalRadiolucency: "A",
  boneLoss: "B",
  furcation: "F",
  calculus: "K",
  fracture: "X",
  rootRemnant: "R",
  resorption: "Z",
  wear: "W",
  restorationDefect: "D",
  widenedLigament: "L",
  filling: "I",
  crown: "O",
  pontic: "P",
  abutment: "Q",
  rootFilling: "E",
  post: "N",
  implant: "T",
  orthodonticAppliance: "Y",
  erupting: "U",
  unerupted: "H",
  impacted: "M",
  supernumerary: "S",
  exfoliating: "G",
  crowded: "V",
};
export const surfaceKeys: Record<ToothSurface, string> = {
  mesial: "M",
  occlusal: "O",
  distal: "D",
  buccal: "B",
  lingual: "L",
};
export const severityKey = "G";
export const confirmKey = "C";

/**
 * Codes of the World Health Organization (WHO) for the state of a tooth; 4 and 5: missing, 8: unerupted, 9: not
 * recorded.
 */
const whoCodes: Record<string, { crown: CrownCode } | { presence: Presence }> = {
  0: { crown: 0 },
  1: { crown: 1 },
  2: { crown: 2 },
  3: { crown: 3 },
  4: { presence: "missing" },
  5: { presence: "missing" },
  6: { crown: 6 },
  7: { crown: 7 },
  8: { presence: "unerupted" },
  9: { presence: "unknown" },
};

export interface PressedKey {
  /** The value of KeyboardEvent.code. */
  code: string;
  shift: boolean;
}
export interface EntryState {
  content: ChartContent;
  /** The current tooth. */
  at: number;
}
/** The result of a key; "unfit": the finding does not apply to the tooth. */
export type KeyResult = EntryState | { unfit: FindingCode };

/** Returns the order of entry: each row starts where the previous one ended. */
export const getEntryOrder = (rows: readonly (readonly number[])[]): number[] =>
  rows.flatMap((row, at) => (at % 2 === 0 ? row : row.toReversed()));

/** Returns the chart after one key at a tooth; undefined if the key has no function here. */
export function applyKey(
  entry: EntryState,
  key: PressedKey,
  order: readonly number[],
  author: ChartAuthor,
): KeyResult | undefined {
  const { content, at } = entry;
  const next = order[Math.min(order.indexOf(at) + 1, order.length - 1)] ?? at;
  const change = (edit: (tooth: ChartTooth) => ChartTooth): ChartContent => editTooth(content, at, edit);
  const state = key.shift ? undefined : getStateChange(key.code);
  if (state) return { content: change(state), at: next };
  if (key.code === "Delete") return { content: change((tooth) => withPresence(tooth, "unknown")), at };
  const tooth = findTooth(content, at);
  if (key.code === "Backspace") {
    const last = tooth.findings.at(-1);
    return { content: last ? change((one) => withoutFinding(one, last.id)) : content, at };
  }
  const letter = parseLetter(key.code);
  if (!letter) return undefined;
  if (key.shift) return toggleFinding(entry, letter, author);
  if (letter === confirmKey) return { content: withConfirmation(content, at, author), at };
  return changeDetail(entry, tooth, letter);
}

/** Returns the change for a key that sets the state of a whole tooth. */
function getStateChange(code: string): ((tooth: ChartTooth) => ChartTooth) | undefined {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  const whoCode = digit === undefined ? undefined : whoCodes[digit];
  if (whoCode)
    return (tooth) => ("crown" in whoCode ? withCrown(tooth, whoCode.crown) : withPresence(tooth, whoCode.presence));
  const presence = findByKey(presenceKeys, parseLetter(code));
  return presence && ((tooth) => withPresence(tooth, presence));
}

function toggleFinding({ content, at }: EntryState, letter: string, author: ChartAuthor): KeyResult | undefined {
  const code = findByKey(findingKeys, letter);
  if (!code) return undefined;
  const after = withFinding(findTooth(content, at), code, author);
  return after ? { content: editTooth(content, at, () => after), at } : { unfit: code };
}

/** Changes the surfaces or the severity of the most recent finding. */
function changeDetail({ content, at }: EntryState, tooth: ChartTooth, letter: string): KeyResult | undefined {
  const surface = findByKey(surfaceKeys, letter);
  const found = surface || letter === severityKey ? findLastWith(tooth, surface ? "surfaces" : "severity") : undefined;
  if (!found) return undefined;
  const degrees = [null, ...severities];
  const degree = degrees[(degrees.indexOf(found.severity) + 1) % degrees.length] ?? null;
  const after = surface
    ? withToggledSurface(tooth, found, surface)
    : withChanged(tooth, found.id, { severity: degree });
  return { content: editTooth(content, at, () => after), at };
}

const parseLetter = (code: string): string | undefined => /^Key([A-Z])$/.exec(code)?.[1];
const findByKey = <N extends string>(keys: Record<N, string>, letter: string | undefined): N | undefined =>
  (Object.keys(keys) as N[]).find((name) => keys[name] === letter);
