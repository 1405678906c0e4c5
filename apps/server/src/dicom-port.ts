import { keepTogether } from "./dicomweb/intake/keep-files-together.ts";
import { identifyFile, type IntakeFailure, type IntakeSender } from "./dicomweb/intake/keep-received-files.ts";
import type { Status } from "./dimse/command-set.ts";
import { findCallingClinic } from "./dimse/calling-clinic.store.ts";
import { writeBufferBytes, openIncomingFile, type AnnouncedObject } from "./dimse/incoming-file.ts";
import type { ConnectedPeer, ObjectReceiver } from "./dimse/association.ts";
import type { PduTimeouts } from "./dimse/pdu-reader.ts";
import { openReceiver, type DimseReceiver } from "./dimse/receiver.ts";
import type { DimseService } from "./dimse/service.ts";
import { readTlsFiles } from "./platform/runtime/read-tls-files.ts";
import { createCommitment, createQueryServices, type AdmittedApplication } from "./pacs/application-services.ts";
import { createWorklistService } from "./dicom-worklist.ts";
import { audit } from "./platform/audit/audit.ts";
import { dicomPort, type Config } from "./platform/runtime/config.ts";
import { isInNetworks } from "./platform/runtime/dicom-callers.ts";
import type { Database } from "./platform/database/database.ts";
import { uploadParts } from "./platform/runtime/services.ts";
import { requireSpace } from "./platform/upload/storage-quota.ts";

/**
 * Listens for devices that send by DIMSE. Their files are processed like those that come by STOW-RS. Null: not
 * configured.
 */
export async function listenForDicom(
  config: Config,
  database: Database,
  timeouts?: PduTimeouts,
): Promise<DimseReceiver | null> {
  const port = dicomPort(config);
  if (port === null) return null;
  const admit = async (title: string, { address, certificateNames }: ConnectedPeer) => {
    const caller = config.DICOM_CALLING_AES.get(title);
    const isAllowed = caller && (caller.networks === null || isInNetworks(caller.networks, address));
    const name = config.DICOM_TLS_NAMES.get(title);
    if (!isAllowed || (name !== undefined && !certificateNames.includes(name))) return null;
    const institution = await findCallingClinic(database, caller.iid);
    if (!institution) return null;
    const application = { ...institution, title, address };
    return {
      ...createSender(database, institution, { title, address }),
      services: listServices(config, database, application),
    };
  };
  const host = config.DICOM_HOST ?? config.HOST;
  const callers = [...config.DICOM_CALLING_AES.values()];
  const mayConnect = (address: string) =>
    callers.some(({ networks }) => networks === null || isInNetworks(networks, address));
  const tls = readTlsFiles("DICOM", config);
  const title = config.DICOM_AE_TITLE;
  const listening = { host, port, setting: "DICOM_PORT", title, mayConnect, ...(tls && { tls }) };
  return openReceiver(listening, admit, timeouts);
}

/** Every application may have what it sent committed; the rest is what the configuration allows it. */
function listServices(config: Config, database: Database, caller: AdmittedApplication): DimseService[] {
  const context = { config, database, caller };
  const modality = config.DICOM_WORKLIST_AES.get(caller.title);
  return [
    createCommitment(context),
    ...(config.DICOM_QUERY_AES.has(caller.title) ? createQueryServices(context) : []),
    ...(modality === undefined ? [] : [createWorklistService(database, caller, modality)]),
  ];
}

const statusByFailure: Record<IntakeFailure, Status> = {
  processing: "processingFailure",
  duplicate: "duplicate",
  noPixels: "classNotSupported",
  noRoom: "outOfResources",
  otherStudy: "otherThanSaid",
  unreadable: "cannotUnderstand",
};

const roomCheckIntervalMs = 2000;

function createSender(
  database: Database,
  institution: { iid: string; uid: string },
  caller: { title: string; address: string },
): ObjectReceiver {
  const by: IntakeSender = {
    ...institution,
    origin: "dimse",
    as: (work) => database.as({ system: false, ...institution }, work),
  };
  const count = { files: 0, kept: 0 };
  let buffer: Buffer | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  return {
    open: async (announced) => {
      // `keep` decides whether the file fits. This check only spares a device that has no space left from sending the
      // file.
      if (performance.now() - checkedAt > roomCheckIntervalMs) await by.as((db) => requireSpace(db, institution.iid));
      checkedAt = performance.now();
      buffer ??= Buffer.allocUnsafeSlow(writeBufferBytes);
      return openIncomingFile(announced, buffer, uploadParts());
    },
    keep: async (file, announced) => {
      count.files += 1;
      const whole = await file.finish();
      if (!whole) {
        await file.drop();
        return "outOfResources";
      }
      // The disk writes while a thread reads the file. No transaction waits for it: the rows follow the file.
      const [identified, isDurable] = await Promise.all([
        identifyFile(whole, institution.iid).catch(() => null),
        Promise.all([file.sync(), uploadParts().syncNames()]).then(
          () => true,
          () => false,
        ),
      ]);
      if (!identified || !isDurable) {
        await file.drop();
        return isDurable ? "processingFailure" : "outOfResources";
      }
      // After an error it is unknown whether the file was recorded, so it stays.
      const settled = await keepTogether(by, refuseIfDifferent(identified, announced));
      if (settled.failure === null) count.kept += 1;
      return settled.failure === null ? "success" : statusByFailure[settled.failure];
    },
    done: async () => {
      if (count.files === 0) return;
      await by.as((db) =>
        audit(db, {
          institution_id: institution.iid,
          user_id: null,
          action: "study.upload",
          detail: { ...count, by: "dimse", title: caller.title },
          address: caller.address,
        }),
      );
    },
  };
}

/** The object is not the one that its command announced. */
const refuseIfDifferent = (
  identifiedFile: Awaited<ReturnType<typeof identifyFile>>,
  { sopClass, sopInstance }: AnnouncedObject,
) =>
  identifiedFile.failure === null &&
  (identifiedFile.read?.sopClass !== sopClass || identifiedFile.read.uid !== sopInstance)
    ? { ...identifiedFile, failure: "otherStudy" as const }
    : identifiedFile;
