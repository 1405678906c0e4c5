import type { Language } from "@arcada/contract/kernel/languages";
import { defineEvent } from "../platform/events/events.ts";

export const institutionCreated = defineEvent<{
  institution: string;
  by: string;
}>("institutionCreated");

/** After-sales opens an institution: the account of its first manager is made first. */
export const institutionOpened = defineEvent<{
  user: string;
  email: string;
  personName: string;
  type: "clinic" | "lab";
  institutionName: string;
  language: Language;
  by: string;
}>("institutionOpened");
