import { studyRules } from "@arcada/contract/study/study.rules";
import { labAgentRoutes } from "./agent/lab-agent.routes.ts";
import { orderRoutes } from "./core/order.routes.ts";
import { passWorkToSuccessor } from "./core/pass-work-to-successor.ts";
import { downloadRoutes } from "./download/download.routes.ts";
import { deleteExpiredDownloads } from "./download/download.store.ts";
import { orderArchives } from "./download/order-archive.ts";
import { registerDisplayImageJob } from "./files/make-display-images.ts";
import { registerStreamingCopyJob } from "./files/make-streaming-copies.ts";
import { followRelatedOrder } from "./forwarding/follow-related-order.ts";
import { forwardRoutes } from "./forwarding/forwarding.routes.ts";
import { labProgramRoutes } from "./lab-program/lab-program.routes.ts";
import { maintainLists } from "./list/list.jobs.ts";
import { listRoutes, orderSearch, todayRoutes } from "./list/list.routes.ts";
import { messageRoutes } from "./messages/messages.routes.ts";
import { openPrescription, prescriptionRoutes } from "./prescription/prescription.routes.ts";
import { sharedOrderRoutes } from "./sharing/shared-order.routes.ts";
import { templateRoutes } from "./templates/template.routes.ts";
import { autoCompleteOrders, handOverWaitingOrders, remindReceipts } from "./transition/scheduled-transitions.ts";
import { handOverWhenReady } from "./transition/send-order.ts";
import { membershipChanged } from "../member/member.events.ts";
import { orderTransitioned } from "./order.events.ts";
import { studyReady } from "../study/study.events.ts";
import { on } from "../platform/events/events.ts";
import type { Slice } from "../platform/runtime/slice.ts";
import type { Database } from "../platform/database/database.ts";
import type { OpenDeidentifier } from "../platform/http/zip-archive-routes.ts";

/** The slice of images provides the de-identified copies that a laboratory downloads. */
export const createOrderSlice = (deidentifyForArchive: (database: Database) => OpenDeidentifier): Slice => ({
  name: "order",
  tables: [
    "orders",
    "order_entry",
    "order_tally",
    "order_look",
    "order_rx",
    "order_revision",
    "order_revision_opening",
    "order_file",
    "order_proposal",
    "order_glb",
    "order_reading",
    "order_pin",
    "order_pin_answer",
    "order_picture",
    "order_download",
    "order_event",
    "order_template",
    "order_lab_words",
    "order_lab_template",
    "order_message",
  ],
  reads: [
    "converted_file",
    "instance",
    "institution",
    "membership",
    "patient",
    "relation",
    "series",
    "share",
    "stored_file",
    "study",
    "upload",
    "users",
  ],
  retention: [
    {
      data: "archives of an order",
      tables: ["order_download"],
      period: "1 day",
      from: "the request",
      enforcedIn: "order/download/download.store.ts",
    },
    {
      data: "light copies of scans that nobody uses",
      tables: ["order_glb"],
      period: `${studyRules.convertedMonths} months`,
      from: "the last use",
      enforcedIn: "order/order-file-copies.writes.ts",
    },
  ],
  search: orderSearch,
  routes: [
    ...orderRoutes,
    ...prescriptionRoutes,
    ...templateRoutes,
    ...labProgramRoutes,
    ...listRoutes,
    ...todayRoutes,
    ...forwardRoutes,
    ...messageRoutes,
    ...downloadRoutes,
    ...labAgentRoutes,
    ...sharedOrderRoutes,
  ],
  archives: (database) => ({ order: orderArchives(database, deidentifyForArchive(database)) }),
  documents: (database) => ({ order: openPrescription(database) }),
  registerJobs: async ({ database, jobs }) => {
    await registerStreamingCopyJob(jobs, database);
    await registerDisplayImageJob(jobs, database);
  },
  tasks: ({ database }) => [
    { name: "order.autoComplete", everyMs: 600_000, toleratedMs: 7_200_000, run: () => autoCompleteOrders(database) },
    {
      name: "order.deleteExpiredDownloads",
      everyMs: 600_000,
      toleratedMs: 7_200_000,
      run: () => deleteExpiredDownloads(database),
    },
    {
      name: "order.handOverWaiting",
      everyMs: 600_000,
      toleratedMs: 3_600_000,
      run: () => handOverWaitingOrders(database),
    },
    { name: "order.remindReceipts", everyMs: 600_000, toleratedMs: 7_200_000, run: () => remindReceipts(database) },
    { name: "order.maintainLists", everyMs: 10_000, toleratedMs: 900_000, run: () => maintainLists(database) },
  ],
  subscribers: () => [
    on(studyReady, handOverWhenReady),
    on(membershipChanged, passWorkToSuccessor),
    on(orderTransitioned, followRelatedOrder),
  ],
});
