import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { FileStore } from "../storage/file-store.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Mail } from "../mail/message-types.ts";
import type { UploadParts } from "../upload/upload-parts.ts";

/** The services that every part of the server shares and that only a running process has. */
export interface Services {
  files: FileStore;
  jobs: Jobs;
  /** Unfinished uploads, on this machine or in the bucket. */
  parts: UploadParts;
  secret: string;
  mail: Mail;
  freeQuota: FreeQuota;
}

/** The base of an organisation that the operator has not changed. */
export interface FreeQuota {
  gigabytes: number;
  analyses: number;
}

let provided: Partial<Services> = {};

/** Called at the start, and by tests; the given services replace earlier ones. */
export const provideServices = (services: Partial<Services>): void => void (provided = { ...provided, ...services });

const requireService = <K extends keyof Services>(name: K): Services[K] => {
  const service = provided[name];
  if (service === undefined) throw new Error(`the service "${name}" was asked for before the start had provided it`);
  return service as Services[K];
};
export const files = (): FileStore => requireService("files");
export const jobs = (): Jobs => requireService("jobs");
export const uploadParts = (): UploadParts => requireService("parts");
export const secret = (): string => requireService("secret");
/** Tests of the database alone configure no base. */
export const freeQuota = (): FreeQuota =>
  provided.freeQuota ?? { gigabytes: capacityRules.freeGigabytes, analyses: capacityRules.freeAnalyses };
export const mail = (): Mail => requireService("mail");
