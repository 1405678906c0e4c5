import vm from "node:vm";
import { RegExpParser } from "@eslint-community/regexpp";
import type { AST } from "@eslint-community/regexpp";

/** A text that is meant to make a pattern slow, and how it was made. */
export interface HostileText {
  shape: string;
  text: string;
}

const characters = [
  "a",
  "A",
  "1",
  ".",
  "@",
  " ",
  "\n",
  "\t",
  "-",
  "_",
  "=",
  "/",
  "^",
  "\0",
  '"',
  "{",
  "<",
  "“",
  "中",
  "é",
  "😀",
  "א",
  "ع",
  "、",
  "〈",
  "壮",
];

/** Texts of `size` characters from the pattern's own characters: runs, repeated prefixes and near-matches. */
export function hostileTexts(source: string, flags: string, size: number): HostileText[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  const samples = new PatternSamples(pattern, flags);
  const shapes = new Map<string, HostileText>();
  const add = (shape: string, ...parts: [unit: string, share: number][]): void => {
    const text = parts.map(([unit, share]) => (share === 0 ? unit : repeatTo(unit, size * share))).join("");
    if (text !== "" && !shapes.has(text)) shapes.set(text, { shape, text });
  };
  for (const unit of [...characters, ...samples.literals, "a ", "a\n", "\r\n", " \n", '"a'])
    for (const end of ["", "\n!"]) add(`${quote(unit)}* then ${quote(end)}`, [unit, 1], [end, 0]);
  for (const [name, text] of samples.prefixes())
    for (const end of ["", "\n", "\0"]) add(`${name} ${quote(text)}* then ${quote(end)}`, [text, 1], [end, 0]);
  for (const { before, pumps, stops, after } of samples.loops())
    for (const pump of pumps)
      for (const stop of ["", ...stops]) {
        const around = `${quote(before)} ${quote(pump)}* ${quote(stop)}`;
        add(around, [before, 0], [pump, 1], [stop, 0]);
        add(`${quote(stop)} ${quote(pump)}* ${quote(stop)}`, [stop, 0], [pump, 1], [stop, 0]);
        add(`(${quote(before + pump)})* ${quote(stop)}`, [before + pump, 1], [stop, 0]);
        add(`${around} ${quote(after)}`, [before, 0], [pump, 1], [after.slice(0, -1) + stop, 0]);
        for (const other of pumps)
          add(
            `${quote(before)} ${quote(pump)}* ${quote(other)}* ${quote(stop)}`,
            [before, 0],
            [pump, 0.5],
            [other, 0.5],
            [stop, 0],
          );
      }
  return [...shapes.values()];
}

const repeatTo = (unit: string, size: number): string =>
  unit.repeat(Math.max(1, Math.floor(size / Math.max(1, unit.length))));
const quote = (text: string): string => JSON.stringify(text.length > 24 ? `${text.slice(0, 24)}…` : text);

interface Loop {
  /**
   * A text that must precede the repeated part, texts that it repeats, texts that end it, and a text that may follow.
   */
  before: string;
  pumps: string[];
  stops: string[];
  after: string;
}

/** Texts that a pattern matches, built from its syntax tree. */
class PatternSamples {
  readonly literals: string[];
  readonly #pattern: AST.Pattern;
  readonly #flags: string;
  readonly #known = new Map<string, { inside: string[]; outside: string[] }>();
  constructor(pattern: AST.Pattern, flags: string) {
    this.#pattern = pattern;
    this.#flags = flags.replace(/[gy]/g, "");
    const found = nodesOf(pattern).filter((node) => node.type === "Character");
    this.literals = [...new Set(found.map(({ value }) => String.fromCodePoint(value)))].slice(0, 24);
  }

  /** Returns every beginning of a matching text, up to the whole text, for each alternative. */
  prefixes(): [name: string, text: string][] {
    return this.#pattern.alternatives.slice(0, 12).flatMap((alternative, at) =>
      alternative.elements.map((_, end): [string, string] => [
        `beginning ${end + 1} of alternative ${at + 1}:`,
        alternative.elements
          .slice(0, end + 1)
          .map((one) => this.#of(one))
          .join(""),
      ]),
    );
  }

