import { defineQueue } from "../platform/jobs/jobs.ts";

/** Makes a study findable by DICOMweb; sent by what took the study in. */
export const indexQueue = defineQueue<{ iid: string; study: string }>("dicomweb.index");
