import type { Language } from "@arcada/contract/kernel/languages";
import type { LiveTopic } from "@arcada/contract/notice/notice.calls";
import { notifyOnCommit } from "../database/database.ts";
import type { Db } from "../database/database.ts";

/** The kinds of news about capacity for clinic admins or for those who run the platform. */
export type CapacityNews = "begun" | "unsubscribed" | "renewal" | "ending" | "ended" | "asked" | "declined";

/** A domain event that a feature module publishes to subscribers. It only names things: no patient data. */
export type DomainEvent =
  | {
      name: "orderMoved";
      orderId: string;
      number: string;
      action: string;
      to: string;
      by: string;
      sender: string;
      receiver: string | null;
      /** An order of another lab succeeds this one, or this one succeeds another. */
      hasRelatedOrders: boolean;
      recipients: string[];
    }
  /** A message was written to the other side of an order; `receiver` if that side may read it. */
  | {
      name: "orderMessaged";
      orderId: string;
      number: string;
      messageId: string;
      side: "sender" | "receiver";
      sender: string;
      receiver: string | null;
    }
  /** A shipment has been under way for `days` days, and nobody has confirmed its receipt. */
  | { name: "receiptDue"; orderId: string; number: string; sender: string; days: number; recipients: string[] }
  | {
      name: "relationMoved";
      relationId: string;
      action: string;
      state: string;
      by: string;
      sides: [string, string];
      /** The institution whose managers are notified; `other` is the institution that the notice is about. */
      recipient: string;
      other: string;
      names: { own: string; other: string };
      reason: string | null;
    }
  | {
      name: "memberMoved";
      /** Rows of the table of members: "apply", "accept", "decline", "lapse", "agree", "reject", "changeRole", "kickOut", "exit". */
      action: string;
      institution: string;
      institutionName: string;
      /** The displayed name of the member, applicant or invited person. */
      person: string;
      by: string | null;
      /** The recipient: one user, or the managers of the institution. */
      recipient: { user: string } | "managers";
    }
  | {
      /**
       * A membership in an institution changed: to another role, or (null) it ended; then the successor has the
       * member's open work.
       */
      name: "membershipChanged";
      institution: string;
      user: string;
      by: string;
      to: number | null;
      successor: string | null;
    }
  /** A membership in the platform's service changed: it was given, changed or (null) removed. */
  | { name: "serviceChanged"; user: string; from: number | null; to: number | null; by: string }
  /** A data export is ready, or could not be made; `institution` is a name. */
  | { name: "exportEnded"; user: string; institution: string; isReady: boolean }
  /** Stored originals were found damaged or missing. */
  | { name: "filesDamaged"; institution: string; institutionName: string; count: number }
  /** Derived files of a study that viewers need were found damaged or missing, and their rows were deleted. */
  | { name: "convertedLost"; institution: string; study: string }
  /** A link was opened for the first time, locked itself or expired; `user` made it. */
  | { name: "shareMoved"; action: "open" | "lock" | "lapse"; label: string; institution: string; user: string }
  /** The sender of an order no longer lets its lab make links to it. */
  | { name: "orderUnshared"; orderId: string; sender: string; receiver: string }
  /** An endpoint failed for so long that it receives no more events; `webhook` is its name. */
  | { name: "webhookStopped"; institution: string; webhook: string }
  /** A patient's visit was recorded, changed or removed. */
  | { name: "visitsChanged"; institution: string; patientId: string }
  /** Capacity of a clinic began, ends or is requested; `until` is a day. */
  | {
      name: "capacityMoved";
      what: CapacityNews;
      institution: string;
      institutionName: string;
      gigabytes: number;
      analyses: number;
      until: string;
      by: string | null;
    }
  | { name: "institutionMade"; institution: string; by: string }
  /** After-sales opens an institution: the account of its first manager is made first. */
  | {
      name: "accountOpened";
      user: string;
      email: string;
      personName: string;
      type: "clinic" | "lab";
      institutionName: string;
      language: Language;
      by: string;
    }
  /** The country of an account is now known, and for an account that was opened for an institution its name as well. */
  | { name: "accountCompleted"; user: string; nation: string; institutionName: string | null }
  | {
      name: "studyReady";
      studyId: string;
      patientId: string;
      institution: string;
      user: string;
      kind: string;
      again: boolean;
      /** True if a device or a program sent it, not a person. */
      sent: boolean;
    }
  /** A study that was sent waits in the inbox: its files do not identify the patient with certainty. */
  | { name: "studyWaiting"; institution: string; kind: string }
  /** A transition of a device; `device` is its name and serial number, `institution` has it or had it until now. */
  | {
      name: "deviceMoved";
      deviceId: string;
      device: string;
      action: "bind" | "lock" | "unlock" | "unbind" | "forceUnbind";
      institution: string;
      by: string;
      reason: string | null;
    }
  /** After-sales sets the clinic at which a registered device is installed. */
  | { name: "deviceStands"; deviceId: string; clinicId: string; by: string }
  /**
   * Two records described one clinic: references to `from` have to refer to `to`, which is the institution's record.
   */
  | { name: "clinicsJoined"; from: string; to: string; institution: string }
  /**
   * A record is separated from that of an institution, with which it had been joined by mistake: these have to refer to
   * `to` again; `destinations` are work orders by which a machine is moved there.
   */
  | {
      name: "clinicsParted";
      from: string;
      to: string;
      institution: string;
      devices: string[];
      workorders: string[];
      destinations: string[];
      feedback: string[];
    }
  /** Feedback on the software of a device was written, or reopened. */
  | { name: "feedbackWaits"; feedbackId: string; number: string; product: string; by: string }
  /** Feedback was answered, assigned to the version that solves it, or reopened; `author` wrote it. */
  | {
      name: "feedbackMoved";
      feedbackId: string;
      number: string;
      product: string;
      author: string;
      state: string;
      fixedIn: string | null;
      by: string;
    }
  /** A package must no longer be installed; `users` downloaded it, and devices of `institutions`. */
  | {
      name: "packageWithdrawn";
      packageId: string;
      product: string;
      version: string;
      users: string[];
      institutions: string[];
      by: string;
    }
  /** A work order of after-sales was made or moved; `action` is a row of its transition table. */
  | {
      name: "workorderMoved";
      workorderId: string;
      number: string;
      action: string;
      to: string;
      by: string | null;
      /** The clinic's institution, if it has one. */
      institution: string | null;
      assignee: string | null;
      /** The assignee before this move. */
      before: string | null;
    }
  /**
   * The work on a device was accepted: an installed device now belongs to the clinic, a moved one is at the clinic to
   * which it was moved. `deviceId` is null if the device was not registered before.
   */
  | {
      name: "workorderAccepted";
      workorderId: string;
      type: "installation" | "moveMachine" | "repair";
      deviceId: string | null;
      device: { product: string; model: string; serialNumber: string };
      clinicId: string;
      by: string;
    };

type Listener = (db: Db, domainEvent: DomainEvent) => Promise<void>;
const listeners: Listener[] = [];

/** Registers a subscriber; called only by the composition root. The subscriber runs in the publisher's transaction. */
export const subscribe = (listener: Listener): void => void listeners.push(listener);

export async function tell(db: Db, domainEvent: DomainEvent): Promise<void> {
  for (const listener of listeners) await listener(db, domainEvent);
}

/**
 * Notifies open clients of these institutions, of one user, or of those who work for the platform, of a change. The
 * message is sent at the commit and reaches every process.
 */
export async function notifyClients(
  db: Db,
  to: { institutions?: (string | null)[]; user?: string; service?: true },
  topic: LiveTopic,
  id: string,
): Promise<void> {
  const iids = (to.institutions ?? []).filter(Boolean);
  const message = JSON.stringify({ to: to.user ?? null, iids, service: to.service ?? false, topic, id });
  notifyOnCommit(db, message);
}
