import type { LaunchedPerson } from "@arcada/contract/patient/launch-address";
import { toNamedPerson } from "../practice-person.ts";
import { findSection, findValue } from "./ini-file.ts";
import type { IniFile } from "./ini-file.ts";

/** The calls that a practice program makes to an imaging program; the content of the file says which one it is. */
export type VddsCall =
  /** PATDATIMPORT: shows the patient. */
  | { kind: "patient"; person: LaunchedPerson }
  /** MMOINFEXPORT: lists the patient's images. */
  | { kind: "list"; number: string }
  /** MMOVIEW: shows images by the ids of the list. */
  | { kind: "view"; ids: readonly string[] }
  /** MMOEXPORT: copies images into files of the format that EXT names. */
  | { kind: "copy"; ids: readonly string[] };

const maxImages = 200;

/** Recognises a call; null for a file of another content or without a patient's number. */
export function readVddsCall(file: IniFile): VddsCall | null {
  const images = findSection(file, "MMOIDS");
  if (images) {
    const ids = [...images].filter(([key]) => /^mmoid\d{1,4}$/i.test(key)).map(([, id]) => id);
    const kind = findValue(images, "EXT") === "" ? "view" : "copy";
    return ids.length > 0 && ids.length <= maxImages ? { kind, ids } : null;
  }
  const list = findSection(file, "PATID");
  const patient = findSection(file, "PATIENT") ?? list;
  const value = (...keys: string[]): string => keys.map((key) => findValue(patient, key)).find(Boolean) ?? "";
  const person = toNamedPerson({
    number: value("PATID"),
    lastName: value("LASTNAME", "NAME"),
    firstName: value("FIRSTNAME", "VORNAME"),
    birthDate: value("BIRTHDAY", "BIRTHDATE", "GEBDATUM"),
    sex: value("SEX"),
  });
  if (!person) return null;
  return patient === list ? { kind: "list", number: person.number } : { kind: "patient", person };
}

/** An image in the list of a patient. */
export interface VddsImage {
  id: string;
  /** YYYY-MM-DD and HH:MM */
  date: string;
  time: string;
  type: string;
  comment: string;
}

/** Adds the list of images to the file of a call. */
export function addImageList(file: IniFile, images: readonly VddsImage[]): void {
  file.set("MMOS", new Map([["COUNT", String(images.length)]]));
  for (const [at, image] of images.entries())
    file.set(
      `MMO${at + 1}`,
      new Map([
        ["MMOID", image.id],
        ["DATE", image.date.replaceAll("-", "")],
        ["TIME", image.time],
        ["TYPE", image.type],
        ["EXT", "JPG"],
        ["COMMENT", image.comment],
      ]),
    );
}

/**
 * Writes the outcome of a call into its first section. The practice program waits for READY, which is therefore the last
 * key of the section.
 */
export function setVddsOutcome(file: IniFile, outcome: { level: number; text: string }): void {
  const [name = "PATIENT", section = new Map<string, string>()] = file.entries().next().value ?? [];
  file.set(name, section);
  for (const key of section.keys())
    if (["errorlevel", "errortext", "ready"].includes(key.toLowerCase())) section.delete(key);
  section.set("ERRORLEVEL", String(outcome.level));
  if (outcome.text !== "") section.set("ERRORTEXT", outcome.text);
  section.set("READY", "1");
}
