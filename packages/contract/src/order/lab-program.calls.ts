import { z } from "zod";
import { call } from "../kernel/call.ts";
import { emptyObject, id, instant, limited, required, text, version } from "../kernel/fields.ts";
import { caseRoles, labRoles } from "../kernel/roles.ts";
import { itemKinds, materials, shades } from "./prescription.choices.ts";

/** Settings of a laboratory for the exchange with its CAD programs. A project file is below 1 MB as a rule. */
export const labProgramRules = {
  maxWords: 300,
  maxWordLength: 80,
  maxCodeLength: 20,
  maxTemplateBytes: 4_000_000,
} as const;
const templateBody = Math.ceil(labProgramRules.maxTemplateBytes / 3) * 4;

const word = required(labProgramRules.maxWordLength);
/**
 * A word of a laboratory's CAD program and what it means in an order; null: nothing is ordered. Of several words with
 * one meaning, the first is written into exported projects.
 */
export const labWord = z.discriminatedUnion("list", [
  z.object({ list: z.literal("kinds"), word, means: z.enum(itemKinds).nullable() }),
  z.object({
    list: z.literal("materials"),
    word,
    /** The short code that exocad keeps beside the name of a material. */
    code: text(labProgramRules.maxCodeLength).nullable().default(null),
    means: z.enum(materials).nullable(),
  }),
  z.object({ list: z.literal("shades"), word, means: z.enum(shades).nullable() }),
]);
export type LabWord = z.output<typeof labWord>;
export const wordLists = ["materials", "kinds", "shades"] as const satisfies readonly LabWord["list"][];
export type WordList = (typeof wordLists)[number];

const words = z.array(labWord).max(labProgramRules.maxWords);

const labProgram = z.object({
  words: z.array(labWord),
  version,
  /** The project of the laboratory from which exported projects start. */
  template: z
    .object({
      name: z.string(),
      bytes: z.int(),
      /** True if it holds the material configuration of the installation. */
      hasMaterials: z.boolean(),
      kinds: z.array(z.string()),
      addedBy: z.string(),
      addedAt: instant,
    })
    .nullable(),
  /** True if the caller may change it. */
  mayChange: z.boolean(),
});
export type LabProgram = z.output<typeof labProgram>;

export const labProgramCalls = {
  labWords: call({
    method: "GET",
    path: "/v1/order/labWords",
    access: caseRoles,
    summary:
      "The words of a connected laboratory's CAD programs for kinds of work, materials and shades, by which a case of such a program is read; none of a laboratory without a connection.",
    input: z.object({ labId: id }),
    output: z.array(labWord),
  }),
  labProgram: call({
    method: "GET",
    path: "/v1/order/labProgram",
    access: labRoles,
    summary: "The settings of the asking laboratory for its CAD programs: its words, and its template of a project.",
    input: emptyObject,
    output: labProgram,
  }),
  saveLabWords: call({
    method: "POST",
    path: "/v1/order/saveLabWords",
    access: ["factoryAdmin"],
    summary: "Replaces the laboratory's words; they apply to cases read and projects exported from then on.",
    isIdempotent: true,
    audit: "order.labWords",
    input: z.object({ words, version }),
    output: labProgram,
  }),
  saveLabTemplate: call({
    method: "POST",
    path: "/v1/order/saveLabTemplate",
    access: ["factoryAdmin"],
    summary:
      "Keeps a .dentalProject of the laboratory (base64) as the template of exported projects, without its patient, practice, notes and numbers; null removes it.",
    isIdempotent: true,
    audit: "order.labTemplate",
    maxBodyBytes: templateBody + 10_000,
    input: z.object({
      template: z.object({ name: required(200), content: limited(templateBody).check(z.base64()) }).nullable(),
    }),
    output: labProgram,
  }),
} as const;
