import { screens } from "@arcada/contract/screens";
import type { EventOf, NewNotice } from "./notice.ts";

type SoftwareEventName = "feedbackWaits" | "feedbackMoved" | "packageWithdrawn";

/**
 * Notices about a device's software: for those who maintain it, for authors of feedback, and for those who have a
 * package of it.
 */
export const softwareNoticeBuilders: {
  [N in SoftwareEventName]: (domainEvent: EventOf<N>) => NewNotice | NewNotice[];
} = {
  feedbackWaits: ({ feedbackId, number, product }) => ({
    kind: "feedbackWaits",
    params: { number, product },
    link: `${screens.feedbackDetail.path}?id=${feedbackId}`,
    to: { afterSalesAdmins: true },
  }),
  feedbackMoved: ({ feedbackId, number, product, author, fixedIn }) => ({
    kind: fixedIn === null ? "feedbackAnswered" : "feedbackFixed",
    params: { number, product, ...(fixedIn !== null && { version: fixedIn }) },
    link: `${screens.feedbackDetail.path}?id=${feedbackId}`,
    to: { users: [author] },
  }),
  packageWithdrawn: ({ packageId, product, version, users, institutions }) => {
    const base = {
      kind: "packageWithdrawn" as const,
      params: { product, version },
      link: `${screens.packageDetail.path}?id=${packageId}`,
    };
    return [
      { ...base, to: { users } },
      ...institutions.map((institution) => ({ ...base, to: { managersOf: institution }, institutions: [institution] })),
    ];
  },
};
