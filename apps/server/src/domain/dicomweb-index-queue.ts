import { defineQueue } from "../platform/jobs/jobs.ts";

/** Makes studies of an institution findable by DICOMweb; sent by what took them in. */
export const indexQueue = defineQueue<{ iid: string; studies: readonly string[] }>("dicomweb.index");
