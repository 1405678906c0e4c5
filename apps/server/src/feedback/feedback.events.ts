import { defineEvent } from "../platform/events/events.ts";

/** Feedback on the software of a device was written, or reopened. */
export const feedbackReceived = defineEvent<{
  feedbackId: string;
  number: string;
  product: string;
  by: string;
}>("feedbackReceived");

/** Feedback was answered, assigned to the version that solves it, or reopened; `author` wrote it. */
export const feedbackUpdated = defineEvent<{
  feedbackId: string;
  number: string;
  product: string;
  author: string;
  state: string;
  fixedIn: string | null;
  by: string;
}>("feedbackUpdated");
