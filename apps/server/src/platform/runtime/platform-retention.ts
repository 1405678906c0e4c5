import { uploadRules } from "../upload/remove-stale-uploads.ts";
import type { RetentionRule } from "./slice.ts";

/** The periods after which the platform deletes its own data. */
export const platformRetention: readonly RetentionRule[] = [
  {
    data: "first answers of repeated commands",
    tables: ["idempotency"],
    period: "1 day",
    from: "the command",
    enforcedIn: "platform/http/idempotency.ts",
  },
  {
    data: "uploads that were not finished, with their bytes",
    tables: ["upload"],
    period: `${uploadRules.keptDays} days`,
    from: "the beginning of the upload",
    enforcedIn: "platform/upload/remove-stale-uploads.ts",
  },
  {
    data: "rows of finished uploads",
    tables: ["upload"],
    period: `${uploadRules.finishedDays} days`,
    from: "the end of the upload",
    enforcedIn: "platform/upload/remove-stale-uploads.ts",
  },
  {
    data: "counters of emails to an address",
    tables: ["letter_count"],
    period: "2 days",
    from: "the day of the email; deleted with a later email",
    enforcedIn: "platform/mail/message-limits.ts",
  },
  {
    data: "public keys of processes",
    tables: ["code_key"],
    period: "1 hour",
    from: "the process's last sign of life",
    enforcedIn: "platform/security/verification-code-key.ts",
  },
];
