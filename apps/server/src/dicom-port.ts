import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { identified, keep, type IntakeFailure, type IntakeSender } from "./dicomweb/intake.ts";
import type { Status } from "./dimse/command.ts";
import { findHouse } from "./dimse/callers.store.ts";
import { gatheredBytes, openIncoming } from "./dimse/incoming-file.ts";
import type { Announced, Sender } from "./dimse/association.ts";
import type { Patience } from "./dimse/pdu-reader.ts";
import { openReceiver, type Receiver, type ReceiverTls } from "./dimse/receiver.ts";
import { audit } from "./platform/audit/audit.ts";
import { dicomPortOf, StartError, type Config } from "./platform/runtime/config.ts";
import { liesIn } from "./platform/runtime/dicom-callers.ts";
import type { Database } from "./platform/database/database.ts";
import { parts } from "./platform/runtime/services.ts";
import { needAnyRoom } from "./platform/upload/uploads.ts";

/**
 * Listens for devices that send by DIMSE. Their files are processed like those that come by STOW-RS. Null: not
 * configured.
 */
export async function listenForDicom(
  config: Config,
  database: Database,
  patience?: Patience,
): Promise<Receiver | null> {
  const port = dicomPortOf(config);
  if (port === null) return null;
  const admit = async (title: string, address: string) => {
    const caller = config.DICOM_CALLING_AES.get(title);
    const isThere = caller && (caller.networks === null || liesIn(caller.networks, address));
    const house = isThere ? await findHouse(database, caller.iid) : undefined;
    return house ? senderOf(database, house, { title, address }) : null;
  };
  const host = config.DICOM_HOST ?? config.HOST;
  const callers = [...config.DICOM_CALLING_AES.values()];
  const mayConnect = (address: string) =>
    callers.some(({ networks }) => networks === null || liesIn(networks, address));
  const listening = { host, port, setting: "DICOM_PORT", title: config.DICOM_AE_TITLE, mayConnect, ...tlsOf(config) };
  return openReceiver(listening, admit, patience);
}

/** Read and tested at the start: a device that cannot connect would give no reason. */
function tlsOf({ DICOM_TLS_CERT, DICOM_TLS_KEY, DICOM_TLS_CA }: Config): { tls?: ReceiverTls } {
  if (!DICOM_TLS_CERT || !DICOM_TLS_KEY) return {};
  const tls: ReceiverTls = {
    cert: read("DICOM_TLS_CERT", DICOM_TLS_CERT),
    key: read("DICOM_TLS_KEY", DICOM_TLS_KEY),
    ...(DICOM_TLS_CA && { ca: read("DICOM_TLS_CA", DICOM_TLS_CA) }),
  };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new StartError(
      `DICOM_TLS_CERT, DICOM_TLS_KEY and DICOM_TLS_CA do not make a certificate with its key: ${(error as Error).message}`,
    );
  }
  return { tls };
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const statusOf: Record<IntakeFailure, Status> = {
  processing: "processingFailure",
  duplicate: "duplicate",
  noPixels: "classNotSupported",
  noRoom: "outOfResources",
  otherStudy: "otherThanSaid",
  unreadable: "cannotUnderstand",
};

const roomAskedMs = 2000;

function senderOf(
  database: Database,
  house: { iid: string; uid: string },
  from: { title: string; address: string },
): Sender {
  const by: IntakeSender = {
    ...house,
    origin: "dimse",
    as: (work) => database.as({ system: false, ...house }, work),
  };
  const count = { files: 0, kept: 0 };
  let gathered: Buffer | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    open: async (announced) => {
      // `keep` decides whether the file fits. This check only spares a device that has no space left from sending the
      // file.
      if (performance.now() - askedAt > roomAskedMs) await by.as((db) => needAnyRoom(db, house.iid));
      askedAt = performance.now();
      gathered ??= Buffer.allocUnsafeSlow(gatheredBytes);
      return openIncoming(announced, gathered, parts());
    },
    keep: async (file, announced) => {
      count.files += 1;
      const whole = await file.whole();
      if (!whole) {
        await file.drop();
        return "outOfResources";
      }
      const reading = identified(whole, house.iid).catch(() => null);
      const lies = await file.settle().then(
        () => true,
        () => false,
      );
      const read = await reading;
      if (!lies || !read) {
        await file.drop();
        return lies ? "processingFailure" : "outOfResources";
      }
      const [settled] = await keep(by, [isOther(read, announced)], () => {});
      if (settled!.failure === null) count.kept += 1;
      return settled!.failure === null ? "success" : statusOf[settled!.failure];
    },
    done: async () => {
      if (count.files === 0) return;
      await by.as((db) =>
        audit(db, {
          institution_id: house.iid,
          user_id: null,
          action: "study.upload",
          detail: { ...count, by: "dimse", title: from.title },
          address: from.address,
        }),
      );
    },
  };
}

/** The object is not the one that its command announced. */
const isOther = (came: Awaited<ReturnType<typeof identified>>, { sopClass, sopInstance }: Announced) =>
  came.failure === null && (came.read?.sopClass !== sopClass || came.read.uid !== sopInstance)
    ? { ...came, failure: "otherStudy" as const }
    : came;
