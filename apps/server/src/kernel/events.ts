import type { Language } from "@arcada/contract/kernel/languages";
import type { LiveTopic } from "@arcada/contract/notice/notice.calls";
import { tellWithCommit } from "./db.ts";
import type { Db } from "./db.ts";

/** What clinic admins, or those who run the platform, hear of capacity. */
export type CapacityNews = "begun" | "unsubscribed" | "renewal" | "ending" | "ended" | "asked" | "declined";

/** What happened, told by a slice to whoever listens. Names of things only: no patient data. */
export type Happening =
  | {
      name: "orderMoved";
      orderId: string;
      number: string;
      action: string;
      to: string;
      by: string;
      sender: string;
      receiver: string | null;
      /** An order of another lab stands for this one, or this one for another. */
      kin: boolean;
      tell: string[];
    }
  /** Somebody wrote to the other side of an order; `receiver` where it reads along. */
  | {
      name: "orderMessaged";
      orderId: string;
      number: string;
      messageId: string;
      side: "sender" | "receiver";
      sender: string;
      receiver: string | null;
    }
  /** A shipment has been on its way for so many days, and nobody has confirmed its receipt. */
  | { name: "receiptDue"; orderId: string; number: string; sender: string; days: number; tell: string[] }
  | {
      name: "relationMoved";
      relationId: string;
      action: string;
      state: string;
      by: string;
      sides: [string, string];
      /** The side whose managers are told, and the one that they are told of. */
      tell: string;
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
      /** The member, applicant or invited person, by the name they are shown with. */
      person: string;
      by: string | null;
      /** One user, or the managers of the organisation. */
      tell: { user: string } | "managers";
    }
  | {
      /** Somebody's place in an organisation: another role, or (null) none any more; then the heir has their open work. */
      name: "membershipChanged";
      institution: string;
      user: string;
      by: string;
      to: number | null;
      heir: string | null;
    }
  /** Somebody's place in the service of the platform: given, another one, or (null) taken away. */
  | { name: "serviceChanged"; user: string; from: number | null; to: number | null; by: string }
  /** An export is ready, or could not be made; `institution` by its name. */
  | { name: "exportEnded"; user: string; institution: string; isReady: boolean }
  /** Stored originals were found damaged or missing. */
  | { name: "filesDamaged"; institution: string; institutionName: string; count: number }
  /** Files that viewers need of a study were found damaged or missing, and are forgotten. */
  | { name: "convertedLost"; institution: string; study: string }
  /** A link was opened for the first time, locked itself or came to its end; `user` made it. */
  | { name: "shareMoved"; action: "open" | "lock" | "lapse"; label: string; institution: string; user: string }
  /** The sender of an order lets its lab make links to it no more. */
  | { name: "orderUnshared"; orderId: string; sender: string; receiver: string }
  /** An endpoint failed for so long that it is told nothing more; `webhook` by its name. */
  | { name: "webhookStopped"; institution: string; webhook: string }
  /** A visit was written down, changed or removed. */
  | { name: "visitsChanged"; institution: string; patientId: string }
  /** Capacity of a clinic began, ends or is asked for; `until` is a day. */
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
  /** After-sales opens an organisation: the account of its first manager is made first. */
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
  /** The country of an account is known now; of one that was opened for an organisation, its name as well. */
  | { name: "accountCompleted"; user: string; nation: string; institutionName: string | null }
  | {
      name: "studyReady";
      studyId: string;
      patientId: string;
      institution: string;
      user: string;
      kind: string;
      again: boolean;
      /** A device or a program sent it, no person. */
      sent: boolean;
    }
  /** A study that was sent waits in the inbox: its files do not say for certain whose it is. */
  | { name: "studyWaiting"; institution: string; kind: string }
  /** A step of a device; `device` by its name and serial number, `institution` has it or had it until now. */
  | {
      name: "deviceMoved";
      deviceId: string;
      device: string;
      action: "bind" | "lock" | "unlock" | "unbind" | "forceUnbind";
      institution: string;
      by: string;
      reason: string | null;
    }
  /** After-sales says at which clinic a registered device stands. */
  | { name: "deviceStands"; deviceId: string; clinicId: string; by: string }
  /** Two records were of one clinic: what names `from` is to name `to`, which is that of the organisation. */
  | { name: "clinicsJoined"; from: string; to: string; institution: string }
  /**
   * A record is taken out of that of an organisation, with which it had been joined by mistake: these are to name `to`
   * again; `destinations` are work orders by which a machine is moved there.
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
  /** Feedback on the software of a device was written, or is open again. */
  | { name: "feedbackWaits"; feedbackId: string; number: string; product: string; by: string }
  /** Somebody answered feedback, said in which version it is solved, or opened it again; `author` wrote it. */
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
  /** A package is to be installed no more; `users` fetched it, and devices of `institutions`. */
  | {
      name: "packageWithdrawn";
      packageId: string;
      product: string;
      version: string;
      users: string[];
      institutions: string[];
      by: string;
    }
  /** A work order of after-sales was made or moved; `action`: a row of its table. */
  | {
      name: "workorderMoved";
      workorderId: string;
      number: string;
      action: string;
      to: string;
      by: string | null;
      /** The clinic's organisation, where it has one. */
      institution: string | null;
      assignee: string | null;
      /** Who had it before this move. */
      before: string | null;
    }
  /**
   * The work at a device was accepted: one that was installed belongs to the clinic now, one that was moved stands at
   * the clinic that it was moved to. `deviceId` is null where the device was not registered before.
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

type Listener = (db: Db, happening: Happening) => Promise<void>;
const listeners: Listener[] = [];

/** Called by the composition only: the listener works inside the teller's transaction. */
export const onHappening = (listener: Listener): void => void listeners.push(listener);

export async function tell(db: Db, happening: Happening): Promise<void> {
  for (const listener of listeners) await listener(db, happening);
}

/** Tells open tabs of these organisations, of one user, or of those who work for the platform, that something changed; leaves at commit, through every process. */
export async function tellTabs(
  db: Db,
  to: { institutions?: (string | null)[]; user?: string; service?: true },
  topic: LiveTopic,
  id: string,
): Promise<void> {
  const iids = (to.institutions ?? []).filter(Boolean);
  const message = JSON.stringify({ to: to.user ?? null, iids, service: to.service ?? false, topic, id });
  tellWithCommit(db, message);
}
