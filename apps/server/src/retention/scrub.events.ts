import { defineEvent } from "../platform/events/events.ts";

/** Stored originals were found damaged or missing. */
export const filesDamaged = defineEvent<{
  institution: string;
  institutionName: string;
  count: number;
}>("filesDamaged");

/** Derived files of a study that viewers need were found damaged or missing, and their rows were deleted. */
export const convertedFilesLost = defineEvent<{
  institution: string;
  study: string;
}>("convertedFilesLost");
