import { z } from "zod";
import { email, localDateTime, required, text } from "../kernel/fields.ts";

export const sexes = ["male", "female", "other"] as const;
export const oralHabits = ["smoking", "mouthBreathing", "nightGrinding", "biting", "sugar"] as const;
export type OralHabit = (typeof oralHabits)[number];
export const maxPatientAge = 130;

/** The groups of the form and of the record. The fields of `basics` are laid out by hand; all others follow from rows. */
export const fieldGroups = ["basics", "contact", "papers", "history"] as const;
export type FieldGroup = (typeof fieldGroups)[number];

/**
 * `list`: the field is in the rows of patient lists. `search`: the search of patients finds its words. `masking`: its
 * value is removed from the texts of files that leave without the patient's name. Search words are stored with a record:
 * a migration that makes an existing field searchable has to write them anew.
 */
export type FieldUse = "list" | "search" | "masking";

/** One field of a patient's record; its name is the key on the wire and, after `field.`, in packages/texts. */
export interface PatientField {
  group: FieldGroup;
  /** Shown before the other fields of its group, whereas the wire keeps the order of the rows. */
  isFirst?: true;
  control: "basic" | "line" | "paragraph" | "notes" | "answer" | "dateTime" | "habits";
  input: z.ZodType;
  output: z.ZodType;
  /**
   * The columns in the database, each with its empty value: a form that leaves the field out stores it, and so does an
   * erasure. A field outside `basics` has one column, which stores the value as it is on the wire.
   */
  columns: Readonly<Record<string, string | number | readonly string[] | null>>;
  /**
   * The rule of a merge without a person's choice. `fill`: the kept record's value, or the other's if it has none.
   * `yesWins`: as `fill`, but a known disease stays known. `join`: both texts, or all entries.
   */
  merge: "fill" | "yesWins" | "join";
  /** Fields with the same value here are one choice of a merge; without it a field is its own choice. */
  mergedAs?: string;
  /** The width of the column in the exported spreadsheet, in characters. */
  width: number;
  /** The element of the FHIR resource Patient, by the server and in the archive of one patient. */
  fhir: "name" | "gender" | "birthDate" | "phone" | "email" | "address" | "identityNumber" | "entryNumber" | null;
  uses: readonly FieldUse[];
}

export const requiredText = (maxLength: number) => ({ input: required(maxLength), output: z.string(), maxLength });
const nullableText = z.string().nullable();
const line = <T extends z.ZodType>(input: T) =>
  ({ control: "line", input, output: nullableText, merge: "fill" }) as const;
export const singleLine = (maxLength: number, keyboard: "text" | "tel" = "text") => ({
  ...line(text(maxLength).nullable()),
  maxLength,
  keyboard,
});
export const emailLine = (maxLength: number) =>
  ({ ...line(z.union([z.literal(""), email(maxLength)]).nullable()), maxLength, keyboard: "email" }) as const;
/** A local time, as the clinic wrote it down. */
export const dateTime = {
  control: "dateTime",
  input: localDateTime.nullable(),
  output: nullableText,
  merge: "fill",
} as const;
export const longText = <C extends "paragraph" | "notes">(control: C, maxLength: number, minRows: number) =>
  ({ control, input: text(maxLength).nullable(), output: nullableText, merge: "join", minRows }) as const;
export const disease = {
  control: "answer",
  input: z.boolean().nullable(),
  output: z.boolean().nullable(),
  merge: "yesWins",
} as const;
export const habitList = z.array(z.enum(oralHabits));
