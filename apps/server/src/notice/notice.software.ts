import { screens } from "@arcada/contract/screens";
import type { Happened, Notice } from "./notice.ts";

type Told = "feedbackWaits" | "feedbackMoved" | "packageWithdrawn";

/**
 * Notices about a device's software: for those who maintain it, for authors of feedback, and for those who have a
 * package of it.
 */
export const softwareNotices: { [N in Told]: (happening: Happened<N>) => Notice | Notice[] } = {
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
    const told = {
      kind: "packageWithdrawn" as const,
      params: { product, version },
      link: `${screens.packageDetail.path}?id=${packageId}`,
    };
    return [
      { ...told, to: { users } },
      ...institutions.map((house) => ({ ...told, to: { managersOf: house }, houses: [house] })),
    ];
  },
};
