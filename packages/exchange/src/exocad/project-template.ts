import { ExchangeError } from "../exchange-error.ts";
import { childOf, childrenOf, isNamed, readXml, textOf } from "../xml/read-xml.ts";
import type { XmlElement } from "../xml/read-xml.ts";
import { writeXml } from "../xml/write-xml.ts";

/** A project of a laboratory without its case: the settings from which projects of orders are written. */
export interface ExocadTemplate {
  bytes: Uint8Array;
  /** True if the material configuration of the installation is in it. */
  hasMaterials: boolean;
  /** The kinds of teeth (`ReconstructionType`) whose parameters it brings along. */
  kinds: string[];
}

/**
 * Reads a `.dentalProject` of a laboratory and keeps the installation's settings only. Patient, practice, notes,
 * numbers, dates, files and the teeth of the case are removed: the template is kept for years, and its patient has
 * nothing to do with later orders.
 * @throws {ExchangeError} notExocad, and those of `readXml`
 */
export function makeExocadTemplate(bytes: Uint8Array): ExocadTemplate {
  const root = readXml(bytes);
  if (!isNamed(root, "Treatment")) throw new ExchangeError("notExocad", root.name.slice(0, 60));
  const people = wordsOfPeople(root);
  const samples = new Map<string, XmlElement>();
  for (const tooth of childrenOf(root, "Teeth").flatMap((one) => childrenOf(one, "Tooth"))) {
    const kind = textOf(tooth, "ReconstructionType");
    if (kind !== null && !samples.has(kind.toLowerCase())) samples.set(kind.toLowerCase(), toSample(tooth, people));
  }
  const kept = root.children.filter((one) => !isNamed(one, "Teeth") && isSetting(one, people));
  const teeth: XmlElement = { name: "Teeth", attributes: {}, children: [...samples.values()], text: "" };
  return {
    bytes: writeXml({ ...root, children: [...kept, teeth] }),
    hasMaterials: textOf(root, "WorkParams") !== null || childOf(root, "WorkParams") !== undefined,
    kinds: [...samples.values()].flatMap((one) => textOf(one, "ReconstructionType") ?? []),
  };
}

/** Elements that belong to one case, or may name somebody. */
const ofCase =
  /patient|practice|doctor|dentist|technician|client|customer|operator|author|address|phone|mail|birth|note|comment|remark|guid|uniqueid|tray|datetime|path|file/i;
/** Elements of a tooth that say what was ordered for it, not how such teeth are made. */
const ofOrder =
  /^(number|mesialconnector|material|materialname|materialabutment|implanttype|color|situscan|separategingivascan|scanabutmentscan)$/i;

const toSample = (tooth: XmlElement, people: readonly string[]): XmlElement => ({
  ...tooth,
  children: tooth.children.filter((one) => !ofOrder.test(one.name) && isSetting(one, people)),
});

function isSetting(element: XmlElement, people: readonly string[]): boolean {
  if (ofCase.test(element.name)) return false;
  const words = [element.text, ...Object.values(element.attributes)].join("\n").toLowerCase();
  return !people.some((name) => words.includes(name)) && element.children.every((one) => isSetting(one, people));
}

/** The names of the template's patient and practice; shorter ones occur by chance in other words. */
function wordsOfPeople(root: XmlElement): string[] {
  const parts = ["Patient", "Practice"].flatMap((name) => childOf(root, name)?.children ?? []);
  return parts.map(({ text }) => text.toLowerCase()).filter((text) => text.length >= 4);
}
