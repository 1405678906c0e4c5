import { studyRules } from "@arcada/contract/study/study.rules";

/** The server counts the inbox up to a limit. */
export const formatInboxCount = (count: number): string =>
  count >= studyRules.maxInboxCount ? `${studyRules.maxInboxCount}+` : String(count);
