import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { candidate, personInFiles } from "./inbox.calls.ts";
import { studyRow } from "./study.schema.ts";
import { studyRules } from "./study.rules.ts";

/** A study that was uploaded for a patient although its files name another person: it waits for an answer. */
export const studyQuestion = studyRow.extend({
  person: personInFiles,
  /** The patient for whom it was uploaded, and the fields in which the record agrees with the files. */
  patient: candidate,
  /** The first names of its uploads, a ZIP by its own name, and the number of uploads. */
  files: z.object({ names: z.array(z.string()), count: z.int() }),
  askedAt: instant,
  /** From then on it waits in the inbox. */
  untilAt: instant,
});
export type StudyQuestion = z.output<typeof studyQuestion>;

/** `add`: it belongs to this patient. `inbox`: it waits there for its patient. `discard`: it goes to the bin of the inbox. */
export const studyAnswers = ["add", "inbox", "discard"] as const;
export type StudyAnswer = (typeof studyAnswers)[number];

export const studyQuestionCalls = {
  questions: call({
    method: "GET",
    path: "/v1/study/questions",
    access: clinicRoles,
    summary: "Studies that were uploaded for a patient and wait for an answer, because their files name somebody else.",
    audit: "study.list",
    input: z.object({ patientId: id }),
    output: z.array(studyQuestion),
  }),
  answer: call({
    method: "POST",
    path: "/v1/study/answer",
    access: clinicRoles,
    summary:
      "Answers for studies that wait at a patient: they are added, go to the inbox, or are discarded. All of them, or none where one was answered meanwhile.",
    isIdempotent: true,
    audit: "study.answer",
    input: z.object({
      patientId: id,
      studies: z.array(id).min(1).max(studyRules.maxQuestions),
      answer: z.enum(studyAnswers),
    }),
    output: z.array(studyQuestion),
  }),
} as const;