  loops(): Loop[] {
    return nodesOf(this.#pattern)
      .filter((node) => node.type === "Quantifier")
      .filter(({ max }) => max > 50)
      .slice(0, 12)
      .map((loop) => {
        const [before, after] = this.#around(loop);
        return { before, after, ...this.#pumps(loop.element) };
      });
  }

  #pumps(element: AST.Element): { pumps: string[]; stops: string[] } {
    if (element.type === "CharacterClass" || element.type === "CharacterSet" || element.type === "Character") {
      const { inside, outside } = this.#split(element.raw);
      return { pumps: inside.slice(0, 4), stops: [...outside.slice(0, 2), "\n\0"] };
    }
    const inner = nodesOf(element).filter((node) => node.type === "Alternative");
    const pumps = inner.slice(0, 4).map(({ elements }) => elements.map((one) => this.#of(one)).join(""));
    return { pumps: pumps.filter((text) => text !== ""), stops: ["\0", "\n!"] };
  }

  #around(node: AST.Element): [before: string, after: string] {
    let [before, after] = ["", ""];
    for (let at: AST.Node = node; at.parent; at = at.parent) {
      if (at.parent.type !== "Alternative") continue;
      const { elements } = at.parent;
      const place = elements.indexOf(at as AST.Element);
      before =
        elements
          .slice(0, place)
          .map((one) => this.#of(one))
          .join("") + before;
      after += elements
        .slice(place + 1)
        .map((one) => this.#of(one))
        .join("");
    }
    return [before, after];
  }

  #of(element: AST.Element): string {
    switch (element.type) {
      case "Character":
        return String.fromCodePoint(element.value);
      case "CharacterSet":
      case "CharacterClass":
        return this.#split(element.raw).inside[0] ?? "";
      case "Quantifier":
        return this.#of(element.element).repeat(Math.min(Math.max(element.min, 1), 40));
      case "Group":
      case "CapturingGroup":
        return element.alternatives[0].elements.map((one) => this.#of(one)).join("");
      case "Assertion":
      case "Backreference":
      case "ExpressionCharacterClass":
        return "";
    }
  }

  /** Splits the characters into those that a class matches and those that it does not. */
  #split(raw: string): { inside: string[]; outside: string[] } {
    const known = this.#known.get(raw);
    if (known) return known;
    const one = new RegExp(`^(?:${raw})$`, this.#flags);
    const all = [...new Set([...this.literals, ...characters])];
    const split = {
      inside: all.filter((character) => one.test(character)),
      outside: all.filter((character) => !one.test(character)),
    };
    this.#known.set(raw, split);
    return split;
  }
}

/** A node and all below it. */
function nodesOf(node: AST.Node): AST.Node[] {
  const below: AST.Node[] =
    "alternatives" in node
      ? node.alternatives
      : node.type === "Alternative" || (node.type === "CharacterClass" && !node.unicodeSets)
        ? (node.elements as AST.Node[])
        : node.type === "Quantifier"
          ? [node.element]
          : node.type === "CharacterClassRange"
            ? [node.min, node.max]
            : [];
  return [node, ...below.flatMap(nodesOf)];
}

/** Texts for any field: runs, near-addresses, near-dates, lists without end. */
export function hostileFieldTexts(size: number): HostileText[] {
  const units = [
    "a@",
    ".",
    "a@a.",
    "a",
    "1",
    " ",
    "\n",
    "/",
    "=",
    "^",
    "\0",
    ",",
    "-",
    '"',
    "(",
    "中",
    "😀",
    "00000000-0000-7000-8000-000000000000,",
  ];
  const runs = units.flatMap((unit) =>
    ["", "x\n"].map((end) => ({ shape: `${quote(unit)}* ${quote(end)}`, text: repeatTo(unit, size) + end })),
  );
  const around: [before: string, unit: string, after: string][] = [
    ["a@", ".", "@"],
    ["2026-01-01T00:00:00.", "1", "x"],
    ["https://", "a.", "/"],
    ["https://a/", "../", ""],
    ["data:image/png;base64,", "A", "!"],
  ];
  return [
    ...runs,
    ...around.map(([before, unit, after]) => ({
      shape: `${quote(before)} ${quote(unit)}* ${quote(after)}`,
      text: before + repeatTo(unit, size) + after,
    })),
  ];
}

// Making a context takes three milliseconds, and a proof measures thousands of times.
const context = vm.createContext({ work: (): unknown => undefined });
const script = new vm.Script("work()");

/**
 * Returns the ms of processor time of this thread, independent of other load. Work that has taken `limitMs` is aborted
 * soon. The wall-clock timer for that is extended while the machine is busy with other things.
 */
export function measureCpuMs(work: () => unknown, limitMs: number): number {
  context["work"] = work;
  for (let timeout = 4 * limitMs; ; timeout *= 3) {
    const before = process.threadCpuUsage();
    let isWhole = true;
    try {
      script.runInContext(context, { timeout });
    } catch (error) {
      if ((error as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      isWhole = false;
    }
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (isWhole || ms >= limitMs) return ms;
  }
}

/**
 * Returns the ms of processor time of the shortest of at most three runs; it ends with the first one below `limitMs`.
 * A run can include the collection of garbage that earlier work left.
 */
export function measureShortestCpuMs(work: () => unknown, limitMs: number): number {
  let ms = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3 && ms >= limitMs; turn++) ms = Math.min(ms, measureCpuMs(work, limitMs));
  return ms;
}
